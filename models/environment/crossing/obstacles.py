"""When a ray first meets an obstacle, and when a disc first touches one.

A ray comes to meet straight sides in one of two ways: its tip crosses a side, or a corner comes onto the ray. For a
disc each side is a capsule: what is nearer to it than the disc's radius.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import atan2, cos, hypot, inf, sin

from devs_robotics.models.environment.crossing.bracket import first_used_up
from devs_robotics.models.environment.crossing.capsule import axis_distance, in_frame
from devs_robotics.models.environment.crossing.closed import (
    GRAZE,
    MOMENT,
    circle_in_capsule,
    entry_on_circle,
    entry_on_line,
    line_in_capsule,
)
from devs_robotics.models.environment.crossing.discs import first_contact
from devs_robotics.models.environment.crossing.rays import first_seen, narrow
from devs_robotics.models.environment.crossing.sides import first_met_on_circle, first_met_on_line
from devs_robotics.models.environment.grid import BESIDE, Bounds
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory
from devs_robotics.models.environment.shapes import Circle, Point, Polygon, Segment, Shape, point_to_segment

LATER = 1e-4
"""Time (s) after which the bracket takes a ray that ceases to meet an obstacle now to be clear of it."""


def first_seen_shape(
    observer: Trajectory, bearing: float, edge: float, reach: float, shape: Shape, now: float, horizon: float
) -> float:
    """First time (s) from `now` on at which a ray meets an obstacle; infinite if not by `horizon`.

    It is `now` if it meets it already, but not if it just ceases to. The ray is as in `first_seen`.
    """
    if type(shape) is Circle:
        return first_seen(observer, bearing, edge, reach, Arc(now, shape.x, shape.y, 0.0), shape.radius, now, horizon)
    far = edge + reach
    here = observer.pose(now)
    if _out_of_reach(here, far + observer.fastest * (horizon - now), shape):
        return inf

    def gap(time: float) -> float:
        x, y, heading = observer.pose(time)
        ux, uy = cos(heading + bearing), sin(heading + bearing)
        return shape.distance_from_segment(x + edge * ux, y + edge * uy, x + far * ux, y + far * uy)

    corners = _corners(shape)
    if corners is None or type(observer) is not Arc or not narrow(observer):
        fastest = observer.fastest + far * observer.fastest_turn
        begin = now
        if gap(now) <= GRAZE:
            if not _ceases(gap, now):
                return now
            begin += LATER
        # the distance is never less than 0, and where the ray meets the obstacle it is more than a graze
        return first_used_up(lambda time: gap(time) - 2.0 * GRAZE, fastest, begin, horizon)
    c, s = cos(here[2] + bearing), sin(here[2] + bearing)
    x0, y0 = here[0], here[1]
    seen = [((x - x0) * c + (y - y0) * s, (y - y0) * c - (x - x0) * s) for x, y in corners]
    after = 0.0
    if (_may_meet(seen, edge, far) or not _out_of_reach(here, 0.0, shape)) and gap(now) <= GRAZE:
        if not _ceases(gap, now):
            return now
        after = MOMENT
    if observer.turn_rate:
        bend = observer.speed / observer.turn_rate
        h = first_met_on_circle(seen, edge, far, bend * sin(bearing), bend * cos(bearing), observer.turn_rate, after)
    else:
        h = first_met_on_line(seen, edge, far, observer.speed * cos(bearing), -observer.speed * sin(bearing), after)
    return now + h if now + h <= horizon else inf


def first_contact_shape(arc: Trajectory, radius: float, shape: Shape, now: float, horizon: float) -> float:
    """First time (s) from `now` on at which a disc touches an obstacle and goes deeper; infinite if not by `horizon`.

    A disc that touches or overlaps it already may part from it or glide along it, but not go deeper than it is now. One
    whose centre is inside it may go anywhere.

    Args:
        arc, radius: motion of the disc's centre, and its radius (m)
        shape: the obstacle
        now, horizon: times between which to look (s)
    """
    if not arc.fastest:
        return inf
    if type(shape) is Circle:
        return first_contact(arc, Arc(now, shape.x, shape.y, 0.0), radius + shape.radius, now, horizon)
    here = arc.pose(now)
    if _out_of_reach(here, radius + arc.fastest * (horizon - now), shape):
        return inf
    if not _out_of_reach(here, 0.0, shape) and shape.distance(here[0], here[1]) == 0.0:
        return inf
    corners = _corners(shape)
    if corners is None:
        close = min(radius, shape.distance(here[0], here[1]))
        return first_used_up(_gap_of_shape(arc, close, shape), arc.fastest, now, horizon)
    if type(arc) is Arc and narrow(arc):
        swept = _swept(arc, here, radius + BESIDE, horizon - now)
        sides = [each for each in _sides(corners) if _reaches_into(swept, *each)]
        first = now + min((_contact_with_side(arc, here, radius, *start, *end) for start, end in sides), default=inf)
        return first if first <= horizon else inf
    gaps = [_gap_of_side(arc, here, radius, *start, *end) for start, end in _sides(corners)]
    return min(first_used_up(gap, arc.fastest, now, horizon) for gap in gaps)


def _ceases(gap: Callable[[float], float], now: float) -> bool:
    """Whether a ray that meets an obstacle ceases to now."""
    return gap(now + MOMENT) > gap(now) + 1e-12


def _may_meet(corners: Sequence[Point], edge: float, far: float) -> bool:
    """False only if the ray meets no side between corners, which are in its frame: by a box round each side."""
    a0, b0 = corners[-1]
    for a1, b1 in corners:
        beside = (b0 > GRAZE and b1 > GRAZE) or (b0 < -GRAZE and b1 < -GRAZE)
        if not beside and max(a0, a1) > edge - GRAZE and min(a0, a1) < far + GRAZE:
            return True
        a0, b0 = a1, b1
    return False


def _out_of_reach(here: Pose, margin: float, shape: Shape) -> bool:
    low_x, low_y, high_x, high_y = shape.bounds()
    x, y, _ = here
    return x < low_x - margin or x > high_x + margin or y < low_y - margin or y > high_y + margin


def _corners(shape: Shape) -> tuple[Point, ...] | None:
    """The corners of a shape with straight sides, in order; None of any other shape."""
    if type(shape) is Polygon:
        return shape.corners
    if type(shape) is Segment:
        return (shape.ax, shape.ay), (shape.bx, shape.by)
    return None


def _sides(corners: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    """The sides between corners: of two corners, one; of more, all round."""
    for number in range(1 if len(corners) == 2 else 0, len(corners)):
        yield corners[number - 1], corners[number]


def _swept(arc: Arc, here: Pose, radius: float, lasts: float) -> Bounds:
    """A box that a disc does not leave for so long (s)."""
    x, y, heading = here
    way = arc.speed * lasts
    if arc.turn_rate:
        margin = radius + abs(way)
        return x - margin, y - margin, x + margin, y + margin
    end_x, end_y = x + way * cos(heading), y + way * sin(heading)
    return min(x, end_x) - radius, min(y, end_y) - radius, max(x, end_x) + radius, max(y, end_y) + radius


def _reaches_into(box: Bounds, start: Point, end: Point) -> bool:
    """False only if a side is outside a box."""
    low_x, low_y, high_x, high_y = box
    (ax, ay), (bx, by) = start, end
    return not (
        (ax < low_x and bx < low_x)
        or (ax > high_x and bx > high_x)
        or (ay < low_y and by < low_y)
        or (ay > high_y and by > high_y)
    )


def _contact_with_side(arc: Arc, here: Pose, radius: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """Time until contact (s)."""
    length = hypot(x1 - x0, y1 - y0)
    direction = atan2(y1 - y0, x1 - x0)
    a, b = in_frame((x0, y0, direction), 0.0, here[0], here[1])
    away = axis_distance(a, b, 0.0, length)
    close = min(radius, away)
    turned = here[2] - direction
    if not arc.turn_rate:
        sa, sb = arc.speed * cos(turned), arc.speed * sin(turned)
        return entry_on_line(line_in_capsule(a, b, sa, sb, 0.0, length, close))
    bend = arc.speed / arc.turn_rate
    ca, cb = a - bend * sin(turned), b + bend * cos(turned)
    angle = atan2(b - cb, a - ca)
    times = circle_in_capsule(ca, cb, abs(bend), angle, arc.turn_rate, 0.0, length, close)
    return entry_on_circle(times, away - close)


def _gap_of_side(
    arc: Trajectory, here: Pose, radius: float, x0: float, y0: float, x1: float, y1: float
) -> Callable[[float], float]:
    close = min(radius, point_to_segment(here[0], here[1], x0, y0, x1, y1))

    def gap(time: float) -> float:
        x, y, _ = arc.pose(time)
        return point_to_segment(x, y, x0, y0, x1, y1) - close

    return gap


def _gap_of_shape(arc: Trajectory, radius: float, shape: Shape) -> Callable[[float], float]:
    def gap(time: float) -> float:
        x, y, _ = arc.pose(time)
        return shape.distance(x, y) - radius

    return gap
