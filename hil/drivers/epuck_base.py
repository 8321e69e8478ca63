"""What all drivers of e-pucks have in common, whichever protocol they speak."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from math import degrees, inf

from msgspec import Struct

from devs_robotics import DevsRoboticsError, Drive
from hil.drivers import proximity
from hil.drivers.driver import Driver
from hil.drivers.question import TRIES
from hil.drivers.settings import DriverSettings
from hil.drivers.step_control import FASTEST, StepControl

FRONT = (0, 7, 1, 6)
"""Proximity sensors that are the whiskers."""

LETS_GO = 1.2
"""Whiskers that touch let go at so many times their reach."""

AHEAD_REACH = 2.0
"""What the time of flight sensor sees further away is nothing (m)."""

JUMP = 200
"""Counters that have come so much further than wheels can turn meanwhile (steps) have jumped."""

_STOP = "stop the wheels"


class Reading(Struct, frozen=True):
    """What an e-puck says of itself.

    Attributes:
        left, right: step counters, 16 bits with a sign
        proximity: readings of P0 to P7
        ahead: time of flight (m from the sensor's face); None if it has no such sensor
    """

    left: int
    right: int
    proximity: tuple[int, ...]
    ahead: float | None


class Epuck(Driver):
    """An e-puck: wheels that are set to speeds, and step counters that are read again and again.

    An e-puck has no watchdog: it keeps the speed that it was told last, for ever. It is told to stop when a run starts
    and ends, and when a lost link is back; while the link is lost, nobody can stop it but a hand.

    Its one beam looks straight ahead: the time of flight sensor where there is one, otherwise the front proximity
    sensors, which see no further than some centimetres. Its whiskers are its front proximity sensors.

    Attributes:
        waiting: whether it was asked for a reading that has not come

    Raises:
        DevsRoboticsError: other beams are wanted
    """

    period = 0.05

    streams: bool = False
    """Whether it sends readings without being asked for each one."""

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address, settings)
        if settings.beams not in ((0.0,), ()):
            raise DevsRoboticsError(
                f"robot {robot} is an e-puck, which has one beam, straight ahead; {len(settings.beams)} beams at "
                f"{_degrees(settings.beams)} are wanted: let its infrared be virtual, or use another robot"
            )
        self._control = StepControl(settings.speed, settings.turn_rate)
        self._speeds = (0, 0)
        """That it was told last."""
        self._last: Reading | None = None
        self._read_at = 0.0
        self._jumps = 0
        self._asked_at = 0.0
        """When it was asked for the reading that comes next, or sent the one before if it does so by itself."""
        self.waiting = False
        self._sense_since = self._feel_since = 0.0

    # what a protocol must say

    @abstractmethod
    def set_wheels(self, left: int, right: int) -> None:
        """Send speeds (steps/s)."""

    @abstractmethod
    def poll(self) -> None:
        """Ask for a reading."""

    @abstractmethod
    def readings(self, data: bytes) -> Iterator[Reading]:
        """Those that these bytes complete, one after the other; a stream may be in any pieces."""

    @abstractmethod
    def start_listening(self) -> None:
        """Forget the beginning of what was being heard: the link is a new one."""

    def may_poll(self) -> bool:
        """Whether it makes sense to ask now."""
        return True

    # hooks

    def duration(self, drive: Drive) -> float:
        """Of the wheels' own motion, with corrections."""
        return self._control.duration(drive)

    def connected(self) -> None:
        """Stop, and wait until it stands still."""
        self.waiting = False
        self._asked_at = self.time
        self.start_listening()
        self._stop()

    def tick(self) -> None:
        """Read it."""
        if self.ready and self.time - self._read_at > (TRIES - 1) * self.settings.answer_within:
            self._stop()
            self.lost("it does not answer")
        if not self.ready:  # it may not have heard that it is to stop
            self._set_wheels(0, 0)
        self._poll()

    def begin(self, drive: Drive) -> None:
        """Set the wheels going."""
        self._control.begin(drive, self.time)
        self._steer()

    def halt(self) -> None:
        """Stop, and see where it comes to rest."""
        self._stop()

    def reminded(self, what: str) -> None:
        """A leg of a move should be over."""
        self._control.stop()
        self._steer()

    def sense(self) -> None:
        """Take the next reading."""
        if self.ranging_question.tries == 1:
            self._sense_since = self.time
        self._poll()

    def feel(self) -> None:
        """Take the next reading."""
        if self.touch_question.tries == 1:
            self._feel_since = self.time
        self._poll()

    def heard(self, data: bytes) -> None:
        """Take what it says of itself."""
        for reading in self.readings(data):
            if not self.failed:
                self._take(reading)

    # readings

    def _take(self, reading: Reading) -> None:
        asked_at, self._asked_at, self.waiting = self._asked_at, self.time, False
        if not self._count(reading):
            return
        if not self.ready:
            if self._control.at_rest(self.time):
                self.found()
            return
        self._steer()
        near = self._is_near(reading)
        if asked_at >= self._feel_since or not self.touch_question.tries:
            self.felt(near)
        if self.ranging_question.tries and asked_at >= self._sense_since:
            self.ranged([self._ahead(reading)] * len(self.settings.beams))

    def _count(self, reading: Reading) -> bool:
        """Take the step counters in; returns whether they can be right."""
        last, self._last = self._last, reading
        if last is None:
            self._control.count(0, 0, self.time)
            self._read_at = self.time
            return True
        steps = _wrapped(reading.left - last.left), _wrapped(reading.right - last.right)
        possible = JUMP + 2 * FASTEST * (self.time - self._read_at + self.unseen)
        zeroed = not self.ready and (reading.left, reading.right) == (0, 0) != (last.left, last.right)
        if zeroed or max(map(abs, steps)) > possible:
            return self._jumped(last)
        self._jumps = 0
        self._read_at = self.time
        self._control.count(*steps, self.time)
        return True

    def _jumped(self, last: Reading) -> bool:
        """The counters are not where they can be: a message that was garbled, or a robot that has restarted."""
        self._jumps += 1
        self.drop("step counters that jump")
        if self._jumps < TRIES:
            self._last = last
        elif self.under_way is not None:
            self.give_up(
                "has restarted in the middle of a move, or its step counters were set: how far it got is not known; "
                "put it back, and see that its power holds"
            )
        else:
            self._jumps = 0
            self._read_at = self.time
        return False

    def _is_near(self, reading: Reading) -> bool:
        reach = self.settings.whisker_reach * (LETS_GO if self.touching else 1.0)
        return min(proximity.distance(reading.proximity[sensor]) for sensor in FRONT) < reach

    def _ahead(self, reading: Reading) -> float:
        if reading.ahead is None:
            return min(proximity.distance(reading.proximity[sensor]) for sensor in FRONT[:2])
        return reading.ahead if reading.ahead < AHEAD_REACH else inf

    # wheels

    def _steer(self) -> None:
        """Do what the control wants, and tell how a move has ended."""
        control = self._control
        if control.speeds != self._speeds:
            self._set_wheels(*control.speeds)
        if control.stop_at < inf:
            self.remind(_STOP, control.stop_at - self.time)
        else:
            self.forget(_STOP)
        if self.under_way is not None and control.outcome is not None:
            {"moved": self.moved, "blocked": self.blocked, "stopped": self.stopped}[control.outcome](*control.motion)

    def _stop(self) -> None:
        self._control.halt()
        self.forget(_STOP)
        self._set_wheels(0, 0)

    def _set_wheels(self, left: int, right: int) -> None:
        self._speeds = (left, right)
        self.set_wheels(left, right)

    def _poll(self) -> None:
        """Ask for a reading, unless one is awaited or comes by itself."""
        overdue = self.time - self._asked_at >= self.settings.answer_within
        if (overdue or not (self.waiting or self.streams)) and self.may_poll():
            self.waiting = True
            self._asked_at = self.time
            self.poll()


def _degrees(angles: tuple[float, ...]) -> str:
    return ", ".join(f"{degrees(angle):g}" for angle in angles) + " degrees"


def _wrapped(steps: int) -> int:
    """A difference of two counters of 16 bits."""
    return (steps + 32768) % 65536 - 32768
