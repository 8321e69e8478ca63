"""What all protocols of e-pucks have in common: wheels that are set to speeds, and counters that are read."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from math import degrees, inf

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.robots.epuck2.responses import RESPONSES
from devs_robotics.core.robots.messages import Drive
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.epuck_equipment import SERVICES, SensorEquipment, kind_of
from devs_robotics.hil.protocols.epuck_reading import FRONT, EpuckReading
from devs_robotics.hil.protocols.events import (
    Blocked,
    Dropped,
    Felt,
    Forget,
    Found,
    GivenUp,
    Lost,
    Moved,
    Output,
    Ranged,
    Remind,
    Stopped,
)
from devs_robotics.hil.protocols.kept_wheels import KeptWheels
from devs_robotics.hil.protocols.polling import Polling
from devs_robotics.hil.protocols.protocol import TRIES, Protocol
from devs_robotics.hil.protocols.round_trip import REMEMBERED, SLOWEST, RoundTrip
from devs_robotics.hil.protocols.settings import DriverSettings
from devs_robotics.hil.protocols.step_control import Outcome, StepControl
from devs_robotics.hil.protocols.step_counters import StepCounters

LETS_GO = 1.2
"""Distance at which whiskers that touch let go, as a multiple of their reach."""

STRAY, STRAYING = 50, 0.15
"""Distance from where wheels came to rest (steps), and time for which it is exceeded (s), above which somebody else has
moved them."""

SURE = 2, REMEMBERED
"""Number of measurements that show a delay to be too long: of a robot that streams, and of one that is asked."""

SLUGGISH = 0.2
"""Delay of a link (s) above which it is told of with every fault."""

BLIND = 0.25
"""Time without a reading (s), beyond what its link takes, after which wheels that keep a speed are stopped."""

_STOP = "stop the wheels"
_ENDS: dict[Outcome, type[Moved] | type[Blocked] | type[Stopped]] = {
    "moved": Moved,
    "blocked": Blocked,
    "stopped": Stopped,
}


class Epuck(Protocol):
    """An e-puck: wheels that are set to speeds, and step counters that are read again and again.

    An e-puck has no watchdog: it keeps the speed that it was told last, for ever. It is told to stop when a run starts
    and ends, and when a lost link is back; while the link is lost, nobody can stop it but a hand.

    What it says is what was true some time ago, and what it is told it obeys some time later. How long both take is
    measured, and its counters are taken for those of a robot that has heard what was told so long before.

    Its one beam looks straight ahead: the time of flight sensor where there is one, otherwise the front proximity
    sensors, which see no further than some centimetres. Its whiskers are its front proximity sensors.

    Its equipment is its wheels, which keep speeds (`Wheels`), its sensors of proximity, light and the ground, which are
    asked or watched, and its battery, which is asked, and tells when it falls to a level.
    Wheels that are told speeds during a move take them up when that has ended; a move ends what they were told. They
    stand still while the robot cannot be heard, and go on when it can.

    Attributes:
        round_trip: how long it takes until what it is told shows in a reading
        control: of its wheels, in moves
        kept: the same wheels, where they are told speeds
        counters: of their steps
        polling: which readings are awaited
        sensors: that are asked and watched

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

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        if settings.proximity not in RESPONSES:
            raise DevsRoboticsError(
                f"robot {robot}: there is no response of proximity sensors {settings.proximity!r}: there are "
                f"{', '.join(RESPONSES)}"
            )
        self._response = RESPONSES[settings.proximity]
        self.round_trip = RoundTrip(SURE[0] if self.streams else SURE[1])
        self.control = StepControl(settings.speed, settings.turn_rate)
        self.kept = KeptWheels()
        self.sensors = SensorEquipment()
        self.counters = StepCounters()
        self.polling = Polling()
        self._speeds: tuple[int, int] | None = None
        """That it was told last; None before it was told any."""
        self._connected_at: float | None = None
        """Since when nothing has been heard on a new link; None once something has been."""
        self._was_away = True
        """Whether it could not be stopped for some time in the move that is under way."""
        self._met = False
        """Whether it has been seen to stand still since the run began."""
        self._astray_since = inf
        self._sense_since: float | None = None
        self._feel_since: float | None = None
        """When its range sensors, and its whiskers, were asked what has not been answered; None for nothing."""

    @classmethod
    def carries(cls, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether it is its wheels, or sensors that are read."""
        return (asks, answers) in SERVICES.get(kind_of(name), ())

    # what a subclass must say

    @abstractmethod
    def wheels(self, left: int, right: int) -> bytes:
        """What sets the speeds of the wheels (steps/s)."""

    @abstractmethod
    def poll(self) -> bytes:
        """What asks for a reading."""

    @abstractmethod
    def readings(self, data: bytes) -> Iterator[EpuckReading | Dropped]:
        """Those that these bytes complete, one after the other; a stream may be in any pieces."""

    @abstractmethod
    def start_listening(self) -> None:
        """Forget the beginning of what was being heard: the link is a new one."""

    def may_poll(self) -> bool:
        """Whether it makes sense to ask now."""
        return True

    # hooks

    @property
    def patience(self) -> float:
        """The longer, the longer its link takes."""
        return super().patience + self.round_trip.longest

    def duration(self, drive: Drive) -> float:
        """Of the wheels' own motion, with corrections."""
        return self.control.duration(drive, self.round_trip.longest)

    def believes(self, drive: Drive, turn: float, distance: float) -> bool:
        """Its counters, which are followed all the time; but one that could be stopped must have stopped in time."""
        return self._was_away or super().believes(drive, turn, distance)

    @property
    def remark(self) -> str:
        """How slow its link is."""
        late = self.round_trip.longest
        return f"its link is slow: it obeys {late:.1f} s late" if late > SLUGGISH else ""

    def connect(self) -> Iterator[Output]:
        """Stop, and wait until it stands still."""
        self.polling.restart(self.now.time)
        self._connected_at = self.now.time
        self._was_away = True
        self._sense_since = self._feel_since = None
        self.start_listening()
        yield from self.halt()

    def tick(self) -> Iterator[Output]:
        """Read it."""
        now = self.now
        if now.ready and now.time - self.counters.read_at > (TRIES - 1) * self.patience:
            self._was_away = True
            self._sense_since = self._feel_since = None
            yield from self.halt()
            yield Lost("it does not answer")
        blind = now.time - self.counters.read_at > BLIND + self.round_trip.longest
        if blind and self.kept.turn and self._speeds != (0, 0):
            yield self._set_wheels(0, 0)
        if not now.ready:  # it may not have heard that it is to stop
            yield self._set_wheels(0, 0)
        yield from self._poll()

    def begin(self, drive: Drive) -> Iterator[Output]:
        """Set the wheels going."""
        self._was_away = False
        if self.kept.speeds is not None:
            self.kept.end()
            self.control.reported()  # what the wheels have rolled until now is told of
        self.control.begin(drive, self.now.time)
        yield from self._steer()

    def halt(self) -> Iterator[Output]:
        """Stop, and see where it comes to rest."""
        self.control.halt(self.now.time)
        yield Forget(_STOP)
        yield self._set_wheels(0, 0)

    def reminded(self, what: str) -> Iterator[Output]:
        """A leg of a move should be over, or a watch is to look."""
        if what != _STOP:
            yield from self.sensors.reminded(what)
            return
        self.control.stop(self.now.time)
        yield from self._steer()

    def sense(self) -> Iterator[Output]:
        """Take the next reading."""
        if self._sense_since is None:
            self._sense_since = self.now.time
        yield from self._poll()

    def feel(self) -> Iterator[Output]:
        """Take the next reading."""
        if self._feel_since is None:
            self._feel_since = self.now.time
        yield from self._poll()

    def ask(self, name: str, data: PlainData, again: bool) -> Iterator[Output]:
        """Have its wheels keep speeds, or take the next reading."""
        if kind_of(name) == "wheels":
            told = self.kept.keep(name, data)
            yield from self._steer()
            yield told
        else:
            self.sensors.ask(name, data, self.now.time, again=again)
            yield from self._poll()

    def feed(self, data: bytes) -> Iterator[Output]:
        """Take what it says of itself."""
        for reading in self.readings(data):
            if isinstance(reading, Dropped):
                yield reading
            elif not self.now.failed:
                yield from self._take(reading)

    # readings

    def _take(self, reading: EpuckReading) -> Iterator[Output]:
        asked_at = self._asked_for()
        now = self.now
        if self.counters.is_jump(reading.left, reading.right, now.time, now.unseen, ready=now.ready):
            yield from self._jumped(reading)
            return
        steps = self.counters.steps(reading.left, reading.right)
        as_of = self._count(reading, steps, asked_at)
        if now.under_way is None:
            yield from self.kept.count(*steps, as_of)
        complaint = self._complaint()
        if complaint:
            yield GivenUp(complaint)
        elif now.ready:
            yield from self._steer()
            yield from self._see_and_feel(reading, as_of)
            yield from self.sensors.read(reading, as_of, now.time)
        elif self.control.at_rest(as_of):
            if not self._met:
                self._met = True
                self.control.reported()  # what it did before the run began belongs to no move
            yield Found()

    def _see_and_feel(self, reading: EpuckReading, as_of: float) -> Iterator[Output]:
        """What it sees and feels, to those who had asked before it was true."""
        near = reading.seen(FRONT, self._response) < self._whisker_reach
        if self._feel_since is None or as_of >= self._feel_since:
            self._feel_since = None
            yield Felt(near)
        if self._sense_since is not None and as_of >= self._sense_since:
            self._sense_since = None
            yield Ranged((reading.seen_ahead(self._response),) * len(self.settings.beams))

    @property
    def _whisker_reach(self) -> float:
        return self.settings.whisker_reach * (LETS_GO if self.now.touching else 1.0)

    def _asked_for(self) -> float:
        """A reading has come: when it was asked for, or now if it was not."""
        time = self.now.time
        connected_at, self._connected_at = self._connected_at, None
        asked_at = self.polling.heard(time)
        if not self.streams:
            self.polling.took = time - asked_at
            self.round_trip.saw(self.polling.took)
        elif connected_at is not None:  # a robot that streams says nothing before it has been told something
            self.round_trip.guess(time - connected_at)
        return asked_at

    def _complaint(self) -> str:
        """What is wrong if it does what nobody told it, or too late; empty if it does not."""
        time, control, under_way = self.now.time, self.control, self.now.under_way
        if control.strayed <= STRAY or self.kept.speeds is not None:
            self._astray_since = inf
        elif self._astray_since == inf:
            self._astray_since = time
        if time - self._astray_since >= STRAYING:
            return (
                f"turned its wheels by {control.strayed} steps after it had stopped as it was told: somebody else "
                "commands it, or its link was held up for long; end the other program, and check its link"
            )
        if self.round_trip.is_too_long:
            return f"cannot be driven with a delay of more than {SLOWEST:g} s: check its link"
        turn, distance = control.motion
        if under_way is not None and not self.believes(under_way, turn, distance):
            return (
                f"was told to turn {degrees(under_way.turn):.0f} degrees and go {100.0 * under_way.distance:.1f} cm, "
                f"and turned {degrees(turn):.0f} degrees and went {100.0 * distance:.1f} cm: somebody else commands "
                "it, or it does not hear; end the other program, and check its link"
            )
        return ""

    def _jumped(self, reading: EpuckReading) -> Iterator[Output]:
        """The counters are not where they can be: a message that was garbled, or a robot that has restarted."""
        counters = self.counters
        counters.jumps += 1
        yield Dropped("step counters that jump")
        if counters.jumps < TRIES:
            return
        if self.now.under_way is None and not self.kept.turn:
            counters.take(reading.left, reading.right, self.now.time, self.now.time)
        else:
            yield GivenUp(
                "has restarted in the middle of a move, or its step counters were set, so that nobody knows "
                "how far it got: put it back, and check its power"
            )

    def _count(self, reading: EpuckReading, steps: tuple[int, int], asked_at: float) -> float:
        """Take the step counters in; what was told before the time that is returned, the robot had heard by then."""
        time, told_at = self.now.time, self.control.told_at
        if self.streams and told_at is not None and not self.kept.obstructed and steps != (0, 0):
            self.round_trip.saw(time - told_at)
        as_of = time - self.round_trip.longest if self.streams else asked_at
        self.counters.take(reading.left, reading.right, time, as_of)
        self.control.count(*steps, as_of, time)
        return as_of

    # wheels

    def _steer(self) -> Iterator[Output]:
        """Do what the control wants, and tell how a move has ended."""
        control, speeds = self.control, self._wanted
        if speeds != self._speeds:
            if self.kept.speeds is not None:
                self._set_going(speeds)
            yield self._set_wheels(*speeds)
        yield Remind(_STOP, control.stop_at - self.now.time) if control.stop_at < inf else Forget(_STOP)
        if self.now.under_way is not None and control.outcome is not None:
            motion = control.motion
            control.reported()
            yield _ENDS[control.outcome](*motion)

    def _set_going(self, speeds: tuple[int, int]) -> None:
        """Wheels take up a speed; how long it takes until those that stood are seen to turn, is the link's delay."""
        self.kept.set_going(self.now.time)
        if speeds == (0, 0):
            self.control.told_at = None
        elif self._speeds == (0, 0):
            self.control.told_at = self.now.time

    @property
    def _wanted(self) -> tuple[int, int]:
        """The speeds that the wheels should have now (steps/s)."""
        free = self.now.ready and self.now.under_way is None
        kept = self.kept.speeds if free else None
        return self.control.speeds if kept is None else kept

    def _set_wheels(self, left: int, right: int) -> bytes:
        self._speeds = (left, right)
        return self.wheels(left, right)

    def _poll(self) -> Iterator[Output]:
        """Ask for a reading, unless one is awaited or comes by itself."""
        if not self.may_poll():
            return
        time, polling = self.now.time, self.polling
        if self.streams:
            if time - max(polling.asked_at, polling.heard_at) >= self.patience:
                polling.asked_at = time
                yield self.poll()
        elif polling.is_due(time, self.patience, self.settings.answer_within):
            polling.asked(time)
            yield self.poll()
