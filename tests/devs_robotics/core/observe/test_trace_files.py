"""What is written to a trace file, and what is read back."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from devs_robotics import Simulator
from devs_robotics.core.errors import ObserverError
from devs_robotics.core.observe import (
    CutShort,
    Ended,
    Event,
    EventObserver,
    Failed,
    JsonLines,
    Mcap,
    TextLog,
    TraceError,
    first_difference,
    plain_event,
    read_trace,
    trace_file,
)
from devs_robotics.core.observe.output import Output
from tests.devs_robotics.core.observe.pair import observe, pair, recorded
from tests.devs_robotics.core.observe.random_traces import traces
from tests.immutable import changeable
from tests.paths import ROOT

Format = Callable[[Path], EventObserver]
FORMATS = pytest.mark.parametrize("suffix", [".jsonl", ".mcap"])


def written(path: Path, events: list[Event]) -> Path:
    observer = trace_file(path)
    for event in events:
        observer.see(event)
    if not isinstance(events[-1], Ended):
        del observer  # which then writes what it still has
    return path


@FORMATS
def test_a_run_reads_back_as_it_was(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    observe(trace_file(path))
    assert list(read_trace(path)) == [plain_event(event) for event in recorded()]


@FORMATS
@given(trace=traces)
@settings(max_examples=60)
def test_any_events_read_back_as_they_were(suffix: str, trace: list[Event]) -> None:
    with TemporaryDirectory() as folder:
        back = list(read_trace(written(Path(folder) / f"trace{suffix}", trace)))
    end = [] if isinstance(trace[-1], Failed) else [CutShort(trace[-1].time)]
    assert back == [plain_event(event) for event in trace] + end
    assert first_difference([*trace, *end], back) is None
    assert [plain_event(event) for event in back] == back  # plain data stays as it is


def read_if_any(path: Path) -> list[Event]:
    """What a file tells; nothing when it tells not even how it begins."""
    try:
        return list(read_trace(path))
    except TraceError as exc:
        if "is empty" in str(exc) or "is no trace" in str(exc):
            return []
        raise


@FORMATS
def test_a_file_torn_at_any_place_gives_what_is_whole(tmp_path: Path, suffix: str) -> None:
    whole = recorded()
    path = tmp_path / f"trace{suffix}"
    observe(trace_file(path))
    data = path.read_bytes()
    counts: list[int] = []
    for size in range(0, len(data), 11):
        path.write_bytes(data[:size])
        events = read_if_any(path)
        if events and events[-1] != whole[-1]:
            last = events.pop()
            assert last == CutShort(events[-1].time)
        assert first_difference(events, whole[: len(events)]) is None
        counts.append(len(events))
    assert counts == sorted(counts)
    assert len(counts) / 4 > counts.count(0)
    assert counts[-1] >= len(whole) - 1


def test_the_first_line_counts_even_if_its_end_is_missing_and_a_later_one_does_not(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    observe(trace_file(path))
    lines = path.read_text().splitlines()
    begun = recorded()[0]
    for torn in (lines[0], "\n".join(lines[:2])):
        path.write_text(torn)
        assert list(read_trace(path)) == [begun, CutShort(begun.time)]


def test_nobody_who_has_an_event_can_change_it() -> None:
    assert changeable("devs_robotics.core.observe") == {"_Head"}


CRASH = """
import os, signal, sys
from devs_robotics import Simulator
from devs_robotics.core.observe import trace_file
from tests.devs_robotics.core.observe.pair import pair
simulator = Simulator(pair())
simulator.attach(trace_file(sys.argv[1]))
simulator.run(until=1000.0)
os.kill(os.getpid(), signal.SIGKILL)
"""


@FORMATS
def test_a_killed_process_leaves_all_but_the_last_events(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    result = subprocess.run([sys.executable, "-c", CRASH, path], cwd=ROOT, check=False)
    assert result.returncode == -signal.SIGKILL
    whole = recorded(until=1000.0)[:-1]
    *events, last = read_trace(path)
    assert isinstance(last, CutShort)
    assert first_difference(events, whole[: len(events)]) is None
    assert len(events) >= len(whole) - (100 if suffix == ".jsonl" else 500)


FORGOTTEN = CRASH.replace("os.kill(os.getpid(), signal.SIGKILL)", "")


@pytest.mark.parametrize("suffix", [".jsonl", ".mcap", ".txt"])
def test_a_simulation_that_is_never_closed_loses_no_event(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"trace{suffix}"
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORGOTTEN, path], cwd=ROOT, check=True, capture_output=True
    )
    assert result.stderr == b""
    whole = recorded(until=1000.0)[:-1]
    if suffix == ".txt":
        assert len(path.read_text().splitlines()) == len(whole)
    else:
        assert len(list(read_trace(path))) == len(whole) + 1


def test_each_line_is_a_json_object_that_names_its_event(tmp_path: Path) -> None:
    observe(trace_file(tmp_path / "trace.jsonl"), until=3.0)
    lines = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == [
        "started", "sent", "changed", "received", "changed", "changed", "ended",
    ]  # fmt: skip
    assert lines[0]["format"] == "devs-robotics trace"
    assert lines[0]["version"] == 1
    assert lines[0]["models"] == {"world/beacon": "Beacon", "world/listener": "Listener"}
    assert lines[1]["values"] == [{"number": 0, "loudness": {"!float": "inf"}}, {"number": 0, "loudness": 0.5}]
    assert (lines[4]["kind"], lines[4]["elapsed"], lines[4]["sigma"]) == ("external", 2.0, 1.0)


def test_a_passive_models_sigma_is_null(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    observe(trace_file(path))
    head = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(
        head + b'{"event":"changed","time":1,"model":"a","kind":"internal","elapsed":1,"phase":"p","sigma":null}\n'
    )
    assert getattr(list(read_trace(path))[1], "sigma") == float("inf")  # noqa: B009


BAD = [
    (b"", "is empty"),
    (b"hello\n", "is no trace: its line 1 is not the head of one"),
    (b"\xff\xfe\n", "is no trace"),
    (b'{"event":"ended","time":1.0}\n', "is no trace"),
    (b'{"event":"ended","format":"devs-robotics trace","version":1,"time":1.0}\n', "is no trace"),
    (b'{"format":"devs-robotics trace","version":3}\n', "is a trace of version 3, and this version"),
    (b'{"format":' + b"[" * 100_000 + b"\n", "is no trace"),
]


@pytest.mark.parametrize(("content", "words"), BAD)
def test_what_is_no_trace_of_this_version_is_refused_at_once(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(TraceError, match=words) as info:
        read_trace(path)
    assert str(path) in str(info.value)


def test_what_is_no_mcap_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.mcap"
    path.write_bytes(b"something else")
    with pytest.raises(TraceError, match=r"bad\.mcap is no trace: it is not an MCAP file"):
        read_trace(path)


@pytest.mark.parametrize("line", [b'{"event":"sent","time":"now"}', b'{"event":"sent","values":' + b"[" * 100_000])
def test_a_broken_line_is_named_when_it_is_reached(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "trace.jsonl"
    observe(trace_file(path))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], line + b"\n", *lines[4:]]))
    events = read_trace(path)
    assert [next(events).time for _ in range(4)] == [0.0, 2.0, 2.0, 2.0]
    with pytest.raises(TraceError, match=r"trace\.jsonl is broken at line 5: "):
        next(events)


def test_a_broken_chunk_is_named_when_it_is_reached(tmp_path: Path) -> None:
    path = tmp_path / "trace.mcap"
    observe(trace_file(path))
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(TraceError, match=r"trace\.mcap is broken after message \d"):
        list(read_trace(path))


def test_all_who_write_one_file_are_told_why_it_cannot_be_written() -> None:
    output = Output("/dev/full")
    for _ in range(2):
        with pytest.raises(TraceError, match=r"cannot write the trace /dev/full: No space left on device"):
            output.write(b"event", flush=True)


def test_a_file_whose_texts_are_none_is_broken_too(tmp_path: Path) -> None:
    path = tmp_path / "trace.mcap"
    observe(trace_file(path))
    data = path.read_bytes()
    assert b"devs" in data
    path.write_bytes(data.replace(b"devs", b"de\xffs"))
    with pytest.raises(TraceError, match=r"trace\.mcap is broken after message 0"):
        list(read_trace(path))


@pytest.mark.parametrize("make", [JsonLines, Mcap, TextLog])
def test_what_cannot_be_written_is_told_at_once(tmp_path: Path, make: Format) -> None:
    with pytest.raises(TraceError, match=r"cannot write the trace .*nowhere/x: No such file"):
        make(tmp_path / "nowhere" / "x")


@pytest.mark.parametrize("make", [JsonLines, Mcap, TextLog])
def test_a_full_disk_breaks_the_simulation_off(make: Format) -> None:
    simulator = Simulator(pair())
    with pytest.raises(ObserverError, match=r"cannot write the trace /dev/full: No space left"):
        simulator.attach(make(Path("/dev/full")))


@pytest.mark.parametrize("make", [JsonLines, Mcap])
def test_who_goes_on_without_a_trace_is_told_once_why(make: Format) -> None:
    told: list[str] = []
    observer = make(Path("/dev/full"))
    observer.go_on_without(told.append)
    observe(observer)
    assert told == ["cannot write the trace /dev/full: No space left on device"]


@pytest.mark.parametrize("make", [JsonLines, Mcap, TextLog])
def test_a_trace_is_of_one_simulation(tmp_path: Path, make: Format) -> None:
    observer = make(tmp_path / "x")
    observe(observer)
    with pytest.raises(TraceError, match=r"x is complete: make another observer"):
        observer.see(Ended(1.0))


def test_the_name_of_a_file_tells_its_kind(tmp_path: Path) -> None:
    assert type(trace_file(tmp_path / "x.jsonl")) is JsonLines
    assert type(trace_file(str(tmp_path / "x.mcap"))) is Mcap
    assert type(trace_file(tmp_path / "x.log")) is type(trace_file(tmp_path / "x.txt")) is TextLog
    with pytest.raises(TraceError, match=r"x\.csv is to be: let its name end in \.jsonl"):
        trace_file(tmp_path / "x.csv")
