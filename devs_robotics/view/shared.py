"""What a run and its view share: a block of memory in which each writes its own part, and nobody ever waits.

The block is a file that both map. It has cells; a cell has one writer. A cell's number is written before and after its
content, with a checksum: who finds them wrong reads again later. There is no lock, no queue and no thread.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import msgspec
from msgspec import Struct

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.view.scene import Mark, Scene

RunState = Literal["starting", "running", "paused", "ended", "failed"]
"""How a run is."""

BATCHES = 16
"""Number of the last batches of messages that stay."""

CELLS = {
    "about": 1 << 14,
    "status": 1 << 12,
    "wish": 1 << 12,
    "state": 1 << 22,
    "scene": 1 << 25,
    "marks": 1 << 24,
}
"""Size of each cell (bytes); the file is sparse, so that only what is written takes memory."""

BATCH = 1 << 20
"""Size of a batch's cell (bytes)."""

_HEAD = struct.Struct("<QQII")
"""Number before, number after, length, checksum."""


class About(Struct, frozen=True):
    """What does not change of a run.

    Attributes:
        session: random, another one with each run
        pid: of the run's process
        title, stage: of the run
        rate: simulated seconds per real second; 0: as fast as the events allow
        control: what a viewer with a token may ask for
        refused: why it may not pause the run; empty where it may
        follow: number of the robot that the case study is about; 0: none
        pictures: most states per real second
    """

    session: str
    pid: int
    title: str
    stage: str
    rate: float
    control: tuple[str, ...] = ()
    refused: str = ""
    follow: int = 0
    pictures: float = 30.0


class RunStatus(Struct, frozen=True):
    """How a run is; written by it.

    Attributes:
        state: of the run
        time: simulated (s)
        pace: simulated seconds per real second; 0: as fast as the events allow
        late: of its last events, the median and the 95 % percentile (simulated s)
        looks: how often its poses were copied
        observers: how many observers are attached for viewers
        answered: number of the last command that it has taken
        refusal: why it has not obeyed it; empty: it has
        reason: why it is over
        replay: file of what was recorded of it, once it is there; empty: none
    """

    state: RunState = "starting"
    time: float = 0.0
    pace: float = 0.0
    late: tuple[float, float] | None = None
    looks: int = 0
    observers: int = 0
    answered: int = 0
    refusal: str = ""
    reason: str = ""
    replay: str = ""


class Wish(Struct, frozen=True):
    """What viewers want of a run; written by the view.

    Attributes:
        beat: when it was written (monotonic, s): a view that has died wants nothing any more
        rate: looks per real second; 0: nobody looks
        events: whether messages, rays and touches are wanted
        metrics: whether values over time are wanted
        command: number of the last command; 0: none yet
        do: pause, resume, step, or pace
        value: of the command, such as a pace or "pose"
    """

    beat: float = 0.0
    rate: float = 0.0
    events: bool = False
    metrics: bool = False
    command: int = 0
    do: str = ""
    value: float | str | None = None


class ObservationBatch(Struct, frozen=True):
    """What was seen since the batch before.

    Attributes:
        time: simulated (s)
        items: messages, rays, touches: a kind, a time, and what it is, as it was sent
        skipped: how many were dropped since there were too many
        series: new values over time, by name: pairs of time (s) and value
    """

    time: float
    items: list[Any] = []
    skipped: int = 0
    series: dict[str, list[tuple[float, float]]] = {}


class SceneNow(Struct, frozen=True):
    """A scene as it is at one time.

    Attributes:
        revision: from 1
        time: simulated, since when it is so (s)
        scene: with all who have ever been there
        gone: slots of who has left
    """

    revision: int
    time: float
    scene: Scene
    gone: list[int] = []


class MarksNow(Struct, frozen=True):
    """How marks differ from those of the scene, at one time.

    Attributes:
        time: simulated (s)
        changed: marks that are others, by name; None for those that are gone
    """

    time: float
    changed: dict[str, Mark | None] = {}


class MemoryCell:
    """A place for one message, by one writer.

    Args:
        memory: of the whole block
        at: where it begins
        size: of it
    """

    def __init__(self, memory: mmap.mmap, at: int, size: int) -> None:
        self._memory = memory
        self._at = at
        self.room = size - _HEAD.size
        self.number = _HEAD.unpack_from(memory, at)[0]
        """Of what was written last."""

    def write(self, data: bytes) -> int:
        """Put a message into it; returns its number.

        Raises:
            ValueError: it is too long
        """
        if len(data) > self.room:
            raise ValueError(f"{len(data)} bytes do not fit into a cell of {self.room}")
        memory, at, number = self._memory, self._at, self.number + 1
        _HEAD.pack_into(memory, at, number, self.number, len(data), 0)
        memory[at + _HEAD.size : at + _HEAD.size + len(data)] = data
        _HEAD.pack_into(memory, at, number, number, len(data), zlib.crc32(data))
        self.number = number
        return int(number)

    def written(self) -> int:
        """Number of what is in it now; 0: nothing yet."""
        return int(_HEAD.unpack_from(self._memory, self._at)[0])

    def read(self) -> tuple[int, bytes] | None:
        """The number and the message in it; None where there is none, or one is just being written."""
        memory, at = self._memory, self._at
        before, after, length, checksum = _HEAD.unpack_from(memory, at)
        if not before or before != after or length > self.room:
            return None
        data = memory[at + _HEAD.size : at + _HEAD.size + length]
        if _HEAD.unpack_from(memory, at)[:2] != (before, before) or zlib.crc32(data) != checksum:
            return None
        return int(before), data


class SharedBlock:
    """The whole of it.

    Args:
        path: of the file, which is there already

    Raises:
        DevsRoboticsError: it is no such file
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = -1
        try:
            with path.open("r+b") as file:
                self._memory = mmap.mmap(file.fileno(), SIZE)
                self._held = _hold(file.fileno())
        except (OSError, ValueError) as exc:
            raise DevsRoboticsError(f"{path} is no memory that a run shares with its view: {exc}") from exc
        places = {name: at for name, at, _ in _places()}
        sizes = {name: size for name, _, size in _places()}
        cells = {name: MemoryCell(self._memory, places[name], sizes[name]) for name in places}
        self.about, self.status, self.wish = cells["about"], cells["status"], cells["wish"]
        self.state, self.scene, self.marks = cells["state"], cells["scene"], cells["marks"]
        self.batches = [cells[f"batch{number}"] for number in range(BATCHES)]

    @classmethod
    def create(cls) -> SharedBlock:
        """A new one, in memory where the system has a place for such files; only this user can read it.

        Those whose runs and views have all been killed are removed.
        """
        shared = Path("/dev/shm")
        folder = shared if os.access(shared, os.W_OK) else Path(tempfile.gettempdir())
        _clear(folder)
        number, name = tempfile.mkstemp(prefix=PREFIX, dir=folder)
        os.truncate(number, SIZE)
        os.close(number)
        return cls(Path(name))

    def remove(self) -> None:
        """Nobody needs it any more; a view that still has it may go on reading."""
        self.close()
        for path in (self.path, self.replay_path):
            with suppress(OSError):
                path.unlink()

    @property
    def replay_path(self) -> Path:
        """Where the run leaves what was recorded of it."""
        return self.path.with_name(f"{self.path.name}{REPLAY}")

    def close(self) -> None:
        """Read and write it no more."""
        self._memory.close()
        if self._held >= 0:
            os.close(self._held)
            self._held = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


REPLAY = ".replay"
"""End of the name of what was recorded, beside the block."""

PREFIX = "devs-robotics-view-"
"""Of the names of blocks."""

YOUNG = 60.0
"""A block that is younger may not be held yet by who has made it (s)."""


def _hold(number: int) -> int:
    """Hold an open file while this process lives, or until what is returned is closed; -1 where none can be held."""
    if sys.platform == "win32":
        return -1
    import fcntl

    held = os.dup(number)
    with suppress(OSError):  # whoever removes it just now has found that nobody held it
        fcntl.flock(held, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return held


def _clear(folder: Path) -> None:
    """Remove blocks of this user's that no process holds any more."""
    if sys.platform == "win32":
        return
    import fcntl

    for path in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):
            about = path.lstat()
            if about.st_uid != os.getuid() or time.time() - about.st_mtime < YOUNG or path.suffix == REPLAY:
                continue
            number = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()
                path.with_name(f"{path.name}{REPLAY}").unlink(missing_ok=True)
            finally:
                os.close(number)


def _places() -> Iterator[tuple[str, int, int]]:
    """Name, begin and size of each cell (bytes)."""
    at = 0
    for name, size in {**CELLS, **{f"batch{number}": BATCH for number in range(BATCHES)}}.items():
        yield name, at, size
        at += size


SIZE = max(at + size for _, at, size in _places())
"""Of the block (bytes)."""

encode = msgspec.msgpack.Encoder(enc_hook=repr).encode
"""A message of the block, as it stands in a cell."""
