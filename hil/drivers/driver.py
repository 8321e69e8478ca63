"""The driver of real robots: a DEVS model, which is the same for all of them; what differs is its protocol.

A driver neither reads a clock nor waits nor opens anything: it is told what arrives and when something is due, and says
what is to be sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from msgspec import Struct

from devs_robotics import Answered, Asked, Drive, HeldLink, Link, LostLink, Packet, Port, Ranges, Rolled, Touch
from devs_robotics.core.robots.plain_data import PlainData, UnfitError, plain, typed
from devs_robotics.hil.drivers.commands import Commands
from devs_robotics.hil.drivers.open_questions import OpenQuestion, Requests
from devs_robotics.hil.drivers.sentences import never_found, other_beams
from devs_robotics.hil.drivers.speaking import SpeakingDevice
from devs_robotics.hil.protocols.events import (
    Blocked,
    Busy,
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
    Told,
)
from devs_robotics.hil.protocols.naming import protocol_for
from devs_robotics.hil.protocols.protocol import TRIES, Protocol
from devs_robotics.hil.protocols.settings import DriverSettings

_LINK, _TICK, _DEADLINE, _HALT, _RANGING, _TOUCH = "link", "tick", "deadline", "halt", "ranging", "touch"
_OWN = "own "
"""Reminders of the protocol are told from the driver's by this prefix."""


class Driver(SpeakingDevice):
    """A real robot, spoken to in its protocol.

    The protocol knows what the robot's bytes mean. The driver sees to everything else: one move at a time, in their
    order; what is left of a move that was interrupted; deadlines; that what is not answered is asked again; a link that
    comes and goes; and when the robot is given up.

    Args:
        address: where the robot is, as a URL, for people
        protocol: of the robot, used by nobody else

    Attributes:
        protocol: the same
        linked: whether bytes can be sent
    """

    def __init__(self, name: str, address: str, protocol: Protocol) -> None:
        super().__init__(name, address, protocol)
        self.linked = False
        self._commands = Commands()
        self._ranging_question, self._touch_question = OpenQuestion(_RANGING), OpenQuestion(_TOUCH)
        self._other_beams: int | None = None
        """Of how many beams it told ranges last, if that is another number than was asked for."""
        self._requests: dict[str, Requests] = {}
        """By the names of equipment of the robot's own."""
        self._halts = 0
        self._reason = "its link never came up"
        self._was_ready = False
        self.reminders.set(_LINK, protocol.settings.link_within)

    def carries(self, name: str, asks: type[Struct], answers: type[Struct]) -> bool:
        """Whether its protocol does."""
        return self.protocol.carries(name, asks, answers)

    @property
    def unfound(self) -> str:
        """That its robot has never answered, a sentence; empty where it has."""
        within, was_there = self.protocol.settings.link_within, self._was_ready or self.failed
        return "" if was_there else never_found(self.robot, self.address, self._reason, self.protocol.check, within)

    # what TimedDevice tells

    def due(self, what: str, since: float) -> None:
        """Do what it is time for."""
        if what == _TICK:
            self.reminders.set(_TICK, since + self.protocol.period)
            self._do("tick")
        elif what == _DEADLINE:
            if not self._is_late():
                self._halt()
        elif what == _HALT:
            self._halt_again()
        elif what == _LINK:
            within = f"within {self.protocol.settings.link_within:g} s ({self._reason}): {self.protocol.check}"
            self.give_up(f"was lost and did not come back {within}" if self._was_ready else f"was not found {within}")
        elif what.startswith(_OWN):
            self._do("reminded", what.removeprefix(_OWN))
        else:
            self._ask_again(next(question for question in self._questions if question.what == what))

    def arrived(self, content: Packet | Link) -> None:
        """Hear the robot, or word of the link."""
        if isinstance(content, Link):
            self._link_changed(content)
        elif self.linked:
            self._do("feed", content.data)
        else:
            self.drop("came without a link")

    def commanded(self, drive: Drive) -> None:
        """Begin a move, after having cut off the one that is under way."""
        self._commands.put(drive)
        if self.now.under_way is None:
            self._go_on()
        elif self.now.ready and not self.now.halting:
            self._halt()

    def asked_ranging(self) -> None:
        """Ask the range sensors, unless they are being asked."""
        self._ranging_question.put()
        self._ask(self._ranging_question)

    def asked_touch(self) -> None:
        """Ask the whiskers, unless they are being asked."""
        self._touch_question.put()
        self._ask(self._touch_question)

    def asked_own(self, asked: Asked) -> None:
        """Ask equipment of the robot's own, when it has answered what it was asked before."""
        requests = self._requests.setdefault(asked.name, Requests(asked.name))
        requests.put(plain(asked.question))
        self._ask(requests)

    # what the protocol says

    def react(self, output: Output) -> None:
        """Do something about what the protocol says."""
        match output:
            case bytes():
                self.send(output)
            case Moved() | Blocked() | Stopped():
                self._ended(output)
            case Rolled() | Ranged() | Felt() | Told() | Busy():
                self._sensed(output)
            case Found():
                self.found()
            case Lost():
                self.lost(output.reason)
            case Dropped():
                self.drop(output.why, output.count)
            case GivenUp():
                self.give_up(output.why)
            case Remind():
                self.reminders.set(_OWN + output.what, self.time + output.after)
            case Forget():
                self.reminders.drop(_OWN + output.what)
            case _:
                raise TypeError("let it say bytes, or an event of devs_robotics.hil.protocols")

    def _sensed(self, output: Rolled | Ranged | Felt | Told | Busy) -> None:
        """Pass on what the robot's sensors say."""
        match output:
            case Rolled():
                self.tell(self.rolled, output)
            case Ranged():
                self._ranged(output.values)
            case Felt():
                self._felt(output.touching)
            case _:
                self._own_told(output)

    def found(self) -> None:
        """The robot answers: go on with what there is to do. What it was doing before, it is told to stop."""
        if self.now.ready or self.failed:
            return
        self.now.ready = self._was_ready = True
        self.reminders.drop(_LINK)
        if self.now.under_way is None:
            self._go_on()
        else:
            self._halt()
        for question in self._questions:
            self._ask(question)

    def lost(self, reason: str) -> None:
        """The robot does not answer any more; it is taken to be stopping, and waited for."""
        self._reason = reason
        if self.now.ready and not self.failed:
            self.now.ready = self.now.halting = False
            self.reminders.set(_LINK, self.time + self.protocol.settings.link_within)
            self.reminders.drop(_DEADLINE)
            self.reminders.drop(_HALT)
            for question in self._questions:
                self.reminders.drop(question.what)
                question.interrupted()

    # the link

    def _link_changed(self, link: Link) -> None:
        if isinstance(link, LostLink):
            self.give_up(link.reason)
        elif not link.up:
            self.now.unseen += link.unseen if isinstance(link, HeldLink) else 0.0
            self.linked = False
            self.reminders.drop(_TICK)
            self.lost(link.reason)
        elif not self.linked:
            self.linked = True
            self._reason = "there is a link, but the robot does not answer"
            if self.protocol.period < inf:
                self.reminders.set(_TICK, self.time)
            self._do("connect")

    # moves

    def _go_on(self) -> None:
        """Begin the next move, or the rest of one, unless there is nothing to do or nobody to do it."""
        while len(self._commands) > 1:  # one that is cut off by the next before it has begun
            self.tell(self.motor.answer, self._commands.finish())
        if self.now.ready and self.now.under_way is None and self._commands:
            rest = self._commands.rest()
            if rest is None:
                self.tell(self.motor.answer, self._commands.finish())
            else:
                self.now.under_way = rest
                self.now.unseen = 0.0
                self.reminders.set(_DEADLINE, self.time + self._asked("deadline", rest))
                self._do("begin", rest)

    def _ended(self, end: Moved | Blocked | Stopped) -> None:
        if self.now.under_way is None:
            self.drop("the end of a move that was not under way")
            return
        if not self._asked("believes", self.now.under_way, end.turn, end.distance):
            self.drop("more motion than it was told to make")
            return
        if isinstance(end, Stopped) and end.late and self._is_late():
            return
        self.now.under_way = None
        self.now.halting = False
        self.reminders.drop(_DEADLINE)
        self.reminders.drop(_HALT)
        self._commands.part_ended(end.turn, end.distance)
        if not isinstance(end, Stopped):
            self.tell(self.motor.answer, self._commands.finish(blocked=isinstance(end, Blocked)))
        elif self._commands.idle_parts >= TRIES and len(self._commands) == 1:
            self.give_up(f"began a move {TRIES} times and got nowhere: check its wheels, its battery and its link")
            return
        self._go_on()

    def _is_late(self) -> bool:
        """A move was not over when it had to be; whether that was once too often, and the robot is given up."""
        self._commands.late_parts += 1
        if self._commands.late_parts == TRIES:
            self.give_up(f"ran out of time {TRIES} times in one move: check its wheels, its battery and its link")
        return self.failed

    def _halt(self) -> None:
        self.reminders.drop(_DEADLINE)
        self.now.halting = True
        self._halts = 0
        self._halt_again()

    def _halt_again(self) -> None:
        if self._halts == TRIES:
            self.give_up(
                f"was told to stop {TRIES} times and does not say how far it got{self._complaint()}: "
                "see that it stands still, and check its link"
            )
            return
        self._halts += 1
        self.reminders.set(_HALT, self.time + self.protocol.patience)
        self._do("halt")

    # questions

    @property
    def _questions(self) -> list[OpenQuestion | Requests]:
        return [self._ranging_question, self._touch_question, *self._requests.values()]

    def _ask(self, question: OpenQuestion | Requests) -> None:
        if question and not question.tries and self.now.ready:
            self._ask_again(question)

    def _ask_again(self, question: OpenQuestion | Requests) -> None:
        if question.tries == TRIES:
            if question is self._ranging_question and self._other_beams is not None:
                self.give_up(other_beams(self._other_beams, len(self.protocol.settings.beams)))
                return
            self.give_up(
                f"does not answer: its {question.title} asked {TRIES} times{self._complaint()}, "
                f"{self.protocol.patience:g} s apart; check {question.them}, and its link; if the link is slow, make "
                "answer_within longer"
            )
            return
        question.tries += 1
        self.reminders.set(question.what, self.time + self.protocol.patience)
        if isinstance(question, Requests):
            again, question.begun = question.begun, True
            self._do("ask", question.name, dict(question.first), again)
        else:
            self._do("sense" if question is self._ranging_question else "feel")

    def _ranged(self, values: Sequence[float]) -> None:
        if not self._ranging_question.tries:
            self.drop("ranges that nobody asked for")
        elif len(values) != (beams := len(self.protocol.settings.beams)):
            self._other_beams = len(values)
            self.drop(f"ranges of other than {beams} beams")
        elif not all(value >= 0.0 for value in values):
            self.drop("ranges that are no distances")
        else:
            self._other_beams = None
            self.reminders.drop(_RANGING)
            answer = Ranges(tuple([self._rounded(value) for value in values]))
            self._answer(self._ranging_question, self.ranging.answer, answer)
            self._ask(self._ranging_question)

    def _felt(self, touching: bool) -> None:
        changed, self.now.touching = touching != self.now.touching, touching
        if self._touch_question.tries:
            self.reminders.drop(_TOUCH)
            self._answer(self._touch_question, self.touch.answer, Touch(touching))
            self._ask(self._touch_question)
        elif changed:
            self.tell(self.touch.answer, Touch(touching))

    def _own_told(self, told: Told | Busy) -> None:
        if isinstance(told, Busy):
            self._busy(told.name)
            return
        awaited = None if told.unasked else self._awaited(told.name)
        if told.name not in self.carried:
            self.drop("a message of equipment that is not asked")
        elif awaited is None and not (told.unasked and told.data is not None):
            self.drop("an answer to no question")
        elif (told.data is None or self._pass_on(told.name, told.data)) and awaited is not None:
            self.reminders.drop(awaited.what)
            awaited.answered()
            self._ask(awaited)

    def _pass_on(self, name: str, data: PlainData) -> bool:
        """Tell what equipment of the robot's own says, if it is a message of its type; returns whether it is."""
        _, kind = self.carried[name]
        try:
            answer = typed(data, kind)
        except UnfitError as error:
            self.drop(f"no valid {kind.__name__} of its {name}: {error}")
            return False
        self.tell(self.own.answer, Answered(name, answer))
        return True

    def _busy(self, name: str) -> None:
        awaited = self._awaited(name)
        if awaited is None:
            self.drop("an answer to no question")
        else:
            awaited.tries = 1
            self.reminders.set(awaited.what, self.time + self.protocol.patience)

    def _awaited(self, name: str) -> Requests | None:
        """What equipment of the robot's own has been asked and is to answer."""
        requests = self._requests.get(name)
        return requests if requests is not None and requests.tries else None

    def _answer(self, question: OpenQuestion, port: Port[Any], answer: Ranges | Touch) -> None:
        for _ in range(question.answered()):
            self.tell(port, answer)

    def _rounded(self, distance: float) -> float:
        """As virtual sensors round."""
        settings = self.protocol.settings
        reach, resolution = settings.reach, settings.resolution
        if resolution and distance < inf:
            per_metre = 1.0 / resolution
            distance = round(distance * per_metre) / per_metre
        return distance if distance <= reach + 0.5 * resolution + 1e-9 else inf


def driver_for(protocol: str) -> Callable[[str, int, str, DriverSettings], Driver]:
    """What makes drivers of robots that speak a protocol, of their name, number, address and settings.

    Args:
        protocol: its name, or ``module:Class`` of a protocol of one's own

    Raises:
        DevsRoboticsError: there is no such protocol
    """
    kind = protocol_for(protocol)

    def made(name: str, robot: int, address: str, settings: DriverSettings) -> Driver:
        return Driver(name, address, kind(robot, settings))

    return made
