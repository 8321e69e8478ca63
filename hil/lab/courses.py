"""Courses: how a body moves over time when nothing is in its way, in closed form from where it began.

Wheels count what they did; the body goes where slip lets it. A course that was not disturbed ends exactly where its
command says, however often it was looked at on the way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import copysign, cos, hypot, inf, isinf, pi, remainder, sin, sqrt
from typing import NamedTuple

TURN = 2.0 * pi


class Pose(NamedTuple):
    """Where a body is (m, m, rad)."""

    x: float
    y: float
    heading: float


class Slip(NamedTuple):
    """How a body's way differs from what its wheels did: longer by a share, and turned, in rad/m."""

    stretch: float = 0.0
    swerve: float = 0.0


class Course(ABC):
    """A motion of one body, from its beginning on. Times are those of the lab (s)."""

    end: float
    """When it is over; infinite if it goes on until further notice."""

    @abstractmethod
    def advance(self, time: float) -> Pose:
        """Where the body is at a later time, if nothing is in its way."""

    @abstractmethod
    def block(self, share: float, pose: Pose) -> Pose | None:
        """The body has met something after this share of the last step's way, and is at this pose.

        Returns:
            the pose that it goes on from; None where that ends the course
        """

    @property
    @abstractmethod
    def speed(self) -> float:
        """Of the body now (m/s)."""

    @property
    @abstractmethod
    def turn_rate(self) -> float:
        """Of the body now (rad/s)."""


class Ramp:
    """A length covered from rest to rest, with a limit of speed and of acceleration."""

    def __init__(self, length: float, speed: float, acceleration: float) -> None:
        self.length = length
        self.acceleration = acceleration
        self.peak = speed if isinf(acceleration) else min(speed, sqrt(length * acceleration))
        self.rise = 0.0 if isinf(acceleration) else self.peak / acceleration
        self.duration = self._duration() if self.peak else 0.0  # a length may be too short for any speed

    def _duration(self) -> float:
        if not self.rise:
            return self.length / self.peak
        return 2.0 * self.rise + max(0.0, self.length - self.peak * self.rise) / self.peak

    def covered(self, time: float) -> float:
        """How much of the length is covered after a time."""
        if time >= self.duration:
            return self.length
        if time < self.rise:
            return 0.5 * self.acceleration * time * time
        left = self.duration - time
        if left < self.rise:
            return self.length - 0.5 * self.acceleration * left * left
        return self.peak * (time - 0.5 * self.rise)

    def speed(self, time: float) -> float:
        """How fast it is covered after a time."""
        if not 0.0 <= time < self.duration:
            return 0.0
        if not self.rise:
            return self.peak
        return min(self.peak, self.acceleration * min(time, self.duration - time))


class Manoeuvre(Course):
    """Rotate, then go straight on: a robot's own controller drives until its wheels have counted the command.

    Args:
        start: when it begins
        pose: where
        turn, distance: the command (rad, m)
        speed, turn_rate: how fast (m/s, rad/s)
        acceleration: of the wheels (m/s^2)
        axle: distance between them (m)
        slip: of this drive

    Attributes:
        turned, gone: what the wheels have counted so far (rad, m)
    """

    def __init__(
        self,
        start: float,
        pose: Pose,
        turn: float,
        distance: float,
        *,
        speed: float,
        turn_rate: float,
        acceleration: float,
        axle: float,
        slip: Slip,
    ) -> None:
        self.turned = 0.0
        self.gone = 0.0
        self._start, self._pose, self._slip = start, pose, slip
        self._turn, self._distance = turn, distance
        self._turning = Ramp(abs(turn), turn_rate, 2.0 * acceleration / axle)
        self._driving = Ramp(abs(distance), speed, acceleration)
        self.end = start + (self._turning.duration + self._driving.duration)
        self._now = start
        self._before = (0.0, 0.0)

    def advance(self, time: float) -> Pose:
        """Where the body is at a time."""
        self._now = time
        self._before = (self.turned, self.gone)
        if time >= self.end:
            self.turned, self.gone = self._turn, self._distance
        else:
            into = time - self._start
            self.turned = copysign(self._turning.covered(into), self._turn)
            self.gone = copysign(self._driving.covered(max(0.0, into - self._turning.duration)), self._distance)
        heading = remainder(self._pose.heading + self.turned, TURN)
        way = self.gone * (1.0 + self._slip.stretch)
        return arc(Pose(self._pose.x, self._pose.y, heading), way, self._slip.swerve * abs(way))

    def block(self, share: float, pose: Pose) -> None:
        """The wheels stall, and the controller gives up."""
        turned, gone = self._before
        self.turned = turned + share * (self.turned - turned)
        self.gone = gone + share * (self.gone - gone)

    @property
    def speed(self) -> float:
        """Of the body now."""
        into = self._now - self._start - self._turning.duration
        return copysign(self._driving.speed(into), self._distance) * (1.0 + self._slip.stretch)

    @property
    def turn_rate(self) -> float:
        """Of the body now."""
        turning = copysign(self._turning.speed(self._now - self._start), self._turn)
        return turning + self._slip.swerve * abs(self.speed)


class Wheel:
    """One wheel that takes up a speed as fast as it can; how far it has come is counted since the command."""

    def __init__(self, start: float, speed: float, target: float, acceleration: float) -> None:
        self._start, self._from, self._target = start, speed, target
        self._rise = 0.0 if isinf(acceleration) else abs(target - speed) / acceleration
        self._rate = copysign(acceleration, target - speed) if self._rise else 0.0
        self.settled = start + self._rise

    def travel(self, time: float) -> float:
        """How far it has come since the command (m)."""
        into = time - self._start
        rising = min(into, self._rise)
        return self._from * rising + 0.5 * self._rate * rising * rising + self._target * (into - rising)

    def speed(self, time: float) -> float:
        """How fast it turns (m/s)."""
        into = time - self._start
        return self._from + self._rate * into if into < self._rise else self._target


class WheelDrive(Course):
    """Two wheels that keep the speeds they were told, until they are told others.

    While they speed up, the body's way is put together of short arcs; from then on it is one arc.

    Args:
        start: when it begins
        pose: where
        travel: what the left and the right wheel have counted until then (m)
        speeds: with which they turn then (m/s)
        targets: the speeds to take up (m/s)
        acceleration: of the wheels (m/s^2)
        axle: distance between them (m)
        slip: of this drive

    Attributes:
        travel: what the wheels have counted
    """

    def __init__(
        self,
        start: float,
        pose: Pose,
        travel: tuple[float, float],
        *,
        speeds: tuple[float, float],
        targets: tuple[float, float],
        acceleration: float,
        axle: float,
        slip: Slip,
    ) -> None:
        self.travel = travel
        self.targets = targets
        self._acceleration, self._axle, self._slip = acceleration, axle, slip
        self._held: tuple[float, float] | None = None
        """Speeds of wheels that something holds."""
        self._begin(start, pose, speeds)

    def _begin(self, start: float, pose: Pose, speeds: tuple[float, float]) -> None:
        self._left, self._right = (
            Wheel(start, speed, target, self._acceleration) for speed, target in zip(speeds, self.targets, strict=True)
        )
        self._settled = max(self._left.settled, self._right.settled)
        self.end = self._settled if self.targets == (0.0, 0.0) else inf
        self._now = start
        self._counted = self._before = self.travel
        self._anchor, self._anchored, self._anchor_travel = start, pose, self.travel

    @property
    def speeds(self) -> tuple[float, float]:
        """Of the left and the right wheel now (m/s)."""
        return self._held or (self._left.speed(self._now), self._right.speed(self._now))

    def advance(self, time: float) -> Pose:
        """Where the body is at a time."""
        self._now = time
        self._held = None
        self._before = self.travel
        self.travel = (
            self._counted[0] + self._left.travel(time),
            self._counted[1] + self._right.travel(time),
        )
        left, right = self.travel[0] - self._anchor_travel[0], self.travel[1] - self._anchor_travel[1]
        way = 0.5 * (left + right) * (1.0 + self._slip.stretch)
        pose = arc(self._anchored, way, (right - left) / self._axle + self._slip.swerve * abs(way))
        if self._anchor < self._settled:
            self._anchor, self._anchored, self._anchor_travel = time, pose, self.travel
        return pose

    def block(self, share: float, pose: Pose) -> Pose | None:
        """What the wheels have in common stalls, and they try it again as long as they are told to turn.

        By what they differ, the body turns on the spot.
        """
        ends, half = self.targets == (0.0, 0.0), 0.5 * (self.speeds[1] - self.speeds[0])
        (left, right), (left_before, right_before) = self.travel, self._before
        turned = 0.0 if ends else 0.5 * (1.0 - share) * ((right - right_before) - (left - left_before))
        self.travel = (
            left_before + share * (left - left_before) - turned,
            right_before + share * (right - right_before) + turned,
        )
        pose = pose._replace(heading=remainder(pose.heading + 2.0 * turned / self._axle, TURN))
        self._held = (0.0, 0.0) if ends else (-half, half)
        self._begin(self._now, pose, self._held)
        return None if ends else pose

    @property
    def speed(self) -> float:
        """Of the body now."""
        return 0.5 * sum(self.speeds) * (1.0 + self._slip.stretch)

    @property
    def turn_rate(self) -> float:
        """Of the body now."""
        left, right = self.speeds
        return (right - left) / self._axle + self._slip.swerve * abs(self.speed)


STRAIGHT = 1e-100
"""Bend of a way (rad) below which it is straight: the product of the way and the bend's sine would lose its digits."""


def arc(pose: Pose, way: float, bend: float) -> Pose:
    """Where a body is after a way (m) on which its heading changed evenly by `bend` (rad)."""
    x, y, heading = pose
    if abs(bend) < STRAIGHT:
        return Pose(x + way * cos(heading), y + way * sin(heading), heading)
    half = 0.5 * bend
    chord = way * sin(half) / half
    direction = heading + half
    return Pose(x + chord * cos(direction), y + chord * sin(direction), remainder(heading + bend, TURN))


def between(start: Pose, end: Pose, share: float) -> Pose:
    """The pose after a share of a short step."""
    return Pose(
        start.x + share * (end.x - start.x),
        start.y + share * (end.y - start.y),
        remainder(start.heading + share * remainder(end.heading - start.heading, TURN), TURN),
    )


def distance(start: Pose, end: Pose) -> float:
    """From one pose to another (m)."""
    return hypot(end.x - start.x, end.y - start.y)
