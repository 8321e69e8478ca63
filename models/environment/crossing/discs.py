"""When two bodies come within a distance of each other, and when they are further apart: radio ranges, contacts."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, cos, hypot, inf, sin

from devs_robotics.models.environment.crossing.arcs import look_at_discs
from devs_robotics.models.environment.crossing.bracket import first_looked_up, first_used_up
from devs_robotics.models.environment.crossing.closed import (
    circle_in_disc,
    entry_on_circle,
    entry_on_line,
    exit_on_circle,
    exit_on_line,
    line_in_disc,
)
from devs_robotics.models.environment.crossing.rays import WIDEST, narrow
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Pose, Trajectory


def first_near(a: Trajectory, b: Trajectory, distance: float, now: float, horizon: float) -> float:
    """First time (s) from `now` on at which two centres are within `distance` (m); infinite if not by `horizon`.

    It is `now` if they are near already, but not if they just part now.
    """
    return _first(True, a, b, distance, now, horizon)


def first_apart(a: Trajectory, b: Trajectory, distance: float, now: float, horizon: float) -> float:
    """First time (s) from `now` on at which two centres are further apart than `distance` (m).

    Infinite if not by `horizon`; `now` if they are apart already, but not if they just come near now.
    """
    return _first(False, a, b, distance, now, horizon)


def first_contact(a: Trajectory, b: Trajectory, distance: float, now: float, horizon: float) -> float:
    """First time (s) from `now` on at which two discs touch and go deeper; infinite if not by `horizon`.

    Discs that touch or overlap already may part or glide, but not go deeper than they are now.

    Args:
        a, b: motions of their centres
        distance: of their centres when they touch: the sum of their radii (m)
        now, horizon: times between which to look (s)
    """
    here, there = a.pose(now), b.pose(now)
    return _first(True, a, b, min(distance, hypot(there[0] - here[0], there[1] - here[1])), now, horizon)


def _first(entry: bool, a: Trajectory, b: Trajectory, distance: float, now: float, horizon: float) -> float:
    """The first time within the distance (`entry`) or beyond it."""
    here, there = a.pose(now), b.pose(now)
    dx, dy = there[0] - here[0], there[1] - here[1]
    gap = hypot(dx, dy) - distance
    speed = a.fastest + b.fastest
    if abs(gap) > speed * (horizon - now):  # too far, or too deep, to change
        return now if (gap < 0.0) is entry else inf
    if type(a) is Arc and type(b) is Arc:
        h = _closed(entry, a, b, here, there, dx, dy, distance, gap)
        if h >= 0.0:
            return now + h if now + h <= horizon else inf
        if narrow(a) and narrow(b):
            return first_looked_up(look_at_discs(entry, a, b, distance), now, horizon)
    return first_used_up(gap_of_discs(a, b, distance, 1.0 if entry else -1.0), speed, now, horizon)


def gap_of_discs(a: Trajectory, b: Trajectory, distance: float, sign: float = 1.0) -> Callable[[float], float]:
    """By how much two centres are further apart than a distance, as a function of time (m); `sign` -1: the reverse."""

    def gap(time: float) -> float:
        here, there = a.pose(time), b.pose(time)
        return sign * (hypot(there[0] - here[0], there[1] - here[1]) - distance)

    return gap


def _closed(
    entry: bool, a: Arc, b: Arc, here: Pose, there: Pose, dx: float, dy: float, distance: float, gap: float
) -> float:
    """Time until then (s), negative without a closed form: seen from `a`, the path of `b` is no line and no circle."""
    a_rate = a.turn_rate if a.speed else 0.0
    b_rate = b.turn_rate if b.speed else 0.0
    if not a_rate and not b_rate:
        sx = b.speed * cos(there[2]) - a.speed * cos(here[2])
        sy = b.speed * sin(there[2]) - a.speed * sin(here[2])
        times = line_in_disc(dx, dy, sx, sy, distance)
        return entry_on_line(times) if entry else exit_on_line(times)
    rate = a_rate or b_rate
    if (a.speed and a_rate != rate) or (b.speed and b_rate != rate):
        return -1.0
    if max(abs(a.speed), abs(b.speed)) > WIDEST * abs(rate):
        return -1.0
    # both turn alike, or one is at rest: seen from `a`, `b` goes round a centre that does not move
    gx = (b.speed * sin(there[2]) - a.speed * sin(here[2])) / rate
    gy = (a.speed * cos(here[2]) - b.speed * cos(there[2])) / rate
    times = circle_in_disc(dx - gx, dy - gy, hypot(gx, gy), atan2(gy, gx), rate, distance)
    return entry_on_circle(times, gap) if entry else exit_on_circle(times, gap)
