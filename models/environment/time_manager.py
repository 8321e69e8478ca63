"""TimeManager: how long a robot's motion takes (Hu & Zeigler, Fig. 7)."""

from __future__ import annotations

from math import ceil

from msgspec import Struct

from devs_robotics import Atomic, In, Out
from devs_robotics.models.environment.messages import Motion

TICKS_PER_SECOND = 2**20
"""Number of ticks per second.

Durations are whole ticks, so that sums of times are exact and motions of equal length end at the same instant.
"""


class Pace(Struct, frozen=True):
    """How fast virtual motors move.

    Attributes:
        speed: of driving (m/s)
        turn_rate: of rotating (rad/s)
    """

    speed: float
    turn_rate: float

    def duration(self, turn: float, distance: float) -> float:
        """How long a motion takes (s), rounded up to whole ticks."""
        seconds = abs(turn) / self.turn_rate + abs(distance) / self.speed
        return ceil(seconds * TICKS_PER_SECOND) / TICKS_PER_SECOND


class TimeManager(Atomic):
    """Delays each motion of one robot by the time it takes; one motion is atomic.

    A motion that comes while another is under way takes its place, and the one under way ends where it has got to.

    =========  ======================  ===================================  =====================================
    phase      time advance            output                               next phase
    =========  ======================  ===================================  =====================================
    passive    ∞                                                            moving, on a command
    moving     duration of the motion  motion: the whole motion             passive; cut short, on a new command
    cut short  0                       motion: the part that was made       moving, with the new command
    =========  ======================  ===================================  =====================================

    Ports:
        command: a motion that begins now
        motion: a motion, or a part of one, that has ended

    Args:
        speed: of driving (m/s)
        turn_rate: of rotating (rad/s)
    """

    command = In(Motion)
    motion = Out(Motion)

    def __init__(self, name: str, speed: float, turn_rate: float) -> None:
        super().__init__(name)
        self.pace = Pace(speed, turn_rate)
        self._under_way: Motion | None = None
        self._elapsed = 0.0
        self._ended: list[Motion] = []

    @property
    def under_way(self) -> Motion | None:
        """The motion that has begun last and has not ended."""
        return self._under_way

    def duration(self, motion: Motion) -> float:
        """How long a motion takes (s), rounded up to whole ticks."""
        return self.pace.duration(motion.turn, motion.distance)

    def deltext(self, e: float) -> None:
        """A new motion begins; what was under way is cut short."""
        self._elapsed += e
        for motion in self.command.values:
            if self._under_way is not None:
                self._ended.append(self._part_done(self._under_way))
            self._under_way = motion
            self._elapsed = 0.0
        if self._ended:
            self.activate("cut short")
        elif self._under_way is not None:
            self.hold_in("moving", self.duration(self._under_way))

    def lambdaf(self) -> None:
        """Hand over the motions that have ended."""
        for motion in self._ended:
            self.motion.add(motion)
        if self.phase == "moving" and self._under_way is not None:
            self.motion.add(self._under_way)

    def deltint(self) -> None:
        """Wait for the next motion, or go on with the one that cut another short."""
        self._ended.clear()
        if self.phase == "moving" or self._under_way is None:
            self._under_way = None
            self.passivate()
        else:
            self.hold_in("moving", self.duration(self._under_way))

    def _part_done(self, motion: Motion) -> Motion:
        """How far a motion has got by now."""
        turning = abs(motion.turn) / self.pace.turn_rate
        driving = abs(motion.distance) / self.pace.speed
        turned = 1.0 if self._elapsed >= turning else self._elapsed / turning
        driven = min(1.0, max(0.0, self._elapsed - turning) / driving) if driving else 1.0
        return Motion(motion.robot, motion.turn * turned, motion.distance * driven)
