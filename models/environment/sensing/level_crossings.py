"""When a beam's distance first crosses a level, to the instant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import acos, atan2, cos, hypot, inf, pi, sin, tau

from devs_robotics.models.environment.crossing import first_seen, first_seen_shape, first_unseen
from devs_robotics.models.environment.crossing.bracket import first_used_up
from devs_robotics.models.environment.crossing.capsule import in_capsule, in_frame
from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Trajectory

SOON = 1e-6
"""After what time a level is looked at again that is crossed right now (s)."""

AHEAD = 10.0
"""Time for which levels are predicted where something is on no arc (s); then they are looked at again."""

OBSTACLE = 0.005
"""How often a level is looked at that a beam has crossed towards an obstacle, while the robot moves (s)."""


def next_crossing(
    field: Field, body: int, bearings: Sequence[float], levels: Sequence[float], near: Sequence[int], until: float
) -> float:
    """The first time (s) at which a beam's distance may cross one of the levels; infinite if not by `until`.

    A time at which another thing hides the crossing is one too early: whoever looks finds no change.

    Args:
        field: of the bodies
        body: that the beams belong to
        bearings: of the beams (rad)
        levels: distances from the edge of the body (m)
        near: bodies that may come within reach by then
        until: time after which nobody wants to know (s)
    """
    now, arc = field.now, field.bodies.trajectory(body)
    edge = field.radius[body]
    others = [(field.bodies.trajectory(other), field.radius[other]) for other in near]
    first = _until(arc, [other for other, _ in others], now, until)
    moves = bool(arc.fastest or arc.fastest_turn)
    x, y, heading = arc.pose(now)
    shapes = field.obstacles_near(x, y, edge + max(levels) + arc.fastest * (min(until, now + 10.0) - now))
    for bearing in bearings:
        for level in levels:
            for other, radius in others:
                if not moves and not other.fastest and not other.fastest_turn:
                    continue
                there = other.pose(now)
                a, b = in_frame((x, y, heading), bearing, there[0], there[1])
                seen = in_capsule(a, b, edge, edge + level, radius)
                when = first_unseen if seen else first_seen
                time = when(arc, bearing, edge, level, other, radius, now, first)
                first = min(first, max(time, now + SOON))
            if not moves:
                continue
            if field.walled:
                for time in _at_walls(arc, bearing, edge + level, field.width, field.height, now, first):
                    if time > now:
                        first = min(first, time)
            for shape in shapes:
                direction = heading + bearing
                hit = shape.hit(x, y, cos(direction), sin(direction), 0.0)
                if hit <= edge + level:
                    first = min(first, now + OBSTACLE)
                else:
                    time = first_seen_shape(arc, bearing, edge, level, shape, now, first)
                    first = min(first, max(time, now + SOON))
    return first if first < until else inf


def _until(arc: Trajectory, others: Sequence[Trajectory], now: float, until: float) -> float:
    """Up to when levels are predicted (s): on arcs as long as it is wanted, but for who may turn without end."""
    if not all(isinstance(each, Arc) for each in (arc, *others)):
        return min(until, now + AHEAD)
    turns = any(each.fastest_turn for each in (arc, *others))
    return now + AHEAD if turns and until == inf else until


def _at_walls(
    arc: Trajectory, bearing: float, far: float, width: float, height: float, now: float, until: float
) -> Iterator[float]:
    """The next times at which the tip of a beam crosses the line of a wall (s), either way."""
    x, y, heading = arc.pose(now)
    tip_x, tip_y = x + far * cos(heading + bearing), y + far * sin(heading + bearing)
    lines = ((tip_x, 0.0, 0.0), (tip_x, width, 0.0), (tip_y, 0.0, pi / 2.0), (tip_y, height, pi / 2.0))
    if not isinstance(arc, Arc):
        for at, line, axis in lines:
            left = _left_to(arc, bearing, far, line, axis, 1.0 if at < line else -1.0)
            yield first_used_up(left, arc.fastest + far * arc.fastest_turn, now + SOON, max(until, now + SOON))
        return
    if not arc.turn_rate:
        for at, line, axis in lines:
            speed = arc.speed * cos(heading - axis)
            if speed:
                yield now + (line - at) / speed
        return
    radius = arc.speed / arc.turn_rate
    centre_x, centre_y = x - radius * sin(heading), y + radius * cos(heading)
    arm, angle = hypot(tip_x - centre_x, tip_y - centre_y), atan2(tip_y - centre_y, tip_x - centre_x)
    for _, line, axis in lines:
        away = line - (centre_x if axis == 0.0 else centre_y)
        if arm > 0.0 and abs(away) <= arm:
            for side in (acos(away / arm), -acos(away / arm)):
                turn = (axis + side - angle) / arc.turn_rate
                period = tau / abs(arc.turn_rate)
                wait = turn % period
                yield now + (wait if wait > SOON / 2.0 else wait + period)


def _left_to(
    trajectory: Trajectory, bearing: float, far: float, line: float, axis: float, side: float
) -> Callable[[float], float]:
    """How far the tip of a beam is from the line of a wall, by time (m); 0 or less once it has crossed it."""

    def left(time: float) -> float:
        x, y, heading = trajectory.pose(time)
        tip = x + far * cos(heading + bearing) if axis == 0.0 else y + far * sin(heading + bearing)
        return side * (line - tip)

    return left
