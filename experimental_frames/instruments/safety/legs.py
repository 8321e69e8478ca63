"""What a body did, leg by leg: on each leg it follows one motion in closed form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, sin

from msgspec import Struct

from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.glide_path import GlidePath
from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.models.environment.motion.trajectory import Trajectory

Record = tuple[float, Trajectory | None, bool]
"""From which time on (s) a body moves how, and whether it is carried; without a motion it has left."""

ELSEWHERE = 1e-9
"""A body that is further away than that from where it should be (m) has been moved as a whole."""

UNKNOWN_CHANGE = 20.0
"""Bound of the acceleration of motions that do not tell it (m/s^2)."""

STEP = 1e-6
"""By which the velocity of such motions is found (s)."""


class BodyLeg(Struct, frozen=True):
    """A part of a body's way.

    Attributes:
        start, end: from when to when (s)
        x, y: where it begins (m)
        vx, vy: velocity (m/s); of a bent leg at its beginning
        bent: the motion, where the velocity is not constant; else None
        fastest: bound of its speed (m/s)
        change: bound of the change of its velocity (m/s^2)
        carried: whether the body touches nothing meanwhile
    """

    start: float
    end: float
    x: float
    y: float
    vx: float = 0.0
    vy: float = 0.0
    bent: Trajectory | None = None
    fastest: float = 0.0
    change: float = 0.0
    carried: bool = False

    def place(self, time: float) -> tuple[float, float]:
        """Where the body is at a time (m)."""
        if self.bent is not None:
            x, y, _ = self.bent.pose(time)
            return x, y
        since = time - self.start
        return self.x + self.vx * since, self.y + self.vy * since

    def velocity(self, time: float) -> tuple[float, float]:
        """Its velocity at a time (m/s)."""
        motion = self.bent
        if motion is None:
            return self.vx, self.vy
        if isinstance(motion, Arc):
            return motion.velocity(time)
        if isinstance(motion, GlidePath | Profile):
            line = motion.line if isinstance(motion, GlidePath) else motion
            speed = line.speed_at(time)
            return speed * cos(line.heading), speed * sin(line.heading)
        before, after = max(self.start, time - STEP), min(self.end, time + STEP)
        if after <= before:
            return 0.0, 0.0
        (x0, y0, _), (x1, y1, _) = motion.pose(before), motion.pose(after)
        return (x1 - x0) / (after - before), (y1 - y0) / (after - before)


def legs_of(records: Sequence[Record], speed: float | None, end: float) -> list[BodyLeg]:
    """The legs of a body up to a time.

    A body at rest that is elsewhere all at once was driven there as a whole by a motor that the environment times, at
    the motor's speed and straight: it was on its way just before.

    Args:
        records: how it moved, from when it was there
        speed: of its motor (m/s); None: it has none
        end: of the last leg (s)
    """
    legs: list[BodyLeg] = []
    for number, (start, motion, carried) in enumerate(records):
        if motion is None:
            break
        following = records[number + 1] if number + 1 < len(records) else None
        until = end if following is None else following[0]
        if until < start:
            break
        way = None
        if following is not None and speed is not None and not carried:
            way = _driven(motion, following, start, speed)
        if way is None:
            legs += _legs(motion, start, until, carried=carried)
        else:
            if way.start > start:
                legs += _legs(motion, start, way.start, carried=carried)
            legs.append(way)
    return legs


def _driven(motion: Trajectory, following: Record, start: float, speed: float) -> BodyLeg | None:
    """The way on which a body was driven as a whole, before a record; None if it was not."""
    time, after, carried = following
    if after is None or carried or not _rests(motion) or not _rests(after):
        return None
    (x0, y0, _), (x1, y1, _) = motion.pose(time), after.pose(time)
    length = hypot(x1 - x0, y1 - y0)
    if length <= ELSEWHERE or time <= start:
        return None
    begin = max(start, time - length / speed)
    lasts = time - begin
    return BodyLeg(begin, time, x0, y0, (x1 - x0) / lasts, (y1 - y0) / lasts, fastest=length / lasts)


def _rests(motion: Trajectory) -> bool:
    return isinstance(motion, Arc) and motion.speed == 0.0


def _legs(motion: Trajectory, start: float, end: float, *, carried: bool) -> Iterator[BodyLeg]:
    """A motion between two times; after its own end the body rests."""
    if isinstance(motion, Arc):
        x, y, heading = motion.pose(start)
        if motion.speed == 0.0 or motion.turn_rate == 0.0:
            vx, vy = motion.speed * cos(heading), motion.speed * sin(heading)
            yield BodyLeg(start, end, x, y, vx, vy, fastest=abs(motion.speed), carried=carried)
        else:
            change = abs(motion.speed * motion.turn_rate)
            yield BodyLeg(start, end, x, y, *motion.velocity(start), motion, abs(motion.speed), change, carried)
        return
    over = min(end, max(start, motion.end))
    if over > start:
        x, y, _ = motion.pose(start)
        yield BodyLeg(start, over, x, y, 0.0, 0.0, motion, motion.fastest, _change(motion), carried)
    if over < end:
        x, y, _ = motion.pose(over)
        yield BodyLeg(over, end, x, y, carried=carried)


def _change(motion: Trajectory) -> float:
    """Bound of the acceleration of a motion (m/s^2)."""
    if not isinstance(motion, GlidePath | Profile):
        return UNKNOWN_CHANGE
    line = motion.line if isinstance(motion, GlidePath) else motion
    acceleration = line.acceleration
    largest = abs(acceleration)
    for duration, jerk in line.pieces:
        acceleration += duration * jerk
        largest = max(largest, abs(acceleration))
    return largest
