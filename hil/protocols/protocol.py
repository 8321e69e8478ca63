"""Protocols: what all of them have in common, so that a robot type takes one small file (docs/add-a-robot.md)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from math import degrees, inf
from typing import Any, ClassVar, Literal

from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.former_names import accept_former_name
from devs_robotics.core.robots.messages import Drive
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.events import Felt, Found, Output, Ranged
from devs_robotics.hil.protocols.settings import DriverSettings

ServiceName = Literal["motor", "ranging", "touch"]

StandInPlace = Literal["broker", "computer"]
"""Over a broker, from anywhere; or on the computer only on which the stand-in lives."""

TRIES = 3
"""Number of times that a robot is asked for the same thing; then it is a fault."""

SPARE = 1.0
"""Time that every move may take beyond the one that it should (s)."""

OVERSHOOT, SLACK = 1.5, 0.2
"""Multiple of what a robot was told, and what it may have gone beyond that (m, rad), above which it is not believed."""


class Situation:
    """What a driver knows of its robot. The driver keeps it up to date, and the protocol looks at it.

    Attributes:
        time: since the simulation began (s)
        ready: whether the robot is known to answer
        under_way: the move that was begun and has not ended; None if there is none
        halting: whether the robot has been told to give it up
        touching: what the whiskers said last
        unseen: for so long nobody saw to the robot during this move, which no clock shows (s)
        failed: whether the robot has been given up; nothing more leaves
    """

    def __init__(self) -> None:
        self.time = 0.0
        self.ready = False
        self.under_way: Drive | None = None
        self.halting = False
        self.touching = False
        self.unseen = 0.0
        self.failed = False


class Protocol(ABC):
    """How a type of robot is spoken to. It neither reads a clock nor waits nor opens anything.

    A subclass must say how a move begins (`begin`), what the robot's bytes mean (`feed`) and what stops it
    (`stop_message`); and it may say of itself, by the attributes of its class, what its robots are.

    Each hook returns what it has to say, in that order: bytes that are to be sent, and events. One that is a generator
    goes on when the driver has done what was said last; the driver may have called other hooks meanwhile.

    Args:
        robot: its number
        settings: what it is to be driven with

    Raises:
        DevsRoboticsError: other beams are wanted than such robots have

    Attributes:
        robot, settings: the same
        now: what the driver knows of the robot
    """

    kind: ClassVar[str] = "a robot of this protocol"
    """What such a robot is called."""

    schemes: ClassVar[tuple[str, ...]] = ()
    """What the addresses of such robots begin with; empty if that may be anything."""

    beams: ClassVar[tuple[float, ...] | None] = None
    """Bearings of the range sensors that such robots have (rad); None if they have those that are wanted."""

    services: ClassVar[frozenset[ServiceName]] = frozenset(("motor", "ranging", "touch"))
    """What such robots have."""

    equipment: ClassVar[Mapping[str, tuple[type[Struct], type[Struct]]] | None] = {}
    """Equipment of their own that such robots have: types of question and answer, by name; None: whatever is wanted."""

    proximity: ClassVar[bool] = False
    """Whether it has to be told what they read (`DriverSettings.proximity`); other robots tell metres."""

    stand_in: ClassVar[StandInPlace | None] = None
    """Where stand-ins of such robots can be reached; None if there are none."""

    measured_watchdog: ClassVar[bool] = False
    """Whether only a measurement says if such a robot stops by itself when its host ends (`real.N.watchdog`)."""

    braking: ClassVar[float] = inf
    """With how much such a robot brakes at least when it stops by itself (m/s^2); infinite: it stands at once."""

    period: ClassVar[float] = inf
    """While there is a link, `tick` is called so often (s)."""

    check: ClassVar[str] = "check that it is switched on, and its address"
    """What somebody should look at whose robot cannot be reached."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        accept_former_name(cls, "last_words", "stop_message")

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        if not self.serves(settings.beams):
            raise DevsRoboticsError(
                f"robot {robot} is {self.kind}, which has {_in_words(self.beams or ())}; "
                f"{_in_words(settings.beams)} are wanted: let its infrared be virtual, or use another robot"
            )
        self.robot = robot
        self.settings = settings
        self.now = Situation()

    @classmethod
    def serves(cls, beams: tuple[float, ...]) -> bool:
        """Whether such a robot sees along these beams (rad); along none it always does."""
        return not beams or cls.beams is None or beams == cls.beams

    @classmethod
    def carries(cls, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether such a robot has equipment of its own of this name, with such questions and answers."""
        return cls.equipment is None or cls.equipment.get(name) == (asks, answers)

    @classmethod
    def has_by_itself(cls, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether such a robot has it though nobody says so: what it carries, where that is not whatever is wanted."""
        return cls.equipment is not None and cls.carries(name, asks, answers)

    # hooks: what a subclass must say

    @abstractmethod
    def begin(self, drive: Drive) -> Iterable[Output]:
        """Have the robot begin a move; it is at rest."""

    @abstractmethod
    def feed(self, data: bytes) -> Iterable[Output]:
        """Bytes have come: a message, or any piece of a stream. Whatever they are, nothing is raised."""

    @abstractmethod
    def stop_message(self) -> Iterable[bytes]:
        """The stop message: what is sent so that the robot stops, whatever it does, when its host ends or is held up.

        It may be called by any thread while something else is going on, so it says the same at any time.
        """

    # hooks: what it may say

    def connect(self) -> Iterable[Output]:
        """The link is up (again). By default the robot is told to stop, and is taken to be there."""
        if self.now.under_way is None:
            yield from self.stop_message()
        yield Found()  # which halts a move that was under way

    def halt(self) -> Iterable[Output]:
        """Have the robot give its move up, and say how far it got; called again if it does not say.

        By default it is sent the stop message.
        """
        yield from self.stop_message()

    def sense(self) -> Iterable[Output]:
        """Ask the range sensors; called again if they do not answer."""
        yield Ranged((inf,) * len(self.settings.beams))

    def feel(self) -> Iterable[Output]:
        """Ask the whiskers; by default the answer is what they said last."""
        yield Felt(self.now.touching)

    def ask(self, name: str, data: PlainData, again: bool) -> Iterable[Output]:
        """Ask equipment of the robot's own, or have it do something; `Told` answers. By default it has none.

        Args:
            name: of the equipment
            data: the question
            again: the same was asked before, and no answer of use has come: it must not be carried out twice
        """
        return ()

    def tick(self) -> Iterable[Output]:
        """A `period` has passed, or the link has come up."""
        return ()

    def reminded(self, what: str) -> Iterable[Output]:
        """What `Remind` was said for is due."""
        return ()

    # what the driver asks

    def duration(self, drive: Drive) -> float:
        """How long a move should take (s)."""
        return abs(drive.turn) / self.settings.turn_rate + abs(drive.distance) / self.settings.speed

    def deadline(self, drive: Drive) -> float:
        """How long a move may take (s)."""
        return self.duration(drive) * self.settings.move_margin + SPARE

    def believes(self, drive: Drive, turn: float, distance: float) -> bool:
        """Whether a robot that was told to make a move may have counted this of it (rad, m)."""
        settings, unseen = self.settings, self.now.unseen
        return _can_be(turn, drive.turn, settings.turn_rate * unseen) and _can_be(
            distance, drive.distance, settings.speed * unseen
        )

    @property
    def patience(self) -> float:
        """What has not been answered for so long is asked again (s)."""
        return self.settings.answer_within

    @property
    def remark(self) -> str:
        """What is to be said with every fault, for people; empty for nothing."""
        return ""


def _in_words(beams: tuple[float, ...]) -> str:
    if beams == (0.0,):
        return "one beam, straight ahead"
    return f"{len(beams)} beams at {', '.join(f'{degrees(bearing):g}' for bearing in beams)} degrees"


def _can_be(counted: float, told: float, further: float) -> bool:
    """Whether a robot that was told to move so far, and may have gone on so much further, may have counted this."""
    return abs(counted) <= OVERSHOOT * (abs(told) + further) + SLACK
