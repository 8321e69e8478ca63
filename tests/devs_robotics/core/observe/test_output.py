"""Trace files over what was there before, and into what is no ordinary file."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from mcap.reader import make_reader

from devs_robotics import Simulator
from devs_robotics.core.observe import EventObserver, JsonLines, Mcap, Recorder, TextLog, TraceError, trace_file
from tests.devs_robotics.core.observe.pair import observe, pair, recorded

SUFFIXES = [".jsonl", ".mcap", ".txt"]
suffixes = pytest.mark.parametrize("suffix", SUFFIXES)
LONG = 4000.0
"""Long enough for a trace of several chunks (s)."""


def trace(path: Path, until: float = 40.0) -> bytes:
    observe(trace_file(path), until=until)
    return path.read_bytes()


def messages(content: bytes, seeking: bool) -> list[tuple[int, bytes]]:
    """What a reader of the mcap package finds, by the index at the end or from the beginning to the end."""
    reader = make_reader(BytesIO(content), validate_crcs=True)
    if seeking:
        summary = reader.get_summary()
        assert summary is not None
        assert summary.chunk_indexes
    return [(message.log_time, message.data) for _, _, message in reader.iter_messages(log_time_order=seeking)]


def link(path: Path) -> Path:
    path.symlink_to(path.with_name("target"))
    return path


OLD: dict[str, Callable[[Path], object]] = {
    "longer": lambda path: trace(path, LONG),
    "shorter": lambda path: trace(path, 1.0),
    "empty": lambda path: path.write_bytes(b""),
    "of another kind": lambda path: path.write_bytes(b"something else\n" * 10_000),
    "a link": lambda path: link(path).write_bytes(b"x" * 100_000),
}


@suffixes
@pytest.mark.parametrize("old", OLD)
@pytest.mark.parametrize("until", [40.0, LONG / 2])
def test_an_old_file_leaves_nothing_behind(tmp_path: Path, suffix: str, old: str, until: float) -> None:
    path = tmp_path / f"old{suffix}"
    OLD[old](path)
    assert trace(path, until) == trace(tmp_path / f"new{suffix}", until)


@pytest.mark.parametrize("old", OLD)
@pytest.mark.parametrize("until", [40.0, LONG / 2])
def test_a_seeking_reader_finds_all_of_an_mcap_file_that_was_written_over_another(
    tmp_path: Path, old: str, until: float
) -> None:
    path = tmp_path / "trace.mcap"
    OLD[old](path)
    content = trace(path, until)
    found = messages(content, seeking=True)
    assert len(found) == len(recorded(until))
    assert found == messages(content, seeking=False)


@suffixes
def test_an_old_file_stays_until_there_is_something_to_write(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"old{suffix}"
    path.write_bytes(b"precious")
    observer = trace_file(path)
    assert path.read_bytes() == b"precious"
    with Simulator(pair()) as simulator:
        simulator.attach(observer)
        assert b"precious" not in path.read_bytes()


@suffixes
def test_a_pipe_receives_what_a_file_would(tmp_path: Path, suffix: str) -> None:
    pipe = tmp_path / f"pipe{suffix}"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    observe(trace_file(pipe), until=LONG)
    reader.join(30.0)
    assert received == [trace(tmp_path / f"file{suffix}", LONG)]
    if suffix == ".mcap":
        assert len(messages(received[0], seeking=True)) == len(recorded(LONG))


@pytest.mark.parametrize("make", [JsonLines, Mcap, TextLog])
def test_a_device_takes_it_all(make: Callable[[Path], EventObserver]) -> None:
    observe(make(Path("/dev/null")), until=LONG)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickle.dumps])
@suffixes
def test_what_writes_a_file_is_not_copied(tmp_path: Path, suffix: str, duplicate: Callable[[Any], Any]) -> None:
    observer = trace_file(tmp_path / f"x{suffix}")
    with pytest.raises(TraceError, match=rf"what writes the trace .*/x\{suffix} cannot be copied or pickled: make an"):
        duplicate(observer)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_of_a_recorder_keeps_the_events_and_no_models(duplicate: Callable[[Any], Any]) -> None:
    recorder = Recorder()
    world = pair()
    world.unpicklable = lambda: None  # type: ignore[attr-defined]
    with Simulator(world) as simulator:
        simulator.attach(recorder)
        simulator.run(until=5.0)
        copied = duplicate(recorder)
        assert copied.events == recorder.events
        assert copied._paths == {}
        assert recorder._paths
