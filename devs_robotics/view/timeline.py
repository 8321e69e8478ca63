"""Where everything that moves was at every instant of a run, in few bytes: what replays and recordings are made of.

A timeline is a row of changes. After a change a body stands, or goes on along an arc (a speed and a turn rate), until
its next change. Who follows a path that is no arc has changes a tenth of a second apart, whose speeds and turn rates
are not a number; it goes straight from each to its next one. Who has stood, and has a pace in the scene, has reached
its next change by a motion as a whole that ended then: it turned, and then went straight; that took as long as its pace
says, but no longer than it had stood. So a pose between two changes needs only these two.

Chunks are deflated (no header) and hold, little-endian:

========================  ==========================================================================================
32 bytes                  u8 2, u8 flags, u16 version 1, u32 number of changes, f64 begin, f64 end (s), u32 slots, u32 0
i32[slots] x 3            x, y (0.1 mm) and heading (0.1 mrad) at the last change; the smallest i32 for who is not there
f32[slots] x 2            speed (m/s) and turn rate (rad/s) from then on; not a number: straight to the next change
u32[changes]              time since the change before, or the beginning, in ticks of 1/1024 s
u16[changes] or u32       slot; u32 with flag 1
i32[changes] x 3          x, y and heading, less those of that slot's last change; whole for who was or is not there
f32[changes] x 2          with flag 2: speed and turn rate from then on
========================  ==========================================================================================

Differences are those of rounded absolute values, so that nothing adds up.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from math import nan

import numpy as np
from msgspec import Struct

TICK = 1.0 / 1024.0
"""Unit of times (s)."""
STEP = 1e-4
"""Unit of places and headings (m, rad)."""
NOWHERE = -(2**31)
"""Place of who is not there."""
CHUNK = 150_000
"""Number of changes in a chunk, which then has less than 4 MB before it is deflated."""
KIND, VERSION = 2, 1
WIDE, ARCS = 1, 2
"""Flags: slots of 32 bits, arcs."""
_HEAD = struct.Struct("<BBHIddII")

Columns = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
"""Changes in rows: time, slot, x, y, heading, speed, turn rate."""
WIDTH = 7
TIME, SLOT, X, Y, HEADING, SPEED, TURN_RATE = range(WIDTH)


class Timeline(Struct, frozen=True):
    """Everything that moved, from begin to end (s), in chunks.

    Attributes:
        slots: number of the bodies
        begin, end: of what it tells (s)
        changes: number of changes
        chunks: deflated
    """

    slots: int
    begin: float
    end: float
    changes: int
    chunks: tuple[bytes, ...]

    def rows(self) -> Iterator[Columns]:
        """The changes again, as rows of columns, a block per chunk; a chunk begins with all bodies' last changes."""
        for chunk in self.chunks:
            yield decoded(chunk)

    def history(self) -> Columns:
        """All changes in one block, after those that say where everybody was at the beginning."""
        blocks = [rows if number == 0 else rows[heads(rows) :] for number, rows in enumerate(self.rows())]
        return np.concatenate(blocks) if blocks else np.zeros((0, WIDTH))


class LastChanges:
    """Poses of all slots as a timeline is written: what a chunk begins with.

    Args:
        slots: number of the bodies
    """

    def __init__(self, slots: int) -> None:
        self.places = np.full((slots, 3), NOWHERE, dtype=np.int64)
        self.motions = np.zeros((slots, 2), dtype=np.float32)

    def grow(self, slots: int) -> None:
        """Make room for bodies that are not there yet."""
        more = slots - len(self.places)
        if more > 0:
            self.places = np.vstack([self.places, np.full((more, 3), NOWHERE, dtype=np.int64)])
            self.motions = np.vstack([self.motions, np.zeros((more, 2), dtype=np.float32)])

    def take(self, rows: Columns) -> None:
        """Let the changes happen."""
        if len(rows):
            slots = rows[:, SLOT].astype(np.int64)
            self.places[slots] = rounded(rows)  # of several of one slot the last one stays
            self.motions[slots] = rows[:, SPEED : TURN_RATE + 1]


def rounded(rows: Columns) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Places and headings in their units; who is nowhere has the smallest number."""
    places = rows[:, X : HEADING + 1]
    found: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = np.rint(np.nan_to_num(places) / STEP).astype(np.int64)
    found[np.isnan(places).any(axis=1)] = NOWHERE
    return found


def encoded(rows: Columns, state: LastChanges, begin: float, end: float) -> bytes:
    """Changes as a chunk; `state` is what holds at the beginning, and takes them.

    Args:
        rows: in the order of their times
        state: at the beginning
        begin, end: of the chunk (s)
    """
    if len(rows):
        state.grow(1 + int(rows[:, SLOT].max()))
    count, slots = len(rows), len(state.places)
    flags = (WIDE if slots > 0xFFFF else 0) | (ARCS if rows[:, SPEED : TURN_RATE + 1].any() else 0)
    ticks = np.rint((rows[:, TIME] - begin) / TICK).astype(np.int64)
    parts = [
        _HEAD.pack(KIND, flags, VERSION, count, begin, end, slots, 0),
        state.places.T.astype("<i4").tobytes(),
        state.motions.T.astype("<f4").tobytes(),
        np.diff(ticks, prepend=0).astype("<u4").tobytes(),
        rows[:, SLOT].astype("<u4" if flags & WIDE else "<u2").tobytes(),
        _differences(rows, state.places).T.astype("<i4").tobytes(),
    ]
    if flags & ARCS:
        parts.append(rows[:, SPEED : TURN_RATE + 1].T.astype("<f4").tobytes())
    state.take(rows)
    deflating = zlib.compressobj(9, wbits=-15)
    return deflating.compress(b"".join(parts)) + deflating.flush()


def _differences(
    rows: Columns, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Of each change from that slot's last one."""
    now, slots = rounded(rows), rows[:, SLOT].astype(np.int64)
    order = np.argsort(slots, kind="stable")
    before = np.empty_like(now)
    before[order[1:]] = now[order[:-1]]
    first = np.ones(len(rows), dtype=bool)
    first[order[1:]] = slots[order[1:]] != slots[order[:-1]]
    before[first] = places[slots[first]]
    absolute = (before == NOWHERE).any(axis=1) | (now == NOWHERE).any(axis=1)
    before[absolute] = 0
    return now - before


def heads(rows: Columns) -> int:
    """How many of a chunk's rows are those that it begins with: slot 0, 1, ... up to its last slot."""
    return 1 + int(rows[:, SLOT].max()) if len(rows) else 0


def decoded(chunk: bytes) -> Columns:
    """The changes of a chunk, after those that say where everybody is at its beginning.

    Raises:
        ValueError: it is no chunk of a timeline
    """
    try:
        data = zlib.decompress(chunk, wbits=-15)
        kind, flags, version, count, begin, _, slots, _ = _HEAD.unpack_from(data)
    except (zlib.error, struct.error) as exc:
        raise ValueError(f"no chunk of a timeline: {exc}") from exc
    if (kind, version) != (KIND, VERSION):
        raise ValueError(f"a chunk of kind {kind}, version {version}, is not known here")
    taken = _HEAD.size

    def column(kind: str, length: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        nonlocal taken
        found = np.frombuffer(data, kind, length, taken)
        taken += found.nbytes
        return found.astype(np.float64)

    places = column("<i4", 3 * slots).reshape(3, slots)
    motions = column("<f4", 2 * slots).reshape(2, slots)
    rows = np.zeros((slots + count, WIDTH))
    rows[:slots, TIME], rows[:slots, SLOT] = begin, np.arange(slots)
    rows[slots:, TIME] = begin + TICK * np.cumsum(column("<u4", count))
    rows[slots:, SLOT] = column("<u4" if flags & WIDE else "<u2", count)
    steps = column("<i4", 3 * count).reshape(3, count)
    rows[:slots, SPEED : TURN_RATE + 1] = motions.T
    if flags & ARCS:
        rows[slots:, SPEED : TURN_RATE + 1] = column("<f4", 2 * count).reshape(2, count).T
    last = places.T.copy()
    rows[:slots, X : HEADING + 1] = _in_metres(last)
    for number, (slot, step) in enumerate(zip(rows[slots:, SLOT].astype(int), steps.T, strict=True), slots):
        absolute = last[slot][0] == NOWHERE or step[0] == NOWHERE
        last[slot] = step if absolute else last[slot] + step
        rows[number, X : HEADING + 1] = _in_metres(last[slot])
    return rows


def _in_metres(places: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Columns:
    return np.where((places == NOWHERE).any(axis=-1, keepdims=True), nan, STEP * places)


class TimelineWriter:
    """Writes a timeline while a run goes on, in the memory of a chunk and what is deflated already.

    Args:
        poses: where the bodies stand at the beginning, slot 0 first; not a number for who is not there yet
        begin: of the timeline (s)
    """

    def __init__(self, poses: Sequence[tuple[float, float, float]], begin: float = 0.0) -> None:
        self._state = LastChanges(len(poses))
        self.begin = begin
        first = np.zeros((len(poses), WIDTH))
        first[:, SLOT] = np.arange(len(poses))
        first[:, X : HEADING + 1] = np.array(poses, dtype=np.float64).reshape(len(poses), 3)
        self._state.take(first)
        self._chunk_begin = begin
        self._chunks: list[bytes] = []
        self._changes = 0

    def write(self, rows: Columns, end: float) -> None:
        """Write changes, in the order of their times, of which the last is not after `end` (s)."""
        for at in range(0, max(len(rows), 1), CHUNK):
            block = rows[at : at + CHUNK]
            until = end if at + CHUNK >= len(rows) else float(block[-1, TIME])
            self._chunks.append(encoded(block, self._state, self._chunk_begin, until))
            self._chunk_begin = until
        self._changes += len(rows)

    def timeline(self) -> Timeline:
        """What was written so far."""
        return Timeline(len(self._state.places), self.begin, self._chunk_begin, self._changes, tuple(self._chunks))
