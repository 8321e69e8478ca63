"""Drivers: what all of them have in common, so that a robot type takes one small file (docs/add-a-robot.md).

A driver neither reads a clock nor waits nor opens anything: it is told what arrives and when something is due, and says
what is to be sent.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import degrees, inf
from typing import Any, ClassVar, Literal

from devs_robotics import DevsRoboticsError, Drive, Fault, HeldLink, Link, LostLink, Packet, Port, Ranges, Touch
from devs_robotics.hil.addresses import masked
from devs_robotics.hil.drivers.commands import Commands
from devs_robotics.hil.drivers.question import TRIES, Question
from devs_robotics.hil.drivers.settings import DriverSettings
from devs_robotics.hil.drivers.timed import TimedDevice

ServiceName = Literal["motor", "ranging", "touch"]

StandInPlace = Literal["broker", "computer"]
"""Over a broker, from anywhere; or on the computer only on which the stand-in lives."""

SPARE = 1.0
"""Every move may take so much longer than it should (s)."""

OVERSHOOT, SLACK = 1.5, 0.2
"""A robot may have gone so many times as far as it was told, and so much further (m, rad); more is not believed."""

_LINK, _TICK, _DEADLINE, _HALT, _RANGING, _TOUCH = "link", "tick", "deadline", "halt", "ranging", "touch"
_OWN = "own "
"""Reminders of a subclass are told from the driver's by this prefix."""


class Driver(TimedDevice):
    """A real robot, spoken to in its own protocol.

    A subclass must say how a move begins (`begin`), what the robot's bytes mean (`heard`) and what stops it
    (`last_words`). In its hooks it calls

    - `send`: to have bytes sent;
    - `moved`, `blocked`, `stopped`: the move that was begun has ended so; these say how far the robot got;
    - `ranged`, `felt`: what its sensors say;
    - `found`, `lost`: whether the robot answers at all, where the link alone does not tell;
    - `drop`: for bytes that were no message, and `give_up` for a robot that can no longer be used;
    - `remind` and `forget`: for what is to happen later.

    The rest is done here, under names with two underscores that a subclass does not hit by accident.

    Args:
        robot: its number
        address: where it is, as a URL, for people
        settings: what it is to be driven with

    Raises:
        DevsRoboticsError: other beams are wanted than such robots have

    Attributes:
        linked, ready: whether bytes can be sent, and whether the robot is known to answer
        under_way: the move that was begun and has not ended; None if there is none
        halting: whether the robot has been told to give it up
        touching: what the whiskers said last
        unseen: for so long nobody saw to the robot during this move, which no clock shows (s)
        ranging_question, touch_question: what is being asked
    """

    kind: ClassVar[str] = "a robot of this protocol"
    """What such a robot is called."""

    schemes: ClassVar[tuple[str, ...]] = ()
    """What the addresses of such robots begin with; empty if that may be anything."""

    beams: ClassVar[tuple[float, ...] | None] = None
    """Bearings of the range sensors that such robots have (rad); None if they have those that are wanted."""

    services: ClassVar[frozenset[ServiceName]] = frozenset(("motor", "ranging", "touch"))
    """What such robots have."""

    proximity: ClassVar[bool] = False
    """Whether it has to be told what they read (`DriverSettings.proximity`); other robots tell metres."""

    stand_in: ClassVar[StandInPlace | None] = None
    """Where stand-ins of such robots can be reached; None if there are none."""

    period: float = inf
    """While there is a link, `tick` is called so often (s)."""

    check: str = "check that it is switched on, and its address"
    """What somebody should look at whose robot cannot be reached."""

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address)
        if not self.serves(settings.beams):
            raise DevsRoboticsError(
                f"robot {robot} is {self.kind}, which has {_in_words(self.beams or ())}; "
                f"{_in_words(settings.beams)} are wanted: let its infrared be virtual, or use another robot"
            )
        self.settings = settings
        self.linked = False
        self.ready = False
        self.under_way: Drive | None = None
        self.halting = False
        self.touching = False
        self.unseen = 0.0
        self.__commands = Commands()
        self.ranging_question, self.touch_question = Question(_RANGING), Question(_TOUCH)
        self.reminders.set(_LINK, settings.link_within)
        self.__halts: int
        self.__reason = "its link never came up"
        self.__last_dropped = ""
        self.__was_ready = False

    @classmethod
    def serves(cls, beams: tuple[float, ...]) -> bool:
        """Whether such a robot sees along these beams (rad); along none it always does."""
        return not beams or cls.beams is None or beams == cls.beams

    # hooks: what a subclass must say

    @abstractmethod
    def begin(self, drive: Drive) -> None:
        """Have the robot begin a move; it is at rest."""

    @abstractmethod
    def heard(self, data: bytes) -> None:
        """Bytes have come: a message, or any piece of a stream. Whatever they are, nothing is raised."""

    # hooks: what it may say

    def connected(self) -> None:
        """The link is up (again). By default the robot is told to stop, and is taken to be there."""
        if self.under_way is None:
            self.__say_last_words()
        self.found()  # which halts a move that was under way

    def halt(self) -> None:
        """Have the robot give its move up, and say how far it got; called again if it does not say. `last_words`."""
        self.__say_last_words()

    def sense(self) -> None:
        """Ask the range sensors; called again if they do not answer."""
        self.ranged([inf] * len(self.settings.beams))

    def feel(self) -> None:
        """Ask the whiskers; by default the answer is what they said last."""
        self.felt(self.touching)

    def tick(self) -> None:
        """A `period` has passed, or the link has come up."""

    def reminded(self, what: str) -> None:
        """What `remind` was asked for is due."""

    def duration(self, drive: Drive) -> float:
        """How long a move should take (s)."""
        return abs(drive.turn) / self.settings.turn_rate + abs(drive.distance) / self.settings.speed

    def believes(self, drive: Drive, turn: float, distance: float) -> bool:
        """Whether a robot that was told to make a move may have counted this of it (rad, m)."""
        settings, unseen = self.settings, self.unseen
        return _can_be(turn, drive.turn, settings.turn_rate * unseen) and _can_be(
            distance, drive.distance, settings.speed * unseen
        )

    @property
    def patience(self) -> float:
        """What has not been answered for so long is asked again (s)."""
        return self.settings.answer_within

    # what a subclass calls

    def moved(self, turn: float, distance: float) -> None:
        """The move is done; this is what the robot counted of it (rad, m)."""
        self.__ended(turn, distance, over=True)

    def blocked(self, turn: float, distance: float) -> None:
        """Something stood in the way of the move (rad, m)."""
        self.__ended(turn, distance, over=True, blocked=True)

    def stopped(self, turn: float, distance: float, *, late: bool = False) -> None:
        """The robot has given the move up, by itself or because it was told to; it will be told what is left of it.

        Args:
            turn, distance: what it counted of it (rad, m)
            late: it did so by itself, since the move took longer than it may
        """
        self.__ended(turn, distance, over=False, late=late)

    def ranged(self, values: Sequence[float]) -> None:
        """The answer to `sense`, one value per beam (m from the sensor's face, infinite where it sees nothing)."""
        if not self.ranging_question.tries:
            self.drop("ranges that nobody asked for")
        elif len(values) != len(self.settings.beams):
            self.drop(f"ranges of other than {len(self.settings.beams)} beams")
        elif not all(value >= 0.0 for value in values):
            self.drop("ranges that are no distances")
        else:
            self.reminders.drop(_RANGING)
            answer = Ranges(tuple([self.__rounded(value) for value in values]))
            self.__answer(self.ranging_question, self.ranging.answer, answer)
            self.__ask(self.ranging_question)

    def felt(self, touching: bool) -> None:
        """What the whiskers say, asked or not."""
        changed, self.touching = touching != self.touching, touching
        if self.touch_question.tries:
            self.reminders.drop(_TOUCH)
            self.__answer(self.touch_question, self.touch.answer, Touch(touching))
            self.__ask(self.touch_question)
        elif changed:
            self.tell(self.touch.answer, Touch(touching))

    def found(self) -> None:
        """The robot answers: go on with what there is to do. What it was doing before, it is told to stop."""
        if self.ready or self.failed:
            return
        self.ready = self.__was_ready = True
        self.reminders.drop(_LINK)
        if self.under_way is None:
            self.__go_on()
        else:
            self.__halt()
        self.__ask(self.ranging_question)
        self.__ask(self.touch_question)

    def lost(self, reason: str) -> None:
        """The robot does not answer any more; it is taken to be stopping, and waited for."""
        self.__reason = reason
        if self.ready and not self.failed:
            self.ready = self.halting = False
            self.reminders.set(_LINK, self.time + self.settings.link_within)
            for what in (_DEADLINE, _HALT, _RANGING, _TOUCH):
                self.reminders.drop(what)
            self.ranging_question.interrupted()
            self.touch_question.interrupted()

    def drop(self, why: str, count: int = 1) -> None:
        """Something came that was no valid message of this robot."""
        if count:
            self.dropped[why] = self.dropped.get(why, 0) + count
            self.__last_dropped = why

    def give_up(self, why: str) -> None:
        """The robot can no longer be used: stop it, and end the run.

        Args:
            why: the rest of a sentence that begins with the robot, with what to do about it
        """
        if not self.failed:
            self.__say_last_words()
            self.tell(self.fault, Fault(self.robot, f"robot {self.robot} at {masked(self.address)} {why}"))
            self.fail()

    def remind(self, what: str, after: float) -> None:
        """Have `reminded` called after a time (s), instead of when it was to be called for the same thing."""
        self.reminders.set(_OWN + what, self.time + after)

    def forget(self, what: str) -> None:
        """Do not call `reminded` for it."""
        self.reminders.drop(_OWN + what)

    def deadline(self, drive: Drive) -> float:
        """How long a move may take (s)."""
        return self.duration(drive) * self.settings.move_margin + SPARE

    # what TimedDevice tells

    def due(self, what: str, since: float) -> None:
        """Do what it is time for."""
        if what == _TICK:
            self.reminders.set(_TICK, since + self.period)
            self.tick()
        elif what == _DEADLINE:
            if not self.__is_late():
                self.__halt()
        elif what == _HALT:
            self.__halt_again()
        elif what == _LINK:
            within = f"within {self.settings.link_within:g} s ({self.__reason}): {self.check}"
            self.give_up(f"was lost and did not come back {within}" if self.__was_ready else f"was not found {within}")
        elif what in (_RANGING, _TOUCH):
            self.__ask_again(self.ranging_question if what == _RANGING else self.touch_question)
        else:
            self.reminded(what.removeprefix(_OWN))

    def arrived(self, content: Packet | Link) -> None:
        """Hear the robot, or word of the link."""
        if isinstance(content, Link):
            self.__link_changed(content)
        elif self.linked:
            self.heard(content.data)
        else:
            self.drop("came without a link")

    def commanded(self, drive: Drive) -> None:
        """Begin a move, after having cut off the one that is under way."""
        self.__commands.put(drive)
        if self.under_way is None:
            self.__go_on()
        elif self.ready and not self.halting:
            self.__halt()

    def asked_ranging(self) -> None:
        """Ask the range sensors, unless they are being asked."""
        self.ranging_question.put()
        self.__ask(self.ranging_question)

    def asked_touch(self) -> None:
        """Ask the whiskers, unless they are being asked."""
        self.touch_question.put()
        self.__ask(self.touch_question)

    # the link

    def __link_changed(self, link: Link) -> None:
        if isinstance(link, LostLink):
            self.give_up(link.reason)
        elif not link.up:
            self.unseen += link.unseen if isinstance(link, HeldLink) else 0.0
            self.linked = False
            self.reminders.drop(_TICK)
            self.lost(link.reason)
        elif not self.linked:
            self.linked = True
            self.__reason = "there is a link, but the robot does not answer"
            if self.period < inf:
                self.reminders.set(_TICK, self.time)
            self.connected()

    def __say_last_words(self) -> None:
        for words in self.last_words():
            self.send(words)

    # moves

    def __go_on(self) -> None:
        """Begin the next move, or the rest of one, unless there is nothing to do or nobody to do it."""
        while len(self.__commands) > 1:  # one that is cut off by the next before it has begun
            self.tell(self.motor.answer, self.__commands.finish())
        if self.ready and self.under_way is None and self.__commands:
            rest = self.__commands.rest()
            if rest is None:
                self.tell(self.motor.answer, self.__commands.finish())
            else:
                self.under_way = rest
                self.unseen = 0.0
                self.reminders.set(_DEADLINE, self.time + self.deadline(rest))
                self.begin(rest)

    def __ended(self, turn: float, distance: float, *, over: bool, blocked: bool = False, late: bool = False) -> None:
        if self.under_way is None:
            self.drop("the end of a move that was not under way")
            return
        if not self.believes(self.under_way, turn, distance):
            self.drop("more motion than it was told to make")
            return
        if late and self.__is_late():
            return
        self.under_way = None
        self.halting = False
        self.reminders.drop(_DEADLINE)
        self.reminders.drop(_HALT)
        self.__commands.part_ended(turn, distance)
        if over:
            self.tell(self.motor.answer, self.__commands.finish(blocked=blocked))
        elif self.__commands.idle_parts >= TRIES and len(self.__commands) == 1:
            self.give_up(f"began a move {TRIES} times and got nowhere: check its wheels, its battery and its link")
            return
        self.__go_on()

    def __is_late(self) -> bool:
        """A move was not over when it had to be; whether that was once too often, and the robot is given up."""
        self.__commands.late_parts += 1
        if self.__commands.late_parts == TRIES:
            self.give_up(f"ran out of time {TRIES} times in one move: check its wheels, its battery and its link")
        return self.failed

    def __halt(self) -> None:
        self.reminders.drop(_DEADLINE)
        self.halting = True
        self.__halts = 0
        self.__halt_again()

    def __halt_again(self) -> None:
        if self.__halts == TRIES:
            self.give_up(
                f"was told to stop {TRIES} times and does not say how far it got{self.__complaint()}: "
                "see that it stands still, and check its link"
            )
            return
        self.__halts += 1
        self.reminders.set(_HALT, self.time + self.patience)
        self.halt()

    # questions

    def __ask(self, question: Question) -> None:
        if question and not question.tries and self.ready:
            self.__ask_again(question)

    def __ask_again(self, question: Question) -> None:
        if question.tries == TRIES:
            self.give_up(
                f"does not answer: its {question.what} sensors were asked {TRIES} times{self.__complaint()}, "
                f"{self.patience:g} s apart; check them, and its link; if that is slow, let answer_within be longer"
            )
            return
        question.tries += 1
        self.reminders.set(question.what, self.time + self.patience)
        if question is self.ranging_question:
            self.sense()
        else:
            self.feel()

    def __answer(self, question: Question, port: Port[Any], answer: Ranges | Touch) -> None:
        for _ in range(question.answered()):
            self.tell(port, answer)

    def __rounded(self, distance: float) -> float:
        """As virtual sensors round."""
        reach, resolution = self.settings.reach, self.settings.resolution
        if resolution and distance < inf:
            per_metre = 1.0 / resolution
            distance = round(distance * per_metre) / per_metre
        return distance if distance <= reach + 0.5 * resolution + 1e-9 else inf

    def __complaint(self) -> str:
        return f" (what came last was dropped: {self.__last_dropped})" if self.__last_dropped else ""


def _in_words(beams: tuple[float, ...]) -> str:
    if beams == (0.0,):
        return "one beam, straight ahead"
    return f"{len(beams)} beams at {', '.join(f'{degrees(bearing):g}' for bearing in beams)} degrees"


def _can_be(counted: float, told: float, further: float) -> bool:
    """Whether a robot that was told to move so far, and may have gone on so much further, may have counted this."""
    return abs(counted) <= OVERSHOOT * (abs(told) + further) + SLACK
