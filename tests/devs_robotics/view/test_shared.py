"""The memory that a run shares with its view: no lock, and nobody reads half a message."""

from __future__ import annotations

import mmap
import os
import signal
import stat
import subprocess
import sys
import time
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


KILLED = """
import os, signal, sys, tempfile
from devs_robotics.view.shared import SharedBlock
block = SharedBlock.create()
block.replay_path.write_bytes(b"what was recorded")
viewer = os.fork()
if viewer == 0:
    SharedBlock(block.path)  # as a view does
    os.close(block._held)  # which is the run's
    print(block.path, os.getpid(), flush=True)
    signal.pause()
os.read(0, 1)
"""
"""A run that is killed, and its view, which lives on."""


@pytest.mark.skipif(sys.platform == "win32", reason="there, nobody can tell whether a file is held")
def test_blocks_of_runs_and_views_that_were_killed_are_removed_by_the_next_one() -> None:
    run = subprocess.Popen([sys.executable, "-c", KILLED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    name, viewer = run.stdout.readline().split()
    path, mine = Path(name), SharedBlock.create()
    assert path.exists()  # it is young
    for block in (path, mine.path):
        os.utime(block, (time.time() - 3600.0,) * 2)
    run.kill()
    run.wait()
    SharedBlock.create().remove()
    assert path.exists()  # its view is there
    os.kill(int(viewer), signal.SIGKILL)
    assert run.stdout.read() == ""  # it has ended
    run.stdout.close()
    assert run.stdin is not None
    run.stdin.close()
    for _ in range(1000):  # a process that ends closes one file after the other
        SharedBlock.create().remove()
        if not path.exists():
            break
    assert not path.exists()
    assert not path.with_name(f"{path.name}.replay").exists()
    assert mine.path.exists()
    mine.remove()
