"""What all drivers of e-pucks have in common, whichever protocol they speak."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator
from math import degrees, inf

from msgspec import Struct

from devs_robotics import DevsRoboticsError, Drive
from devs_robotics.hil.drivers import proximity
from devs_robotics.hil.drivers.driver import Driver
from devs_robotics.hil.drivers.question import TRIES
from devs_robotics.hil.drivers.round_trip import REMEMBERED, SLOWEST, RoundTrip
from devs_robotics.hil.drivers.settings import DriverSettings
from devs_robotics.hil.drivers.step_control import FASTEST, StepControl
from devs_robotics.hil.proximity_responses import RESPONSES

FRONT = (0, 7, 1, 6)
"""Proximity sensors that are the whiskers."""

LETS_GO = 1.2
"""Whiskers that touch let go at so many times their reach."""

AHEAD_REACH = 2.0
"""What the time of flight sensor sees further away is nothing (m)."""

JUMP = 200
"""Counters that have come so much further than wheels can turn meanwhile (steps) have jumped."""

STRAY, STRAYING = 50, 0.15
"""Wheels that came to rest as they were told, and for so long (s) are further away than this (steps), were told so by
somebody else."""

SURE = 2, REMEMBERED
"""So many measurements show that the delay of a robot that streams, and of one that is asked, is too long."""

IN_TURN = 1.0
"""Of readings that take longer (s) the next is asked for before the last has come."""

SLUGGISH = 0.2
"""A link that takes longer than this (s) is mentioned with every fault."""

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

    What it says is what was true some time ago, and what it is told it obeys some time later. How long both take is
    measured, and its counters are taken for those of a robot that has heard what was told so long before.

    Its one beam looks straight ahead: the time of flight sensor where there is one, otherwise the front proximity
    sensors, which see no further than some centimetres. Its whiskers are its front proximity sensors.

    Attributes:
        round_trip: how long it takes until what it is told shows in a reading

    Raises:
        DevsRoboticsError: other beams are wanted, or there is no such response of its proximity sensors
    """

    kind = "an e-puck"
    beams = (0.0,)
    proximity = True
    stand_in = "computer"
    period = 0.05

    streams: bool = False
    """Whether it sends readings without being asked for each one."""

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address, settings)
        if settings.proximity not in RESPONSES:
            raise DevsRoboticsError(
                f"robot {robot}: there is no response of proximity sensors {settings.proximity!r}: there are "
                f"{', '.join(RESPONSES)}"
            )
        self._response = RESPONSES[settings.proximity]
        self.round_trip = RoundTrip(SURE[0] if self.streams else SURE[1])
        self._control = StepControl(settings.speed, settings.turn_rate)
        self._speeds: tuple[int, int]
        """That it was told last."""
        self._last: Reading | None = None
        self._read_at: float
        self._taken_after: float
        """When it was last read, and what its wheels were told before which time counted in that."""
        self._jumps: int
        self._asked: deque[float] = deque()
        """When it was asked for each of the readings that are awaited: they come in that order."""
        self._answered: bool
        """Whether a reading has come since it was last asked for one."""
        self._asked_at: float
        self._heard_at: float
        self._took: float
        """When it was last asked for a reading, when one last came, and how long that took."""
        self._connected_at: float | None
        """Since when nothing has been heard on a new link; None once something has been."""
        self._was_away: bool
        """Whether it could not be stopped for some time in the move that is under way."""
        self._met = False
        """Whether it has been seen to stand still since the run began."""
        self._astray_since: float
        self._sense_since: float
        self._feel_since: float

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

    # what a protocol may need

    @property
    def waiting(self) -> bool:
        """Whether it was asked for a reading that has not come."""
        return bool(self._asked)

    def expect_nothing(self) -> None:
        """Whatever it was asked for will not come, or cannot be understood."""
        self._asked.clear()

    # hooks

    @property
    def patience(self) -> float:
        """The longer, the longer its link takes."""
        return super().patience + self.round_trip.longest

    def duration(self, drive: Drive) -> float:
        """Of the wheels' own motion, with corrections."""
        return self._control.duration(drive, self.round_trip.longest)

    def believes(self, drive: Drive, turn: float, distance: float) -> bool:
        """Its counters, which are followed all the time; but one that could be stopped must have stopped in time."""
        if not (self._was_away or super().believes(drive, turn, distance)):
            self.give_up(
                f"was told to turn {degrees(drive.turn):.0f} degrees and go {100.0 * drive.distance:.1f} cm, and "
                f"turned {degrees(turn):.0f} degrees and went {100.0 * distance:.1f} cm: somebody else commands it, or "
                "it does not hear; end the other program, and check its link"
            )
        return not self.failed

    def give_up(self, why: str) -> None:
        """Say how slow its link is, too."""
        late = self.round_trip.longest
        super().give_up(
            f"{why} (its link is slow: what it is told shows {late:.1f} s later)" if late > SLUGGISH else why
        )

    def connected(self) -> None:
        """Stop, and wait until it stands still."""
        self.expect_nothing()
        self._asked_at = self._heard_at = self._connected_at = self.time
        self._was_away = True
        self.start_listening()
        self._stop()

    def tick(self) -> None:
        """Read it."""
        if self.ready and self.time - self._read_at > (TRIES - 1) * self.patience:
            self._was_away = True
            self._stop()
            self.lost("it does not answer")
        if not self.ready:  # it may not have heard that it is to stop
            self._set_wheels(0, 0)
        self._poll()

    def begin(self, drive: Drive) -> None:
        """Set the wheels going."""
        self._was_away = False
        self._control.begin(drive, self.time)
        self._steer()

    def halt(self) -> None:
        """Stop, and see where it comes to rest."""
        self._stop()

    def reminded(self, what: str) -> None:
        """A leg of a move should be over."""
        self._control.stop(self.time)
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
        asked_at = self._asked_for()
        if not self._count(reading, asked_at) or self._is_out_of_hand():
            return
        as_of = self._as_of(asked_at)
        if not self.ready:
            if self._control.at_rest(as_of):
                self._meet()
            return
        self._steer()
        near = self._is_near(reading)
        if not self.touch_question.tries or as_of >= self._feel_since:
            self.felt(near)
        if self.ranging_question.tries and as_of >= self._sense_since:
            self.ranged([self._ahead(reading)] * len(self.settings.beams))

    def _asked_for(self) -> float:
        """A reading has come: when it was asked for, or now if it was not."""
        connected_at, self._connected_at = self._connected_at, None
        self._heard_at, self._answered = self.time, True
        asked_at = self._asked.popleft() if self._asked else self.time
        if not self.streams:
            self._took = self.time - asked_at
            self.round_trip.saw(self._took)
        elif connected_at is not None:  # a robot that streams says nothing before it has been told something
            self.round_trip.guess(self.time - connected_at)
        return asked_at

    def _as_of(self, asked_at: float) -> float:
        """What was told before this time, the robot had heard when it took the reading that has come."""
        return self.time - self.round_trip.longest if self.streams else asked_at

    def _is_out_of_hand(self) -> bool:
        """Whether it does what nobody told it, or too late."""
        if self._control.strayed <= STRAY:
            self._astray_since = inf
        elif self._astray_since == inf:
            self._astray_since = self.time
        if self.time - self._astray_since >= STRAYING:
            self.give_up(
                f"turned its wheels by {self._control.strayed} steps after it was told to stand, and did: somebody "
                "else commands it, or its link was held up for long; end the other program, and check its link"
            )
        elif self.round_trip.is_too_long:
            self.give_up(f"cannot be driven with a delay of more than {SLOWEST:g} s: check its link")
        elif self.under_way is not None:
            self.believes(self.under_way, *self._control.motion)
        return self.failed

    def _meet(self) -> None:
        """It stands still, and listens: what it did before the run began belongs to no move."""
        if not self._met:
            self._met = True
            self._control.reported()
        self.found()

    def _count(self, reading: Reading, asked_at: float) -> bool:
        """Take the step counters in; returns whether they can be right."""
        last, self._last = self._last, reading
        steps = (0, 0) if last is None else (_wrapped(reading.left - last.left), _wrapped(reading.right - last.right))
        if last is not None and self._is_jump(steps, last, reading):
            return self._jumped(last)
        self._jumps = 0
        told_at = self._control.told_at
        if self.streams and told_at is not None and steps != (0, 0):
            self.round_trip.saw(self.time - told_at)
        self._read_at, self._taken_after = self.time, self._as_of(asked_at)
        self._control.count(*steps, self._taken_after, self.time)
        return True

    def _is_jump(self, steps: tuple[int, int], last: Reading, reading: Reading) -> bool:
        """Whether wheels cannot have turned so far from one reading to the next."""
        possible = JUMP + 2 * FASTEST * (self.time - self._taken_after + self.unseen)
        zeroed = not self.ready and (reading.left, reading.right) == (0, 0) != (last.left, last.right)
        return zeroed or max(map(abs, steps)) > possible

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
            self._read_at = self._taken_after = self.time
        return False

    def _is_near(self, reading: Reading) -> bool:
        reach = self.settings.whisker_reach * (LETS_GO if self.touching else 1.0)
        return self._seen(reading, FRONT) < reach

    def _ahead(self, reading: Reading) -> float:
        if reading.ahead is None:
            return self._seen(reading, FRONT[:2])
        return reading.ahead if reading.ahead < AHEAD_REACH else inf

    def _seen(self, reading: Reading, sensors: tuple[int, ...]) -> float:
        """Distance of the nearest thing that some of its proximity sensors see (m)."""
        return min(proximity.distance(reading.proximity[sensor], self._response) for sensor in sensors)

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
            motion = control.motion
            control.reported()
            {"moved": self.moved, "blocked": self.blocked, "stopped": self.stopped}[control.outcome](*motion)

    def _stop(self) -> None:
        self._control.halt(self.time)
        self.forget(_STOP)
        self._set_wheels(0, 0)

    def _set_wheels(self, left: int, right: int) -> None:
        self._speeds = (left, right)
        self.set_wheels(left, right)

    def _poll(self) -> None:
        """Ask for a reading, unless one is awaited or comes by itself.

        Where several are awaited, as many come if the link is slow, and only one if the others were lost.
        """
        if not self.may_poll():
            return
        if self.streams:
            if self.time - max(self._asked_at, self._heard_at) >= self.patience:
                self._asked_at = self.time
                self.poll()
            return
        if self.waiting and self._answered and self.time - self._asked_at >= self._took + self.settings.answer_within:
            self.expect_nothing()  # the others were lost
        overdue = self.time - self._asked_at >= self.patience
        if not self.waiting or (self._took > IN_TURN if self._answered else overdue):
            self._asked.append(self.time)
            self._asked_at = self.time
            self._answered = False
            self.poll()


def _wrapped(steps: int) -> int:
    """A difference of two counters of 16 bits."""
    return (steps + 32768) % 65536 - 32768
