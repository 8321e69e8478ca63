"""Recorded sessions: all that came over the wire with its times, and what was said; played again, the same is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from xdevs.models import Atomic
from xdevs.models import Port as XdevsPort

from devs_robotics import DevsRoboticsError, Link, Packet, Post, Simulator
from devs_robotics.core.observe.observer import Observer
from devs_robotics.core.observe.output import Output
from devs_robotics.core.robots.outside import Ordered
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile
from devs_robotics.hil.pera_swarm.gateway import Server
from devs_robotics.models.outsiders import Rules
from devs_robotics.scenarios.serving.world import ServedWorld, own_robots
from devs_robotics.scenarios.settings.loading import restored

FORMAT: Literal["devs-robotics session"] = "devs-robotics session"
VERSION = 2


class SessionError(DevsRoboticsError):
    """A recorded session cannot be read."""


class Head(Struct, frozen=True):
    """The first line of a recorded session: the world as it began; a scenario as JSON, if its robots live there."""

    file: ArenaFile
    rules: Rules
    server: Server
    awaited: int = 0
    scenario: str = ""
    format: str = FORMAT
    version: int = VERSION


class Word(Struct, frozen=True, omit_defaults=True):
    """Word of the link, or a packet.

    Attributes:
        up, reason: of a link
        channel, data, retained: of a packet
    """

    up: bool | None = None
    reason: str = ""
    channel: str = ""
    data: bytes = b""
    retained: bool = False

    @classmethod
    def of(cls, content: Packet | Link) -> Word:
        """As it is written down."""
        if isinstance(content, Link):
            return cls(content.up, content.reason)
        if isinstance(content, Post):
            return cls(channel=content.channel, data=content.data, retained=content.retained)
        return cls(data=content.data)

    @property
    def content(self) -> Packet | Link:
        """As it came."""
        return Post(self.data, self.channel, self.retained) if self.up is None else Link(self.up, self.reason)


class Came(Struct, frozen=True, tag="in", tag_field="way"):
    """What came at one time (s), in a step of the simulation."""

    at: float
    step: int
    words: tuple[Word, ...]


class Order(Struct, frozen=True, tag="order", tag_field="way"):
    """What robots were ordered from here at one time (s), in a step of the simulation."""

    at: float
    step: int
    orders: tuple[Ordered, ...]


class Went(Struct, frozen=True, tag="out", tag_field="way"):
    """What was said at one time (s)."""

    at: float
    words: tuple[Word, ...]


SessionLine = Came | Order | Went
_head = msgspec.json.Decoder(Head)
_line = msgspec.json.Decoder(SessionLine)


class SessionRecorder(Observer):
    """Writes a session to a file, while it happens.

    Args:
        path: of the file
        simulator: of the world
        world: the same
        head: what is written first

    Raises:
        TraceError: the file cannot be written
    """

    def __init__(self, path: str | Path, simulator: Simulator, world: ServedWorld, head: Head) -> None:
        self._simulator = simulator
        self._gateway = world.gateway
        self._output = Output(path)
        self._write(head, flush=True)

    def received(self, time: float, model: Atomic, port: XdevsPort[Any], values: tuple[Any, ...]) -> None:
        """Something came to the gateway."""
        if port is self._gateway.incoming:
            self._write(Came(time, self._simulator.steps, tuple([Word.of(each) for each in values])))
        elif port is self._gateway.order:
            self._write(Order(time, self._simulator.steps, values))

    def sent(self, time: float, model: Atomic, port: XdevsPort[Any], values: tuple[Any, ...]) -> None:
        """The gateway said something."""
        if port is self._gateway.outgoing:
            self._write(Went(time, tuple([Word.of(each) for each in values])))

    def ended(self, time: float) -> None:
        """The session is over."""
        self._output.end()

    def _write(self, content: Head | SessionLine, *, flush: bool = False) -> None:
        self._output.write(msgspec.json.encode(content) + b"\n", flush=flush)


def play(path: str | Path, record: str | Path | None = None) -> Replayed:
    """Play a recorded session again, as fast as it goes, and hold what is said against what was said.

    Args:
        path: of the recording
        record: where this one is recorded

    Raises:
        SessionError: it cannot be read
    """
    lines = _lines(Path(path))
    try:
        head = _head.decode(next(lines, b""))
    except msgspec.MsgspecError as error:
        raise SessionError(f"{path} is no recorded session: its first line is not the head of one") from error
    if (head.format, head.version) != (FORMAT, VERSION):
        raise SessionError(f"{path} is no recorded session of version {VERSION}: record it again")
    own = own_robots(restored(head.scenario)) if head.scenario else None
    world = ServedWorld("world", head.file, head.rules, head.server, head.awaited, own)
    expected: list[tuple[float, Word]] = []
    said: list[tuple[float, Word]] = []
    with Simulator(world) as simulator:
        if record is not None:
            simulator.attach(SessionRecorder(record, simulator, world, head), "world/gateway")
        end = 0.0
        for number, text in enumerate(lines, 2):
            try:
                line = _line.decode(text)
            except msgspec.MsgspecError as error:
                raise SessionError(f"{path} is broken at line {number}: {error}") from error
            end = max(end, line.at)
            if isinstance(line, Went):
                expected += [(line.at, word) for word in line.words]
                continue
            while simulator.steps < line.step and simulator.next_time <= line.at:
                _step(world, simulator, said)
            if isinstance(line, Came):
                simulator.inject(world.incoming, *[word.content for word in line.words], at=line.at)
            else:
                simulator.inject(world.order, *line.orders, at=line.at)
        while simulator.next_time <= end:
            _step(world, simulator, said)
    return Replayed(len(said), _first_difference(expected, said))


class Replayed(Struct, frozen=True):
    """How a session went when it was played again.

    Attributes:
        said: how many packets were said
        difference: the first one that was not the same, for people; empty: there is none
    """

    said: int
    difference: str


def _step(world: ServedWorld, simulator: Simulator, said: list[tuple[float, Word]]) -> None:
    simulator.run(max_steps=1)
    said += [(simulator.time, Word.of(each)) for each in world.outgoing.values]


def _first_difference(expected: list[tuple[float, Word]], said: list[tuple[float, Word]]) -> str:
    for number, (before, now) in enumerate(zip(expected, said, strict=False), 1):
        if before != now:
            return f"packet {number} at {before[0]:.6f} s was {_shown(before[1])}, and is {_shown(now[1])}"
    if len(expected) != len(said):
        return f"{len(expected)} packets were said, and now {len(said)}"
    return ""


def _shown(word: Word) -> str:
    return f"{word.channel} {word.data.decode(errors='replace')}"


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise SessionError(f"{path} cannot be read ({error.strerror}): name a recorded session") from error
