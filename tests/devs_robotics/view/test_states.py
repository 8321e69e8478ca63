"""States as bytes."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.view.states import numbered, packed, unpacked

SINGLE = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(
    poses=st.lists(st.tuples(SINGLE, SINGLE, SINGLE, st.integers(0, 31)), max_size=9),
    time=st.floats(0.0, 1e6),
    moves=st.booleans(),
)
def test_a_state_is_read_as_it_was_written(
    poses: list[tuple[float, float, float, int]], time: float, *, moves: bool
) -> None:
    columns = np.array([pose[:3] for pose in poses], dtype=np.float32).reshape(len(poses), 3).T
    bits = np.array([pose[3] for pose in poses], dtype=np.uint8)
    under_way = np.vstack([columns, columns[:1]]) if moves else None
    data = packed(7, time, 12.5, 3, columns, bits, under_way)
    assert len(data) == 32 + 12 * len(poses) + (len(poses) + 3) // 4 * 4 + (16 * len(poses) if moves else 0)
    state = unpacked(numbered(data, 2**32 + 9))
    assert (state.number, state.time, state.looked, state.revision) == (9, time, 12.5, 3)
    np.testing.assert_array_equal(state.poses, columns)
    np.testing.assert_array_equal(state.bits, bits)
    if under_way is None:
        assert state.moves is None
    else:
        assert state.moves is not None
        np.testing.assert_array_equal(state.moves, under_way)


def test_its_head_is_as_the_page_reads_it() -> None:
    data = packed(5, 1.5, 2.5, 4, np.zeros((3, 2)), np.ones(2))
    assert struct.unpack_from("<BBHIddII", data) == (1, 0, 1, 5, 1.5, 2.5, 2, 4)


@pytest.mark.parametrize(
    "data", [b"", b"\2" + bytes(40), bytes(40), packed(1, 0, 0, 1, np.zeros((3, 2)), np.ones(2))[:40]]
)
def test_other_bytes_are_no_state(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"state|buffer"):
        unpacked(data)
