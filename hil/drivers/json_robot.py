"""The driver of robots that speak the JSON robot protocol (docs/robot-protocol.md)."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import msgspec

from devs_robotics import Drive
from devs_robotics.hil.drivers.driver import Driver
from devs_robotics.hil.drivers.obedience import Obedience
from devs_robotics.hil.drivers.question import TRIES
from devs_robotics.hil.drivers.settings import DriverSettings
from devs_robotics.hil.robot_protocol import (
    HEARTBEAT,
    LARGEST,
    LATE_ANSWER,
    SILENCE,
    UNREADABLE,
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
    Touch,
)

GRACE = 3.0 * HEARTBEAT
"""Two robots with one address are told from one that has restarted by what is heard within this time (s)."""

FARTHEST = 2**52
"""A robot may mention no larger id but one that it was given: enough are left above it."""

SESSIONS = 8
"""So many sessions that are over are remembered."""

_decoder: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)
_encoder = msgspec.json.Encoder()
_RESTARTED = "it has restarted"


class JsonRobot(Driver):
    """A robot that carries moves out by itself, and stops by itself when the host is silent.

    Which move the robot is at, and which one it has ended last, it says with each heartbeat; a message that was lost
    shows in that, and is repeated. The number of a move is larger than any that the robot has ever mentioned. A robot
    that does what it was never told is commanded by somebody else, and given up.
    """

    schemes = ("mqtt", "mqtts", "local")
    stand_in = "broker"
    period = HEARTBEAT
    check = "check that it is switched on and connected to the broker, and its address"

    def __init__(self, name: str, robot: int, address: str, settings: DriverSettings) -> None:
        super().__init__(name, robot, address, settings)
        self._session = ""
        self._former: tuple[str, ...] = ()
        self._heard_at: float
        self._count = 0
        self._id = 0
        self._move: Move | None = None
        self._told_at: float
        """When the robot was told to begin its move, for the last time."""
        self._tries: int
        """How often it was told to."""
        self._ended: int
        """The last move that the robot has ended, as its heartbeat says."""
        self._beats: int
        """The robot's heartbeats, as it counts them."""
        self._restarted = False
        """Whether it has, in the middle of a move."""
        self._look: int
        self._feel: int
        """Numbers of the questions to range sensors and to whiskers that are not answered; 0 for none."""
        self._obedience = Obedience()
        self._probe: int
        """Number of a question that was asked after the robot was told to stop; 0 once it has been answered."""

    # hooks

    def last_words(self) -> Iterable[bytes]:
        """Stop."""
        return [_encoder.encode(Stop(self.robot))]

    def connected(self) -> None:
        """Stop, and wait for its heartbeat."""
        self._look = self._feel = self._probe = 0
        self.halt()

    def tick(self) -> None:
        """Tell the robot that the host is there, and see whether the robot is."""
        self._count += 1
        self._say(Heartbeat(self.robot, self._count))
        if self.ready and self.time - self._heard_at > SILENCE:
            self.lost(f"it has been silent for {SILENCE:g} s")

    def begin(self, drive: Drive) -> None:
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
        self._tell_move(self._move)

    def halt(self) -> None:
        """Stop, and say again how far it got if it has stopped already.

        A question goes with it: whatever the robot says after the answer, it says after it has stopped.
        """
        super().halt()
        if self.under_way is None or self._move is None:
            return
        self._probe = self._next_id()
        self._say(Sense(self.robot, self._probe))
        if self._ended == self._move.id:
            self._say(self._move)

    def sense(self) -> None:
        """Ask; a question that is repeated keeps its number."""
        self._look = self._look or self._next_id()
        self._say(Sense(self.robot, self._look))

    def feel(self) -> None:
        """Ask; the answer to any question says what the whiskers feel."""
        self._feel = self._feel or self._next_id()
        self._say(Sense(self.robot, self._feel))

    def heard(self, data: bytes) -> None:
        """Take a message of this robot."""
        report = self._decoded(data)
        if report is None or self._is_too_far(report) or not self._is_of_this_session(report):
            return
        self._heard_at = self.time
        if isinstance(report, Gone):
            self.lost("the broker has lost it")
        elif isinstance(report, State):
            self._take_state(report)
        elif isinstance(report, Moved):
            self._take_moved(report)
        elif isinstance(report, Ranges):
            self._take_ranges(report)
        elif isinstance(report, Touch):
            self.felt(report.touching)

    def reminded(self, what: str) -> None:
        """It has restarted, and is not two robots."""
        self.give_up(
            "has restarted in the middle of a move: how far it got is not known; put it back, and see that its power "
            "and its program hold"
        )

    # what the robot says

    def _decoded(self, data: bytes) -> Report | None:
        if len(data) > LARGEST:
            self.drop("too long")
            return None
        try:
            report = _decoder.decode(data)
        except UNREADABLE:
            self.drop("no message of the JSON robot protocol")
            return None
        if report.robot != self.robot:
            self.drop("another robot's")
            return None
        return report

    def _is_too_far(self, report: Report) -> bool:
        """Whether no valid id would be left above one that the robot mentions."""
        if not isinstance(report, State) or max(report.moving, report.last) <= max(FARTHEST, self._id):
            return False
        self.drop(f"an id above {FARTHEST} that the host has not used")
        if self.ready and report.session == self._session:
            self._is_somebody_elses(f"speaks of a move {max(report.moving, report.last)} that it was never told")
        elif not self.ready:
            self.lost(f"it mentions an id above {FARTHEST}, and has to be started anew")
        return True

    def _is_of_this_session(self, report: Report) -> bool:
        """Whether the robot is still the same one; notices one that has restarted, and a second one."""
        session = report.session
        if session == self._session:
            return True
        if isinstance(report, Gone):  # the broker notices late that it lost a robot that has since restarted
            self.drop("word of a session that is over")
            return False
        if session in self._former:
            self.give_up("is two robots that answer by turns: give each one an address of its own, and start them anew")
            return False
        if self._session:
            self._former = (*self._former, self._session)[-SESSIONS:]
            if self.under_way is not None:
                self._restarted = True
                self.lost("it has restarted")
                self.remind(_RESTARTED, GRACE)
        self._session = session
        self._obedience.new_session()
        self._beats = 0
        self._look = self._feel = 0
        return True

    def _take_state(self, state: State) -> None:
        if state.count <= self._beats:
            self.drop("a heartbeat that was overtaken")
            return
        self._beats = state.count
        self._ended = state.last
        self._id = max(self._id, state.moving, state.last)
        if self._restarted or self._is_somebody_elses(self._obedience.state(state, self.time)):
            return
        self.found()
        if self.under_way is not None and self._move is not None and state.moving != self._move.id:
            self._not_at_its_move(self._move)

    def _not_at_its_move(self, move: Move) -> None:
        """The move, or the word that it has ended, was lost on the way, unless it is still on its way."""
        if self.time - self._told_at < self.settings.answer_within:
            return
        if self.halting and self._ended != move.id:
            if not self._probe:  # else this may have been said before it heard of the move
                self.stopped(0.0, 0.0)
        elif not self.halting and self._tries == TRIES:
            self.give_up(
                f"was told {TRIES} times to move and does not answer, {self.patience:g} s apart: check its program, "
                "and its link; if that is slow, let answer_within be longer"
            )
        elif not self.halting:
            self._tell_move(move)

    def _is_somebody_elses(self, complaint: str) -> bool:
        """Whether there is anything wrong with what the robot does, which ends the run."""
        if complaint:
            self.give_up(
                f"{complaint}: somebody else commands it; end the other program, let nobody else publish to its topic, "
                "and put the robot back"
            )
        return bool(complaint)

    def _take_moved(self, moved: Moved) -> None:
        if self._is_somebody_elses(self._obedience.moved(moved, self._id)):
            return
        if self._move is None or moved.id != self._move.id:
            self.drop("the end of a move that was not under way")
        elif moved.ended == "done":
            self.moved(moved.turn, moved.distance)
        elif moved.ended == "blocked":
            self.blocked(moved.turn, moved.distance)
        else:
            self.stopped(moved.turn, moved.distance, late=moved.ended == "deadline" and not self.halting)

    def _take_ranges(self, ranges: Ranges) -> None:
        if ranges.id and ranges.id == self._look:
            self._look = 0
            self.ranged([inf if value is None else value for value in ranges.values])
        elif ranges.id and ranges.id == self._feel:
            self._feel = 0
            self.felt(ranges.touching)
        elif ranges.id and ranges.id == self._probe:
            self._probe = 0
        elif 0 < ranges.id <= self._id:
            self.drop(LATE_ANSWER)
        elif not self._is_somebody_elses(self._obedience.answer(ranges, self._id)):
            self.drop("an answer to no question")

    # what it is told

    def _next_id(self) -> int:
        self._id += 1
        return self._id

    def _tell_move(self, move: Move) -> None:
        self._obedience.told(move.id)
        self._tries += 1
        self._told_at = self.time
        self._say(move)

    def _say(self, command: Command) -> None:
        self.send(_encoder.encode(command))
