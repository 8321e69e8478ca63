"""The memory that a run shares with its view: no lock, and nobody reads half a message."""

from __future__ import annotations

import mmap
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import DevsRoboticsError
from devs_robotics.view.shared import MemoryCell, SharedBlock


@pytest.fixture
def block() -> Iterator[SharedBlock]:
    made = SharedBlock.create()
    yield made
    made.remove()


@given(st.lists(st.binary(max_size=200), min_size=1))
def test_what_was_written_last_is_read(messages: list[bytes]) -> None:
    memory = mmap.mmap(-1, 4096)
    writer, reader = MemoryCell(memory, 512, 1024), MemoryCell(memory, 512, 1024)
    for number, message in enumerate(messages, 1):
        assert writer.write(message) == number
        assert reader.written() == number
        assert reader.read() == (number, message)


def test_an_empty_cell_has_nothing_to_read() -> None:
    cell = MemoryCell(mmap.mmap(-1, 4096), 0, 1024)
    assert cell.written() == 0
    assert cell.read() is None


@given(place=st.integers(0, 63), flip=st.integers(1, 255))
def test_who_finds_a_message_half_written_reads_nothing(place: int, flip: int) -> None:
    """Whichever byte is not yet as it will be, of the head or of the message."""
    memory = mmap.mmap(-1, 4096)
    MemoryCell(memory, 0, 1024).write(bytes(range(40)))
    memory[place] ^= flip
    assert MemoryCell(memory, 0, 1024).read() is None


def test_a_message_that_does_not_fit_is_refused() -> None:
    cell = MemoryCell(mmap.mmap(-1, 4096), 0, 128)
    cell.write(bytes(cell.room))
    with pytest.raises(ValueError, match="do not fit"):
        cell.write(bytes(cell.room + 1))


def test_a_writer_that_comes_after_another_goes_on_counting() -> None:
    memory = mmap.mmap(-1, 4096)
    MemoryCell(memory, 0, 1024).write(b"one")
    assert MemoryCell(memory, 0, 1024).write(b"two") == 2


def test_both_sides_see_the_same_and_nobody_else_does(block: SharedBlock) -> None:
    with SharedBlock(block.path) as other:
        block.state.write(b"here")
        other.wish.write(b"there")
        assert other.state.read() == (1, b"here")
        assert block.wish.read() == (1, b"there")
    assert stat.S_IMODE(block.path.stat().st_mode) == 0o600


def test_it_takes_little_memory_until_it_is_used(block: SharedBlock) -> None:
    assert block.path.stat().st_blocks * 512 < 1 << 18


def test_what_is_no_such_memory_is_told(tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"short")
    with pytest.raises(DevsRoboticsError, match="is no memory that a run shares with its view"):
        SharedBlock(tmp_path / "other")
    with pytest.raises(DevsRoboticsError, match="No such file"):
        SharedBlock(tmp_path / "nothing")
