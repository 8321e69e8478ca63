"""When a ray first meets the walls of the field, and when a disc first touches them.

The field is the rectangle from (0, 0) to (width, height). A ray meets a straight wall exactly when its tip is beyond
it; a disc touches it when its centre is nearer to it than its radius. Either way a point leaves a rectangle.
"""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, hypot, inf, pi, sin

from devs_robotics.models.environment.crossing.bracket import first_used_up
from devs_robotics.models.environment.crossing.closed import (
    circle_in_half_plane,
    entry_on_circle,
    entry_on_line,
    line_in_half_plane,
)
from devs_robotics.models.environment.crossing.rays import narrow
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory
from devs_robotics.models.environment.shapes import Point

Walls = tuple[float, float, float, float]
"""Four numbers (m), of the walls at x = 0, y = 0, x = width and y = height: where they are, or how far they are."""

OUTWARD = (pi, -pi / 2.0, 0.0, pi / 2.0)
"""Direction in which each wall is crossed (rad)."""


def first_seen_walls(
    observer: Trajectory,
    bearing: float,
    edge: float,
    reach: float,
    width: float,
    height: float,
    now: float,
    horizon: float,
) -> float:
    """First time (s) from `now` on at which a ray meets a wall of the field; infinite if not by `horizon`.

    It is `now` if it meets one already, but not if it just ceases to. The ray is as in `first_seen`.
    """
    far = edge + reach
    here = observer.pose(now)
    if _clear(here, far + observer.fastest * (horizon - now), width, height):
        return inf
    tip_x, tip_y = far * cos(here[2] + bearing), far * sin(here[2] + bearing)
    x, y = here[0] + tip_x, here[1] + tip_y
    margins = x, y, width - x, height - y
    if type(observer) is Arc:
        if not observer.turn_rate:
            return _leaving_on_line(margins, observer, now, horizon)
        if narrow(observer):
            bend = observer.speed / observer.turn_rate
            gx, gy = tip_x + bend * sin(here[2]), tip_y - bend * cos(here[2])
            return _leaving_on_circle(margins, gx, gy, observer.turn_rate, now, horizon)

    def tip(time: float) -> Point:
        x, y, heading = observer.pose(time)
        return x + far * cos(heading + bearing), y + far * sin(heading + bearing)

    fastest = observer.fastest + far * observer.fastest_turn
    return _leaving(tip, fastest, (0.0, 0.0, width, height), now, horizon)


def first_contact_walls(
    arc: Trajectory, radius: float, width: float, height: float, now: float, horizon: float
) -> float:
    """First time (s) from `now` on at which a disc touches a wall of the field and goes deeper.

    Infinite if not by `horizon`. A disc that touches a wall or is in it already may leave it or glide along it, but not
    go deeper than it is now.

    Args:
        arc, radius: motion of the disc's centre, and its radius (m)
        width, height: of the field (m)
        now, horizon: times between which to look (s)
    """
    here = arc.pose(now)
    if not arc.fastest or _clear(here, radius + arc.fastest * (horizon - now), width, height):
        return inf
    x, y, heading = here
    low_x, low_y = min(radius, x), min(radius, y)
    high_x, high_y = max(width - radius, x), max(height - radius, y)
    margins = x - low_x, y - low_y, high_x - x, high_y - y
    if type(arc) is Arc:
        if not arc.turn_rate:
            return _leaving_on_line(margins, arc, now, horizon)
        if narrow(arc):
            bend = arc.speed / arc.turn_rate
            return _leaving_on_circle(margins, bend * sin(heading), -bend * cos(heading), arc.turn_rate, now, horizon)

    def centre(time: float) -> Point:
        return arc.pose(time)[:2]

    return _leaving(centre, arc.fastest, (low_x, low_y, high_x, high_y), now, horizon)


def _clear(here: Pose, margin: float, width: float, height: float) -> bool:
    x, y, _ = here
    return margin < x < width - margin and margin < y < height - margin


def _leaving(place: Callable[[float], Point], fastest: float, bounds: Walls, now: float, horizon: float) -> float:
    """First time at which a point is outside; wall by wall, since gliding along one must not hide another."""
    low_x, low_y, high_x, high_y = bounds
    rooms: tuple[Callable[[float], float], ...] = (
        lambda time: place(time)[0] - low_x,
        lambda time: place(time)[1] - low_y,
        lambda time: high_x - place(time)[0],
        lambda time: high_y - place(time)[1],
    )
    return min(first_used_up(room, fastest, now, horizon) for room in rooms)


def _leaving_on_line(margins: Walls, arc: Arc, now: float, horizon: float) -> float:
    sx, sy = arc.speed * cos(arc.heading), arc.speed * sin(arc.heading)
    first = inf
    for margin, climb in zip(margins, (-sx, -sy, sx, sy), strict=True):
        h = entry_on_line(line_in_half_plane(margin, climb))
        first = h if h < first else first
    return now + first if now + first <= horizon else inf


def _leaving_on_circle(margins: Walls, gx: float, gy: float, rate: float, now: float, horizon: float) -> float:
    """The point goes round at `rate` (rad/s), at present (gx, gy) from the centre."""
    g, angle = hypot(gx, gy), atan2(gy, gx)
    first = inf
    for margin, climbed, outward in zip(margins, (-gx, -gy, gx, gy), OUTWARD, strict=True):
        h = entry_on_circle(circle_in_half_plane(margin + climbed, g, angle - outward, rate), margin)
        first = h if h < first else first
    return now + first if now + first <= horizon else inf
