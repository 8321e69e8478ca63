"""A robot that speaks the JSON robot protocol (`hil.robot_protocol`) and drives by itself what it was told."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from math import cos, inf, sin

import msgspec

from devs_robotics.hil.lab.asked_equipment import AskedEquipment
from devs_robotics.hil.lab.core import Core
from devs_robotics.hil.lab.courses import Manoeuvre
from devs_robotics.hil.lab.surroundings import Surroundings
from devs_robotics.hil.robot_protocol import (
    HEARTBEAT,
    LARGEST,
    SILENCE,
    UNREADABLE,
    Ask,
    Command,
    Ending,
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

REMEMBERED = 1000
"""Number of ended moves that are remembered: they are told again, and are never carried out twice."""

_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_encoder = msgspec.json.Encoder()


class JsonStandIn(Core):
    """A stand-in with a controller of its own: it turns and drives until its wheels have counted the command.

    A move that is given up ends with locked wheels, at once. What is not a valid command of this robot is counted
    and dropped.

    Attributes:
        dropped: what was no valid command, by what was wrong
        session: chosen at random
    """

    def __init__(self, surroundings: Surroundings) -> None:
        super().__init__(surroundings)
        self.dropped: dict[str, int] = {}
        self.session = secrets.token_hex(8)
        self._robot = surroundings.plan.robot
        self._body = surroundings.body
        self._body.ended = self._course_over
        self._body.touched = self._whiskers
        self._move: Move | None = None
        self._course: Manoeuvre | None = None
        self._stop_by = inf
        self._last_heartbeat = -inf
        self._started = -inf
        self._ended: OrderedDict[int, Moved] = OrderedDict()
        self._last = 0
        self._beats = 0
        self._equipment = AskedEquipment(surroundings, self.session, self._tell)
        self._x = self._y = self._heading = 0.0

    def start(self) -> None:
        """Begin to tell its state."""
        self.surroundings.agenda.every(HEARTBEAT, self._beat)
        self._equipment.start()

    @property
    def will(self) -> bytes:
        """What is to be said when it is gone."""
        return _encoder.encode(Gone(self._robot, self.session))

    def heard(self, data: bytes) -> None:
        """Obey a command."""
        command = self._command(data)
        if isinstance(command, Move):
            self._heard_move(command)
        elif isinstance(command, Stop):
            self._give_up("stopped")
            self._body.course = None  # whatever drives it
        elif isinstance(command, Sense):
            self._sense(command)
        elif isinstance(command, Ask):
            self._equipment.ask(command, self._is_unheard)
        elif isinstance(command, Heartbeat):
            self._last_heartbeat = self.surroundings.now

    def _command(self, data: bytes) -> Command | None:
        """What a message says, if it is a command of this robot."""
        found = _read(data)
        if not isinstance(found, str):
            if found.robot != self._robot:
                found = "another robot's"
            elif isinstance(found, Ask) and not self._equipment.is_for(found):
                found = "for equipment that it does not have"
            else:
                return found
        self.dropped[found] = self.dropped.get(found, 0) + 1
        return None

    # moves

    def _heard_move(self, move: Move) -> None:
        if self._move is not None and move.id == self._move.id:
            return  # it is under way
        before = self._ended.get(move.id)
        if before is not None:
            self._tell(before)
            return
        self._give_up("replaced")
        place, plan = self.surroundings, self.surroundings.plan
        self._move = move
        self._started = place.now
        self._stop_by = place.now + move.deadline
        self._course = Manoeuvre(
            place.now,
            self._body.pose,
            move.turn,
            move.distance,
            speed=min(move.speed, plan.speed),
            turn_rate=min(move.turn_rate, plan.turn_rate),
            acceleration=plan.acceleration,
            axle=place.axle,
            slip=place.slip(),
        )
        self._body.course = self._course
        self._watch(move)

    def _watch(self, move: Move) -> None:
        """Look again when the move must end at the latest, or the host has been silent for too long."""
        if self._move is not move:
            return
        now = self.surroundings.now
        silent_at = max(self._last_heartbeat, self._started) + SILENCE
        if now >= self._stop_by:
            self._give_up("deadline")
        elif now >= silent_at:
            self._give_up("silence")
        else:
            self.surroundings.agenda.at(min(self._stop_by, silent_at), lambda: self._watch(move))

    def _is_unheard(self) -> bool:
        """Whether its host has fallen silent."""
        return self.surroundings.now - self._last_heartbeat > SILENCE

    def _course_over(self, blocked: bool) -> None:
        self._end("blocked" if blocked else "done")

    def _give_up(self, ending: Ending) -> None:
        if self._move is not None:
            self._body.course = None
            self._end(ending)

    def _end(self, ending: Ending) -> None:
        """The move is over; say what the wheels have counted."""
        move, course = self._move, self._course
        if move is None or course is None:
            return
        self._x, self._y, self._heading = self._reckoned()
        moved = Moved(self._robot, self.session, move.id, course.turned, course.gone, ending)
        self._move = self._course = None
        self._last = move.id
        self._ended[move.id] = moved
        if len(self._ended) > REMEMBERED:
            self._ended.popitem(last=False)
        self._tell(moved)

    # what it says

    def _sense(self, sense: Sense) -> None:
        plan = self.surroundings.plan
        values = tuple(self._reading(self.surroundings.see(beam, plan.reach)) for beam in plan.beams)
        self._tell(Ranges(self._robot, self.session, sense.id, values, self._body.touching))

    def _reading(self, distance: float) -> float | None:
        if distance == inf:
            return None
        resolution = self.surroundings.plan.resolution
        if not resolution:
            return distance
        steps_per_metre = 1.0 / resolution
        return round(distance * steps_per_metre) / steps_per_metre

    def _whiskers(self, touching: bool) -> None:
        self._tell(Touch(self._robot, self.session, touching))

    def _beat(self) -> None:
        if self._move is None and self._is_unheard():
            self._body.course = None  # what its own equipment has put it on
        self._beats += 1
        moving = 0 if self._move is None else self._move.id
        asked = self._equipment.last if self.surroundings.equipment else None
        self._tell(State(self._robot, self.session, self._beats, moving, self._last, *self._reckoned(), asked))

    def _reckoned(self) -> tuple[float, float, float]:
        """Where its wheels say that it is, from where it started."""
        if self._course is None:
            return self._x, self._y, self._heading
        heading = self._heading + self._course.turned
        gone = self._course.gone
        return self._x + gone * cos(heading), self._y + gone * sin(heading), heading

    def _tell(self, report: Report) -> None:
        self.say(_encoder.encode(report))


def _read(data: bytes) -> Command | str:
    """The command that a message is, or what is wrong with it."""
    if len(data) > LARGEST:
        return "too long"
    try:
        command = _decoder.decode(data)
    except UNREADABLE:
        return "no command"
    if isinstance(command, Move) and command.id == 0:  # which stands for no move in a state
        return "no command"
    return command
