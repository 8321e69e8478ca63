"""Robots that are Python classes in this process, for instance over gpiozero on the robot's own computer.

The address ``local:module:Class`` names one. It is spoken to in the JSON robot protocol, so that the driver of that
protocol serves it too.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import cos, inf, sin
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Protocol

import msgspec

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.naming import load_class
from devs_robotics.core.realtime.transport import Arrived, Counts, Transport
from devs_robotics.core.robots.plain_data import PlainData
from devs_robotics.hil.robot_protocol import (
    HEARTBEAT,
    SILENCE,
    UNREADABLE,
    Ask,
    Busy,
    Command,
    Data,
    Ending,
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
from devs_robotics.hil.transports.receiver import Receiver, reason_of

WAITING = 1000
"""Number of commands waiting for a busy robot at which further ones are dropped."""

REMEMBERED = 100
"""Number of answers of equipment that are remembered, so that nothing is carried out twice."""

STOPS_WITHIN = 1.0
"""Longest time at the end in which `move` has to return (s); after it, the robot is closed all the same."""

_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
_encoder = msgspec.json.Encoder()


class HardwareInterface(Protocol):
    """What the class of a robot must offer; it is made without arguments.

    It may also have ``touching()``, which says whether its whiskers touch something and is asked ten times per second;
    ``ask(name, data)``, which has equipment of its own do or measure something and returns the answer's fields, or None
    where there is nothing to tell; and ``close()``, which is called at the end. `move` is called in one thread, `ask`
    in another, and all else in a third.
    """

    def move(self, turn: float, distance: float, speed: float, turn_rate: float) -> tuple[float, float, bool]:
        """Rotate by `turn`, then go `distance` (rad, m, m/s, rad/s); return when that is done or `stop` was called.

        Returns what was turned and gone, and whether something stood in the way.
        """

    def stop(self) -> None:
        """Stop the wheels at once, and have `move` return; called again while it does not."""

    def ranges(self) -> Sequence[float | None]:
        """What the range sensors see, from left to right (m from the sensor's face; None or infinite for nothing)."""


class LocalRobot(Transport):
    """The link to a robot that is a class in this process.

    The robot stops when its move's deadline has passed or the host is silent, as one on a wire does. Whatever the
    class or the receiver raises takes the link down for good, with that as its reason.

    Args:
        target: ``module:Class``

    Raises:
        DevsRoboticsError: there is no such class, or it cannot be a robot
    """

    def __init__(self, target: str) -> None:
        self.address = f"local:{target}"
        self.counts = Counts()
        self._class = _robot_class(target)
        self._ended = Event()
        self._host: _Host | None = None
        self._thread: Thread | None = None

    def listen(self, channel: str) -> None:
        """Nothing to do: there is one channel."""

    def open(self, arrived: Arrived) -> None:
        """Make the robot, in a thread of its own."""
        self._ended.clear()
        self._host = _Host(self._class, self.address, self.counts, Receiver(arrived, self._ended))
        self._thread = Thread(target=self._host.run, name=self.address, daemon=True)
        self._thread.start()

    def send(self, channel: str, data: bytes) -> None:
        """Queue a command."""
        host = self._host
        if host is None or not host.up or host.inbox.qsize() >= WAITING:
            self.counts.dropped += 1
        else:
            self.counts.sent += 1
            host.inbox.put(data)

    def flush(self, timeout: float) -> None:
        """Wait until the robot has obeyed what it was sent."""
        host = self._host
        if host is not None and host.up:
            obeyed = Event()
            host.inbox.put(obeyed)
            obeyed.wait(timeout)

    def close(self, timeout: float = 1.0) -> None:
        """Let the robot obey what it was sent, stop it, and end."""
        host, thread, self._host, self._thread = self._host, self._thread, None, None
        if host is not None and thread is not None:
            host.closing.set()
            host.inbox.put(b"")  # wakes it
            thread.join(timeout + STOPS_WITHIN)
            self._ended.set()


def _robot_class(target: str) -> Callable[[], HardwareInterface]:
    found = load_class(target, "robot")
    missing = [name for name in ("move", "stop", "ranges") if not callable(getattr(found, name, None))]
    if missing:
        raise DevsRoboticsError(
            f"the class {target!r} is no robot: it lacks {', '.join(missing)} (docs/add-a-robot.md)"
        )
    return found


class _Returned(msgspec.Struct, frozen=True):
    """What a call of `move` has returned."""

    turn: float
    distance: float
    blocked: bool


class _Answer(msgspec.Struct, frozen=True):
    """What a call of `ask` has returned."""

    ask: Ask
    data: PlainData | None


class _Host:
    """The robot's side of the JSON robot protocol: one thread calls `move`, one `ask`, and this one does all else.

    Attributes:
        up: whether the robot is there
        inbox: commands, and what the other thread has to say
        closing: set when it is to end
    """

    def __init__(self, make: Callable[[], HardwareInterface], address: str, counts: Counts, receiver: Receiver) -> None:
        self.up = False
        self.inbox: SimpleQueue[bytes | _Returned | _Answer | BaseException | Event] = SimpleQueue()
        self.closing = Event()
        self._receiver = receiver
        self._make = make
        self._address = address
        self._counts = counts
        self._session = secrets.token_hex(8)
        self._number: int | None = None
        """Of the robot, once a command has told."""
        self._moves: SimpleQueue[Move | None] = SimpleQueue()
        self._asks: SimpleQueue[Ask | None] = SimpleQueue()
        self._over = Event()
        """No move and no request begins any more."""
        self._asked: int | None = None
        """The largest id of a request to equipment of its own; None: it has none."""
        self._told: OrderedDict[int, Told | Busy] = OrderedDict()
        """What that has answered, and what it is at."""
        self._move: Move | None = None
        self._next: Move | None = None
        self._ending: Ending | None = None
        """Why the move was told to stop."""
        self._began_at = self._heard_at = -inf
        self._moved: Moved | None = None
        self._beats = 0
        self._touching = False
        self._x = self._y = self._heading = 0.0

    def run(self) -> None:
        """Live until the link is closed, or the class raises something."""
        try:
            robot = self._make()
            try:
                self._live(robot)
            finally:
                self.up = False
                self._end(robot)
        except BaseException as error:  # whatever somebody's class raises, SystemExit too
            self._receiver.down(f"{self._address} failed: {reason_of(error)}")

    def _live(self, robot: HardwareInterface) -> None:
        self._robot = robot
        self._mover = Thread(target=self._call_move, args=(robot,), name=f"moves of {self._address}", daemon=True)
        self._mover.start()
        if callable(ask := getattr(robot, "ask", None)):
            self._asked = 0
            Thread(target=self._call_ask, args=(ask,), name=f"requests of {self._address}", daemon=True).start()
        self.up = True
        self._receiver.up()
        beat_at = time.monotonic()
        while not (self.closing.is_set() and self.inbox.empty()):
            with suppress(Empty):
                self._take(self.inbox.get(timeout=max(0.0, beat_at - time.monotonic())))
            if time.monotonic() >= beat_at:
                self._beat()
                beat_at += HEARTBEAT

    def _end(self, robot: HardwareInterface) -> None:
        """Stop the robot, and close it whatever became of that."""
        self._over.set()
        self._moves.put(None)
        self._asks.put(None)
        try:
            self._stop_for_good(robot)
        finally:
            close = getattr(robot, "close", None)
            if close is not None:
                close()

    def _stop_for_good(self, robot: HardwareInterface) -> None:
        """Have the robot stop until `move` has returned: it may only just have been called, and a stop may fail."""
        until = time.monotonic() + STOPS_WITHIN
        while True:
            fault: BaseException | None = None
            try:
                robot.stop()
            except BaseException as error:
                fault = error
            self._mover.join(HEARTBEAT)
            if (fault is None and not self._mover.is_alive()) or time.monotonic() > until:
                break
            if fault is not None:
                time.sleep(HEARTBEAT)
        if fault is not None:
            raise fault

    def _call_move(self, robot: HardwareInterface) -> None:
        """The other thread."""
        while (move := self._moves.get()) is not None and not self._over.is_set():
            try:
                turn, distance, blocked = robot.move(move.turn, move.distance, move.speed, move.turn_rate)
                self.inbox.put(_Returned(float(turn), float(distance), bool(blocked)))
            except BaseException as error:  # whatever somebody's class raises, SystemExit too
                self.inbox.put(error)

    def _call_ask(self, call: Callable[[str, PlainData], Any]) -> None:
        """The thread for equipment of its own."""
        while (ask := self._asks.get()) is not None and not self._over.is_set():
            try:
                said = call(ask.name, dict(ask.data))
                self.inbox.put(_Answer(ask, msgspec.convert(said, Data | None)))
            except BaseException as error:  # whatever somebody's class raises, SystemExit too
                self.inbox.put(error)

    def _take(self, item: bytes | _Returned | _Answer | BaseException | Event) -> None:
        if isinstance(item, BaseException):
            raise item
        if isinstance(item, Event):
            item.set()
            return
        if isinstance(item, _Returned):
            self._returned(item)
            return
        if isinstance(item, _Answer):
            self._answered(item)
            return
        try:
            command = _decoder.decode(item)
        except UNREADABLE:
            self._counts.dropped += bool(item)
            return
        self._number = command.robot
        self._obey(command)

    def _obey(self, command: Command) -> None:
        if isinstance(command, Move):
            self._told_to_move(command)
        elif isinstance(command, Stop):
            self._next = None
            self._give_up("stopped")
        elif isinstance(command, Sense):
            self._look(command)
        elif isinstance(command, Ask):
            self._request(command)
        elif isinstance(command, Heartbeat):
            self._heard_at = time.monotonic()

    def _told_to_move(self, move: Move) -> None:
        if self._moved is not None and move.id == self._moved.id:
            self._say(self._moved)
        elif self._move is None:
            self._begin(move)
        elif move.id != self._move.id:
            self._next = move
            self._give_up("replaced")

    def _begin(self, move: Move) -> None:
        self._move, self._next, self._ending = move, None, None
        self._began_at = time.monotonic()
        self._moves.put(move)

    def _give_up(self, ending: Ending) -> None:
        if self._move is not None:
            self._ending = self._ending or ending
        self._robot.stop()

    def _returned(self, returned: _Returned) -> None:
        move, self._move = self._move, None
        if move is None or self._number is None:
            return
        ending = self._ending or ("blocked" if returned.blocked else "done")
        self._moved = Moved(self._number, self._session, move.id, returned.turn, returned.distance, ending)
        self._heading += returned.turn
        self._x += returned.distance * cos(self._heading)
        self._y += returned.distance * sin(self._heading)
        self._say(self._moved)
        if self._next is not None:
            self._begin(self._next)

    def _look(self, question: Sense) -> None:
        seen = self._robot.ranges()
        values = tuple([None if value is None or value == inf else float(value) for value in seen])
        self._say(Ranges(question.robot, self._session, question.id, values, self._touching))

    def _request(self, ask: Ask) -> None:
        """Have equipment of its own asked, once."""
        if self._asked is None:
            return
        self._asked = max(self._asked, ask.id)
        if ask.id in self._told:
            self._say(self._told[ask.id])
        else:
            self._told[ask.id] = Busy(ask.robot, self._session, ask.id, ask.name)
            self._asks.put(ask)

    def _answered(self, answer: _Answer) -> None:
        ask = answer.ask
        self._told[ask.id] = Told(ask.robot, self._session, ask.id, ask.name, answer.data)
        self._say(self._told[ask.id])
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    def _beat(self) -> None:
        """See whether the robot must stop and what its whiskers say, and tell how it is."""
        now = time.monotonic()
        if self._move is not None:
            if now >= self._began_at + self._move.deadline:
                self._ending = self._ending or "deadline"
            elif now >= max(self._began_at, self._heard_at) + SILENCE:
                self._ending = self._ending or "silence"
            if self._ending is not None:
                self._robot.stop()
        if self._number is None:
            return
        touching = bool(getattr(self._robot, "touching", _feels_nothing)())
        if touching != self._touching:
            self._touching = touching
            self._say(Touch(self._number, self._session, touching))
        self._beats += 1
        moving = 0 if self._move is None else self._move.id
        last = 0 if self._moved is None else self._moved.id
        place = self._x, self._y, self._heading
        self._say(State(self._number, self._session, self._beats, moving, last, *place, self._asked))

    def _say(self, report: Report) -> None:
        self._counts.received += 1
        self._receiver.packet("", _encoder.encode(report))


def _feels_nothing() -> bool:
    return False
