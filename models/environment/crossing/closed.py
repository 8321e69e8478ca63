"""Where a path on a line or on a circle enters and leaves a disc, a capsule or a half-plane, in closed form.

Every function gives a pair of times from now on (s). On a line the path is inside from the first to the second, of
which one or both may lie in the past. On a circle they are the *next* entry and the *next* departure, whichever comes
first, within one turn; (0, inf) if the path is inside all along. Both are infinite where the path stays outside.
A visit shallower than `GRAZE` is none.

The circle of a path has its centre at (ca, cb) and the radius `g`; at present the path is at `angle` (rad) on it and
goes round at `rate` (rad/s, not 0).
"""

from __future__ import annotations

from math import acos, asin, atan2, cos, hypot, inf, pi, sin, sqrt, tau

from devs_robotics.models.environment.crossing.capsule import axis_distance

Times = tuple[float, float]
"""When a path enters and when it leaves (s from now on)."""

GRAZE = 1e-9
"""Depth (m) up to which a visit is none, and distance from a border up to which rounding may have chosen the side."""

MOMENT = 1e-6
"""Time (s) up to which something is taken to be happening now."""

NEVER = (inf, inf)
ALWAYS = (-inf, inf)
ALL_ROUND = (0.0, inf)


def entry_on_line(times: Times) -> float:
    """From now on, the first time inside (s), on a line: 0 if inside now; infinite if just leaving, or never."""
    enter, leave = times
    if leave <= MOMENT:
        return inf
    return enter if enter > 0.0 else 0.0


def exit_on_line(times: Times) -> float:
    """From now on, the first time outside (s), on a line: 0 if outside now; the departure if just entering."""
    enter, leave = times
    if enter > MOMENT or leave <= 0.0:
        return 0.0
    return leave


def entry_on_circle(times: Times, gap: float) -> float:
    """From now on, the first time inside (s), on a circle, with `gap` (m) from here to the border, negative inside.

    On the border, where rounding chose the sign of `gap`, what comes next tells on which side the path is.
    """
    enter, leave = times
    if gap > GRAZE:
        return enter
    if gap < -GRAZE:
        return 0.0
    return enter if enter <= leave or leave <= MOMENT else 0.0


def exit_on_circle(times: Times, gap: float) -> float:
    """From now on, the first time outside (s), on a circle, with `gap` (m) from here to the border, negative inside."""
    enter, leave = times
    if gap > GRAZE:
        return 0.0
    if gap < -GRAZE:
        return leave
    return leave if leave < enter or enter <= MOMENT else 0.0


def line_in_disc(x: float, y: float, sx: float, sy: float, radius: float) -> Times:
    """From when to when a point at (x, y) with velocity (sx, sy) is within `radius` of the origin."""
    speed_2 = sx * sx + sy * sy
    outside = x * x + y * y - radius * radius
    if speed_2 < 1e-24:
        return ALWAYS if outside < -2.0 * GRAZE * radius else NEVER
    closing = -(x * sx + y * sy)
    if outside > 0.0 and closing <= 0.0:
        return NEVER
    root_2 = closing * closing - speed_2 * outside
    if root_2 <= 2.0 * speed_2 * radius * GRAZE:
        return NEVER
    root = sqrt(root_2)
    return (closing - root) / speed_2, (closing + root) / speed_2


def line_in_capsule(a: float, b: float, sa: float, sb: float, edge: float, far: float, radius: float) -> Times:
    """From when to when a point at (a, b) with velocity (sa, sb) is in the capsule of a ray."""
    speed_2 = sa * sa + sb * sb
    if speed_2 < 1e-24:
        return ALWAYS if axis_distance(a, b, edge, far) <= radius else NEVER
    if (b > radius and sb >= 0.0) or (b < -radius and sb <= 0.0):
        return NEVER
    passes_far, passes_edge = (a - far) * sb - b * sa, (a - edge) * sb - b * sa
    if (passes_far > 0.0) is (passes_edge > 0.0):  # both ends are on one side of the path: it may miss the nearer one
        nearer = min(passes_far * passes_far, passes_edge * passes_edge)
        if nearer > radius * radius * speed_2:
            return NEVER
    enter, leave = _line_in_rectangle(a, b, sa, sb, edge, far, radius)
    outside_2 = b * b - radius * radius
    along = b * sb
    for end in (far, edge):
        ahead = a - end
        closing = -(ahead * sa + along)
        root_2 = closing * closing - speed_2 * (ahead * ahead + outside_2)
        if root_2 > 0.0:
            root = sqrt(root_2)
            first, last = (closing - root) / speed_2, (closing + root) / speed_2
            enter = first if first < enter else enter
            leave = last if last > leave else leave
    if enter >= leave:
        return NEVER
    middle = 0.5 * (enter + leave)  # the distance is convex along a line: nowhere is it less than twice as deep as here
    if axis_distance(a + sa * middle, b + sb * middle, edge, far) > radius - GRAZE:
        return NEVER
    return enter, leave


def _line_in_rectangle(a: float, b: float, sa: float, sb: float, edge: float, far: float, radius: float) -> Times:
    """From when to when it is beside the ray's axis, not further from it than `radius`; (inf, -inf) if never."""
    enter, leave = -inf, inf
    if sb:
        first, last = (-radius - b) / sb, (radius - b) / sb
        enter, leave = (first, last) if sb > 0.0 else (last, first)
    elif not -radius <= b <= radius:
        return inf, -inf
    if sa:
        first, last = (edge - a) / sa, (far - a) / sa
        if sa < 0.0:
            first, last = last, first
        enter = first if first > enter else enter
        leave = last if last < leave else leave
    elif not edge <= a <= far:
        return inf, -inf
    return (enter, leave) if enter < leave else (inf, -inf)


def line_in_half_plane(height: float, climb: float) -> Times:
    """From when to when a point is beyond a straight line that it is `height` (m) short of and nears at `climb`."""
    if abs(climb) < 1e-12:
        return ALWAYS if height < -GRAZE else NEVER
    when = height / climb
    return (when, inf) if climb > 0.0 else (-inf, when)


def circle_in_disc(ca: float, cb: float, g: float, angle: float, rate: float, radius: float) -> Times:
    """When a point on a circle next enters the disc of `radius` about the origin, and next leaves it."""
    e = hypot(ca, cb)
    if abs(e - g) >= radius - GRAZE:
        return NEVER
    if e + g <= radius + GRAZE:
        return ALL_ROUND
    half = acos(max(-1.0, min(1.0, (radius * radius - e * e - g * g) / (2.0 * e * g))))
    return _in_time(atan2(cb, ca) - angle, half, rate)


def circle_in_half_plane(height: float, g: float, angle: float, rate: float) -> Times:
    """When a point on a circle next crosses a straight line, and next comes back.

    Args:
        height: how far the circle's centre is short of the line (m)
        g, rate: the circle's radius (m) and the rate at which the point goes round (rad/s)
        angle: of the point on the circle at present, from the direction in which the line is crossed (rad)
    """
    if height >= g - GRAZE:
        return NEVER
    if height <= GRAZE - g:
        return ALL_ROUND
    return _in_time(-angle, -acos(height / g), rate)


def _in_time(middle: float, half: float, rate: float) -> Times:
    """When a point that goes round next is `half` (rad) past `middle`, and `half` before it; rate < 0: mirrored."""
    if rate < 0.0:
        middle, rate = -middle, -rate
    return (middle + half) % tau / rate, (middle - half) % tau / rate


def circle_in_capsule(
    ca: float, cb: float, g: float, angle: float, rate: float, edge: float, far: float, radius: float
) -> Times:
    """When a point on a circle next enters the capsule of a ray, and next leaves it."""
    if axis_distance(ca, cb, edge, far) >= g + radius - GRAZE:
        return NEVER
    if g - radius >= max(hypot(ca - edge, cb), hypot(ca - far, cb)) - GRAZE:
        return NEVER
    if rate < 0.0:  # the capsule is the same on both sides of its axis
        cb, angle, rate = -cb, -angle, -rate
    enter, leave = _circle_at_sides(ca, cb, g, angle, edge, far, radius)
    for end in (far, edge):
        ea = ca - end
        e = hypot(ea, cb)
        if abs(e - g) >= radius - GRAZE or e + g <= radius + GRAZE:
            continue
        base = atan2(cb, ea)
        half = acos(max(-1.0, min(1.0, (radius * radius - e * e - g * g) / (2.0 * e * g))))
        turn = (base + half - angle) % tau
        if turn < enter and _on_cap(ea + g * cos(base + half), end == far):
            enter = turn
        turn = (base - half - angle) % tau
        if turn < leave and _on_cap(ea + g * cos(base - half), end == far):
            leave = turn
    if enter == inf == leave:
        opposite = axis_distance(ca - g * cos(angle), cb - g * sin(angle), edge, far)
        return ALL_ROUND if opposite < radius else NEVER
    return enter / rate, leave / rate


def _circle_at_sides(
    ca: float, cb: float, g: float, angle: float, edge: float, far: float, radius: float
) -> tuple[float, float]:
    """The next angles (rad from now on) at which it enters and leaves by the capsule's straight sides."""
    enter = leave = inf
    for side in (radius, -radius):
        height = side - cb
        if abs(height) >= g - GRAZE:
            continue
        along = sqrt(g * g - height * height)
        upward = asin(height / g)
        for psi, a, outward in ((upward, ca + along, side > 0.0), (pi - upward, ca - along, side < 0.0)):
            if edge - 1e-12 <= a <= far + 1e-12:
                turn = (psi - angle) % tau
                if outward:
                    leave = turn if turn < leave else leave
                else:
                    enter = turn if turn < enter else enter
    return enter, leave


def _on_cap(beyond: float, at_far_end: bool) -> bool:
    """Whether a point on an end's circle is on its outer half; at the joint both that and the side count."""
    return beyond >= -1e-12 if at_far_end else beyond <= 1e-12
