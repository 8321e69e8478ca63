"""When the ray of an observer begins and ceases to see a round body."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, hypot, inf, sin

from devs_robotics.models.environment.crossing.arcs import look_at_ray
from devs_robotics.models.environment.crossing.bracket import first_looked_up, turning_step
from devs_robotics.models.environment.crossing.capsule import axis_distance, in_frame
from devs_robotics.models.environment.crossing.closed import (
    circle_in_capsule,
    entry_on_circle,
    entry_on_line,
    exit_on_circle,
    exit_on_line,
    line_in_capsule,
)
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Trajectory

WIDEST = 1e2
"""Radius of an arc (m) above which closed forms about its centre lose digits."""


def first_seen(
    observer: Trajectory,
    bearing: float,
    edge: float,
    reach: float,
    target: Trajectory,
    radius: float,
    now: float,
    horizon: float,
) -> float:
    """First time (s) from `now` on at which a ray sees a disc; infinite if not by `horizon`.

    It is `now` if it is seen already, but not if it just ceases to be seen now.

    Args:
        observer: motion of the body that the ray belongs to
        bearing: of the ray, from the body's heading (rad)
        edge: where the ray begins, from the body's centre (m)
        reach: length of the ray (m)
        target, radius: motion of the disc's centre, and the disc's radius (m)
        now, horizon: times between which to look (s)
    """
    return _first(True, observer, bearing, edge, edge + reach, target, radius, now, horizon)


def first_unseen(
    observer: Trajectory,
    bearing: float,
    edge: float,
    reach: float,
    target: Trajectory,
    radius: float,
    now: float,
    horizon: float,
) -> float:
    """First time (s) from `now` on at which a ray ceases to see a disc; infinite if not by `horizon`.

    It is `now` if it is not seen, but not if it just begins to be seen now. Arguments as of `first_seen`.
    """
    return _first(False, observer, bearing, edge, edge + reach, target, radius, now, horizon)


def _first(
    entry: bool,
    observer: Trajectory,
    bearing: float,
    edge: float,
    far: float,
    target: Trajectory,
    radius: float,
    now: float,
    horizon: float,
) -> float:
    """The first time in the capsule (`entry`) or outside it."""
    here = observer.pose(now)
    there = target.pose(now)
    speed = observer.fastest + target.fastest
    if hypot(there[0] - here[0], there[1] - here[1]) > far + radius + speed * (horizon - now):
        return inf if entry else now
    if type(observer) is Arc and type(target) is Arc:
        a, b = in_frame(here, bearing, there[0], there[1])
        h = -1.0
        if not observer.turn_rate:
            if not target.turn_rate or not target.speed:
                h = _along_line(entry, a, b, observer, target, here[2] + bearing, there[2], edge, far, radius)
            elif not observer.speed and narrow(target):
                h = _target_on_arc(entry, a, b, target, there[2] - here[2] - bearing, edge, far, radius)
        elif not target.speed and narrow(observer):
            h = _observer_on_arc(entry, a, b, observer, bearing, edge, far, radius)
        if h >= 0.0:
            return now + h if now + h <= horizon else inf
        if narrow(observer) and narrow(target):
            look = look_at_ray(entry, observer, bearing, edge, far, target, radius)
            return first_looked_up(look, now, horizon)
    left = gap_of_ray(observer, bearing, edge, far, target, radius, 1.0 if entry else -1.0)
    turn = observer.fastest_turn

    def look_at_any(time: float) -> tuple[float, float]:
        value = left(time)
        return value, turning_step(value, speed, turn, far + radius) if value > 0.0 else 0.0

    return first_looked_up(look_at_any, now, horizon)


def narrow(arc: Arc) -> bool:
    """Whether an arc is straight, or its radius such that closed forms about its centre keep their digits."""
    return not arc.turn_rate or abs(arc.speed) <= WIDEST * abs(arc.turn_rate)


def gap_of_ray(
    observer: Trajectory, bearing: float, edge: float, far: float, target: Trajectory, radius: float, sign: float = 1.0
) -> Callable[[float], float]:
    """How far a disc is from being seen, by time (m): negative where it is seen; `sign` -1: the reverse."""

    def gap(time: float) -> float:
        there = target.pose(time)
        a, b = in_frame(observer.pose(time), bearing, there[0], there[1])
        return sign * (axis_distance(a, b, edge, far) - radius)

    return gap


def _along_line(
    entry: bool,
    a: float,
    b: float,
    observer: Arc,
    target: Arc,
    direction: float,
    target_heading: float,
    edge: float,
    far: float,
    radius: float,
) -> float:
    """Time until then (s), of a target that moves on a line in the ray's frame."""
    sa = sb = 0.0
    if target.speed:
        turned = target_heading - direction
        sa, sb = target.speed * cos(turned), target.speed * sin(turned)
    if observer.speed:
        turned = observer.heading - direction
        sa -= observer.speed * cos(turned)
        sb -= observer.speed * sin(turned)
    times = line_in_capsule(a, b, sa, sb, edge, far, radius)
    return entry_on_line(times) if entry else exit_on_line(times)


def _observer_on_arc(
    entry: bool, a: float, b: float, observer: Arc, bearing: float, edge: float, far: float, radius: float
) -> float:
    """Time until then (s), of a target at rest: in the ray's frame it goes round the observer's centre of rotation."""
    bend = observer.speed / observer.turn_rate
    return _along_circle(entry, a, b, bend * sin(bearing), bend * cos(bearing), -observer.turn_rate, edge, far, radius)


def _target_on_arc(
    entry: bool, a: float, b: float, target: Arc, turned: float, edge: float, far: float, radius: float
) -> float:
    """Time until then (s), of a target that goes round while the observer rests."""
    bend = target.speed / target.turn_rate
    return _along_circle(
        entry, a, b, a - bend * sin(turned), b + bend * cos(turned), target.turn_rate, edge, far, radius
    )


def _along_circle(
    entry: bool, a: float, b: float, ca: float, cb: float, rate: float, edge: float, far: float, radius: float
) -> float:
    """Time until then (s), of a point at (a, b) that goes round (ca, cb) at `rate` in the ray's frame."""
    g, angle = hypot(a - ca, b - cb), atan2(b - cb, a - ca)
    times = circle_in_capsule(ca, cb, g, angle, rate, edge, far, radius)
    gap = axis_distance(a, b, edge, far) - radius
    return entry_on_circle(times, gap) if entry else exit_on_circle(times, gap)
