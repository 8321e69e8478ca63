"""States: where everybody is at one moment, as a view sends it; 32 bytes and columns, little-endian.

=============  ===================================================================================
offset         what
=============  ===================================================================================
0              u8 1, u8 flags, u16 version 1
4              u32 number of the state
8, 16          f64 simulated time; f64 Unix time of the look (s)
24, 28         u32 slots; u32 revision of the scene that it fits
32             f32[slots] x 3: x, y (m), heading (rad); not a number: not there
               u8[slots], padded to 4: bit 0 there, 1 moving, 2 blocked, 3 unsure, 4 stopped by hand
with flag 1    f32[slots] x 4: of moves under way: began, ends (simulated s), turn (rad), distance (m)
=============  ===================================================================================
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct

KIND, VERSION = 1, 1
MOVES = 1
"""Flag: moves under way follow."""
THERE, MOVING, BLOCKED, UNSURE, STOPPED = 1, 2, 4, 8, 16
"""Bits of a slot."""
HEAD = struct.Struct("<BBHIddII")
_NUMBER = struct.Struct("<I")

Floats = np.ndarray[tuple[int, ...], np.dtype[Any]]


Columns = Floats | Sequence[Sequence[float]]
"""A column per quantity, a number per slot."""


class ViewState(Struct, frozen=True):
    """A state that was read.

    Attributes:
        number: of it
        time: simulated (s)
        looked: Unix time (s)
        revision: of the scene that it fits
        poses: x, y, heading; a column per slot
        bits: of each slot
        moves: began, ends, turn, distance; a column per slot; None: nobody makes one
    """

    number: int
    time: float
    looked: float
    revision: int
    poses: Floats
    bits: Floats
    moves: Floats | None


def packed(
    number: int,
    time: float,
    looked: float,
    revision: int,
    poses: Columns,
    bits: Floats | bytes | bytearray,
    moves: Columns | None = None,
) -> bytes:
    """A state as bytes; see `ViewState` for its parts. Of a few robots lists are packed faster than arrays."""
    slots = len(bits)
    head = HEAD.pack(KIND, 0 if moves is None else MOVES, VERSION, number & 0xFFFFFFFF, time, looked, slots, revision)
    pack = struct.Struct(f"<{slots}f").pack
    told = bits if isinstance(bits, bytes | bytearray) else bits.astype("u1").tobytes()
    columns = [pack(*column) for column in poses]
    tail = () if moves is None else [pack(*column) for column in moves]
    return b"".join((head, *columns, told, b"\0" * (-slots % 4), *tail))


def numbered(state: bytes, number: int) -> bytes:
    """The same state with another number."""
    return state[:4] + _NUMBER.pack(number & 0xFFFFFFFF) + state[8:]


def unpacked(data: bytes) -> ViewState:
    """A state from its bytes.

    Raises:
        ValueError: they are none
    """
    try:
        kind, flags, version, number, time, looked, slots, revision = HEAD.unpack_from(data)
        if (kind, version) != (KIND, VERSION):
            raise ValueError(f"a state of kind {kind}, version {version}, is not known here")
        at = HEAD.size
        poses = np.frombuffer(data, "<f4", 3 * slots, at).reshape(3, slots)
        at += poses.nbytes
        bits = np.frombuffer(data, "u1", slots, at)
        at += slots + -slots % 4
        moves = np.frombuffer(data, "<f4", 4 * slots, at).reshape(4, slots) if flags & MOVES else None
    except struct.error as exc:
        raise ValueError(f"no state: {exc}") from exc
    return ViewState(number, time, looked, revision, poses, bits, moves)
