"""The protocol of robots that speak the JSON robot protocol (docs/robot-protocol.md)."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import msgspec

from devs_robotics.core.robots.messages import Drive
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.protocols.events import (
    Blocked,
    Dropped,
    Felt,
    Found,
    GivenUp,
    Lost,
    Output,
    Ranged,
    Remind,
    Stopped,
)
from devs_robotics.hil.protocols.events import Busy as AtIt
from devs_robotics.hil.protocols.events import Moved as MoveDone
from devs_robotics.hil.protocols.events import Told as Word
from devs_robotics.hil.protocols.json_requests import JsonRequests
from devs_robotics.hil.protocols.obedience import Obedience
from devs_robotics.hil.protocols.protocol import TRIES, Protocol
from devs_robotics.hil.protocols.settings import DriverSettings
from devs_robotics.hil.robot_protocol import (
    HEARTBEAT,
    LARGEST,
    LATE_ANSWER,
    SILENCE,
    UNREADABLE,
    Busy,
    Command,
    Gone,
    Heartbeat,
    Move,
    Moved,
    Ranges,
    Report,
    Sense,
    State,
    Stop,
    Told,
    Touch,
)

GRACE = 3.0 * HEARTBEAT
"""Time within which two robots with one address are told from one that has restarted (s)."""

FARTHEST = 2**52
"""Largest id that a robot may mention, unless it was given a larger one; above it, it has to be restarted."""

SESSIONS = 8
"""Number of sessions that are over and are remembered."""

_decoder: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)
_encoder = msgspec.json.Encoder()
_RESTARTED = "it has restarted"


class JsonRobot(Protocol):
    """A robot that carries moves out by itself, and stops by itself when the host is silent.

    Which move the robot is at, and which one it has ended last, it says with each heartbeat; a message that was lost
    shows in that, and is repeated. The number of a move is larger than any that the robot has ever mentioned. A robot
    that does what it was never told is commanded by somebody else, and given up.
    """

    schemes = ("mqtt", "mqtts", "local")
    equipment = None
    stand_in = "broker"
    period = HEARTBEAT
    check = "check that it is switched on and connected to the broker, and its address"

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self._session = ""
        self._former: tuple[str, ...] = ()
        self._heard_at = -inf
        self._count = 0
        self._id = 0
        self._move: Move | None = None
        self._told_at = -inf
        """When the robot was told to begin its move, for the last time."""
        self._tries = 0
        """How often it was told to."""
        self._ended = 0
        """The last move that the robot has ended, as its heartbeat says; 0 for none."""
        self._beats = 0
        """The robot's heartbeats, as it counts them."""
        self._restarted = False
        """Whether it has, in the middle of a move or of what its equipment was asked."""
        self._knows_ask = False
        """Whether its heartbeats say what its equipment was asked."""
        self._look = self._feel = 0
        """Numbers of the questions to range sensors and to whiskers that are not answered; 0 for none."""
        self._requests = JsonRequests(robot)
        self._obedience = Obedience()
        self._probe = 0
        """Number of a question that was asked after the robot was told to stop; 0 once it has been answered."""

    # hooks

    def stop_message(self) -> list[bytes]:
        """Stop."""
        return [_encoder.encode(Stop(self.robot))]

    def connect(self) -> Iterator[Output]:
        """Stop, and wait for its heartbeat."""
        self._look = self._feel = self._probe = 0
        yield from self.halt()

    def tick(self) -> Iterator[Output]:
        """Tell the robot that the host is there, and see whether the robot is."""
        self._count += 1
        yield _said(Heartbeat(self.robot, self._count))
        if self.now.ready and self.now.time - self._heard_at > SILENCE:
            yield Lost(f"it has been silent for {SILENCE:g} s")

    def begin(self, drive: Drive) -> Iterator[Output]:
        """Command a new move."""
        settings = self.settings
        self._move = Move(
            robot=self.robot,
            id=self._next_id(),
            turn=drive.turn,
            distance=drive.distance,
            speed=settings.speed,
            turn_rate=settings.turn_rate,
            deadline=self.deadline(drive),
        )
        self._tries = 0
        yield self._tell_move(self._move)

    def halt(self) -> Iterator[Output]:
        """Stop, and say again how far it got if it has stopped already.

        A question goes with it: whatever the robot says after the answer, it says after it has stopped.
        """
        yield from super().halt()
        if self.now.under_way is None or self._move is None:
            return
        self._probe = self._next_id()
        yield _said(Sense(self.robot, self._probe))
        if self._ended == self._move.id:
            yield _said(self._move)

    def sense(self) -> Iterator[Output]:
        """Ask; a question that is repeated keeps its number."""
        self._look = self._look or self._next_id()
        yield _said(Sense(self.robot, self._look))

    def feel(self) -> Iterator[Output]:
        """Ask; the answer to any question says what the whiskers feel."""
        self._feel = self._feel or self._next_id()
        yield _said(Sense(self.robot, self._feel))

    def ask(self, name: str, data: PlainData, again: bool) -> Iterator[Output]:
        """Ask; a request that is repeated keeps its number, so that it is carried out once."""
        if self._knows_ask:
            yield self._requests.ask(name, data, again, self._next_id)
        else:
            yield GivenUp(
                f"does not know the message `ask`, and its {name} is to be real: teach its program the messages ask "
                f"and told (docs/robot-protocol.md), or let its {name} be virtual"
            )

    def feed(self, data: bytes) -> Iterator[Output]:
        """Take a message of this robot."""
        report = self._decoded(data)
        if isinstance(report, Dropped):
            yield report
        elif isinstance(report, State) and _largest(report) > max(FARTHEST, self._id):
            yield from self._too_far(report)
        elif report.session == self._session:
            yield from self._take(report)
        elif isinstance(report, Gone):  # the broker notices late that it lost a robot that has since restarted
            yield Dropped("a message of a session that is over")
        elif report.session in self._former:
            yield GivenUp("is two robots that answer in turn: give each robot an address of its own, and restart both")
        else:
            yield from self._begin_session(report.session)
            yield from self._take(report)

    def reminded(self, what: str) -> Iterator[Output]:
        """It has restarted, and is not two robots."""
        asked = self._requests.unanswered
        if self.now.under_way is None and asked:
            yield GivenUp(
                f"has restarted before its {asked} answered, so that nobody knows whether it did what it was asked: "
                "look at the robot, and check its power and its program"
            )
            return
        yield GivenUp(
            "has restarted in the middle of a move, so that nobody knows how far it got: put it back, and check its "
            "power and its program"
        )

    # what the robot says

    def _decoded(self, data: bytes) -> Report | Dropped:
        if len(data) > LARGEST:
            return Dropped("too long")
        try:
            report = _decoder.decode(data)
        except UNREADABLE:
            return Dropped("no message of the JSON robot protocol")
        return report if report.robot == self.robot else Dropped("another robot's")

    def _too_far(self, state: State) -> Iterator[Output]:
        """No valid id would be left above one that the robot mentions."""
        yield Dropped(f"an id above {FARTHEST} that the host has not used")
        if self.now.ready and state.session == self._session:
            number = _largest(state)
            yield _somebody_elses(f"speaks of a move {number} that it was never told")
        elif not self.now.ready:
            yield Lost(f"it mentions an id above {FARTHEST}, and has to be restarted")

    def _begin_session(self, session: str) -> Iterator[Output]:
        """The robot is a new one, or has started anew."""
        if self._session:
            self._former = (*self._former, self._session)[-SESSIONS:]
            if self.now.under_way is not None or self._requests.unanswered:
                self._restarted = True
                yield Lost("it has restarted")
                yield Remind(_RESTARTED, GRACE)
        self._session = session
        self._obedience.new_session()
        self._beats = 0
        self._look = self._feel = 0

    def _take(self, report: Report) -> Iterator[Output]:
        self._heard_at = self.now.time
        if isinstance(report, Gone):
            yield Lost("the broker has lost it")
        elif isinstance(report, State):
            yield from self._take_state(report)
        elif isinstance(report, Moved):
            yield self._end_of(report)
        elif isinstance(report, Ranges):
            yield from self._take_ranges(report)
        elif isinstance(report, Told | Busy):
            yield self._take_told(report)
        elif isinstance(report, Touch):
            yield Felt(report.touching)

    def _take_state(self, state: State) -> Iterator[Output]:
        if state.count <= self._beats:
            yield Dropped("a heartbeat that came after a later one")
            return
        self._beats = state.count
        self._ended = state.last
        self._knows_ask = state.asked is not None
        given, self._id = self._id, max(self._id, _largest(state))
        if self._restarted:
            return
        complaint = self._obedience.asked(state, given) or self._obedience.state(state, self.now.time)
        if complaint:
            yield _somebody_elses(complaint)
            return
        yield Found()
        if self.now.under_way is not None and self._move is not None and state.moving != self._move.id:
            yield from self._not_at_its_move(self._move)

    def _not_at_its_move(self, move: Move) -> Iterator[Output]:
        """The move, or the word that it has ended, was lost on the way, unless it is still on its way."""
        if self.now.time - self._told_at < self.settings.answer_within:
            return
        if self.now.halting and self._ended != move.id:
            if not self._probe:  # else this may have been said before it heard of the move
                yield Stopped(0.0, 0.0)
        elif not self.now.halting and self._tries == TRIES:
            yield GivenUp(
                f"was told to move {TRIES} times, {self.patience:g} s apart, and does not answer: check its program "
                "and its link; if the link is slow, make answer_within longer"
            )
        elif not self.now.halting:
            yield self._tell_move(move)

    def _end_of(self, moved: Moved) -> Output:
        complaint = self._obedience.moved(moved, self._id)
        if complaint:
            return _somebody_elses(complaint)
        if self._move is None or moved.id != self._move.id:
            return Dropped("the end of a move that was not under way")
        if moved.ended == "done":
            return MoveDone(moved.turn, moved.distance)
        if moved.ended == "blocked":
            return Blocked(moved.turn, moved.distance)
        return Stopped(moved.turn, moved.distance, late=moved.ended == "deadline" and not self.now.halting)

    def _take_ranges(self, ranges: Ranges) -> Iterator[Output]:
        if ranges.id and ranges.id == self._look:
            self._look = 0
            yield Ranged(tuple([inf if value is None else value for value in ranges.values]))
        elif ranges.id and ranges.id == self._feel:
            self._feel = 0
            yield Felt(ranges.touching)
        elif ranges.id and ranges.id == self._probe:
            self._probe = 0
        else:
            yield self._answers_nothing(ranges)

    def _take_told(self, told: Told | Busy) -> Output:
        is_asked = self._requests.is_about(told)
        if isinstance(told, Told) and (is_asked or told.id == 0):
            return Word(told.name, told.data, unasked=not is_asked)
        return AtIt(told.name) if is_asked else self._answers_nothing(told)

    def _answers_nothing(self, answer: Ranges | Told | Busy) -> Output:
        if 0 < answer.id <= self._id:
            return Dropped(LATE_ANSWER)
        complaint = self._obedience.answer(answer, self._id)
        return _somebody_elses(complaint) if complaint else Dropped("an answer to no question")

    # what it is told

    def _next_id(self) -> int:
        self._id += 1
        return self._id

    def _tell_move(self, move: Move) -> bytes:
        self._obedience.told(move.id)
        self._tries += 1
        self._told_at = self.now.time
        return _said(move)


def _largest(state: State) -> int:
    """The largest id that a robot mentions."""
    return max(state.moving, state.last, state.asked or 0)


def _somebody_elses(complaint: str) -> GivenUp:
    """What ends the run of a robot with which there is anything wrong in what it does."""
    return GivenUp(
        f"{complaint}: somebody else commands it; end the other program, let nobody else publish to its topic, "
        "and put the robot back"
    )


def _said(command: Command) -> bytes:
    return _encoder.encode(command)
