"""Traces on the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics.core.observe import Ended, Failed, JsonLines, Recorder, first_difference, read_trace
from devs_robotics.experimental_frames.convoy.tables import rounds_csv, series_csv
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.models.convoy import Follower
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.view.recording import read
from tests.paths import ROOT

SMALL = ["convoy.robots=3", "run.rounds=5"]
SETTINGS = [part for setting in SMALL for part in ("--set", setting)]


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with traces of two seeds."""
    folder = tmp_path_factory.mktemp("traces")
    for seed in (1, 2):
        for suffix in ("jsonl", "mcap"):
            assert main(["run", "convoy", *SETTINGS, "--seed", f"{seed}", "--trace", f"{folder}/{seed}.{suffix}"]) == 0
    return folder


def shown(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0) -> list[str]:
    capsys.readouterr()
    assert main(["trace", *map(str, arguments)]) == status
    return capsys.readouterr().out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert main([*map(str, arguments)]) == 2
    return capsys.readouterr().err


TRACE = """
import sys
from devs_robotics.core.observe import trace_file
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.convoy.runs import run
ends = ".jsonl", ".mcap", ".txt"
run(load("convoy", sys.argv[2:]), hooks=Hooks(observers=[(trace_file(sys.argv[1] + end), []) for end in ends]))
"""


def test_the_bytes_of_a_trace_are_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    for seed in "01":
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", TRACE, tmp_path / seed, *SMALL], env=environment, cwd=ROOT, check=True)
    for end in ("jsonl", "mcap", "txt"):
        assert (tmp_path / f"0.{end}").read_bytes() == (tmp_path / f"1.{end}").read_bytes() != b""


def test_a_trace_changes_no_result(tmp_path: Path) -> None:
    traced = run(load("convoy", SMALL), hooks=Hooks(observers=[(JsonLines(tmp_path / "trace.jsonl"), [])]))
    plain = run(load("convoy", SMALL))
    assert rounds_csv(traced.formation) == rounds_csv(plain.formation)
    assert series_csv(traced.formation) == series_csv(plain.formation)


def test_a_trace_is_shown_as_text(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, traces / "1.jsonl")
    assert lines[0].split()[:4] == ["0.000000", "trace", "of", "experiment:"]
    assert lines[-1].split()[-1] == "ended"
    assert lines == shown(capsys, traces / "1.mcap")


def test_a_trace_is_filtered_by_model_port_time_and_kind(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    motor = shown(capsys, traces / "1.jsonl", "--model", "robot2/motor", "--kind", "received")
    assert motor
    assert all("robot2/motor" in line and " received " in line for line in motor)
    port = shown(
        capsys, traces / "1.jsonl", "--model", "robot*/motor.drive_a*", "--port", "*_ask", "--from", 1, "--to", 6
    )
    assert port
    assert all("drive_ask <- " in line for line in port)
    times = [float(line.split()[0]) for line in port if not line.startswith(" " * 15)]
    assert all(1 <= time <= 6 for time in times)


def test_two_traces_are_compared(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    same = shown(capsys, traces / "1.jsonl", "--compare", traces / "1.mcap")
    assert same == [f"{traces / '1.jsonl'} and {traces / '1.mcap'} tell the same"]
    lines = shown(capsys, traces / "1.jsonl", "--compare", traces / "2.jsonl", status=1)
    assert lines[:2] == [f"expected: {traces / '1.jsonl'}", f"seen: {traces / '2.jsonl'}"]
    assert (
        lines[2] == f"{first_difference(read_trace(traces / '1.jsonl'), read_trace(traces / '2.jsonl'))}".split("\n")[0]
    )


def test_a_trace_that_is_cut_short_says_so_and_differs(
    traces: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes((traces / "1.jsonl").read_bytes()[:-200])
    assert shown(capsys, torn, "--model", "robot1")[-1].endswith("the trace is cut short: its writer was stopped")
    assert "  the seen trace is cut short here" in shown(capsys, traces / "1.jsonl", "--compare", torn, status=1)


def test_only_the_ports_that_are_asked_for_are_traced(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    patterns = ["--trace-ports", "robot1/motor.drive_ask", "robot2/motor", "--trace-ports", "frame"]
    assert main(["run", "convoy", *SETTINGS, "--trace", str(path), *patterns]) == 0
    models = {getattr(event, "model", "") for event in read_trace(path)}
    assert {"experiment/system/robot1/motor", "experiment/system/robot2/motor", "experiment/frame/generator"} <= models
    assert "experiment/system/robot1/convoy" not in models


def test_mistakes_are_told_in_a_sentence(traces: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = ["run", "convoy", *SETTINGS, "--trace"]
    assert "cannot write the trace" in refused(capsys, *start, tmp_path / "no" / "x.jsonl")
    assert "let its name end in .jsonl" in refused(capsys, *start, tmp_path / "x.csv")
    nothing = refused(capsys, *start, tmp_path / "x.jsonl", "--trace-ports", "robto*")
    assert "no model or port fits the pattern 'robto*'" in nothing
    assert "there is experiment/system/robot" in nothing
    before = tmp_path / "before.mcap"
    before.write_text("a trace of yesterday")
    refused(capsys, *start, before, "--trace-ports", "robto*")
    assert before.read_text() == "a trace of yesterday"
    assert "give both" in refused(capsys, "run", "convoy", "--trace-ports", "robot1")
    assert "cannot read the trace" in refused(capsys, "trace", tmp_path / "none.jsonl")
    nobody = refused(capsys, "trace", traces / "1.jsonl", "--model", "nobody")
    assert "tells nothing of 'nobody'" in nobody
    assert "experiment/system/robot1/" in nobody


def test_a_run_that_is_interrupted_ends_its_trace() -> None:
    recorder = Recorder()
    outcome = run(
        load("convoy", [*SMALL, "run.rounds=400"]),
        hooks=Hooks(interrupted=lambda: len(recorder.events) > 1, observers=[(recorder, [])]),
    )
    assert outcome.ended == "interrupted"
    assert recorder.events[-1] == Ended(outcome.end_s)


def test_a_run_that_is_killed_by_a_second_signal_ends_its_trace() -> None:
    recorder = Recorder()

    def killed(experiment: CaseExperiment, simulator: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(load("convoy", SMALL), hooks=Hooks(report=killed, observers=[(recorder, ["robot1"])]))
    assert isinstance(recorder.events[-1], Ended)


def test_a_run_that_fails_says_so_in_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(self: Follower) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(Follower, "_end_round", fault)
    recorder = Recorder()
    outcome = run(load("convoy", SMALL), hooks=Hooks(observers=[(recorder, [])]))
    assert outcome.ended == "failed"
    *_, failed, ended = recorder.events
    assert failed == Failed(outcome.end_s, outcome.reason)
    assert ended == Ended(outcome.end_s)


def test_a_trace_that_cannot_be_written_on_ends_the_run_and_loses_nothing(tmp_path: Path) -> None:
    """Here a limit on the size of files stands for a full disk."""
    trace, out = tmp_path / "trace.jsonl", tmp_path / "out"
    run = f"{sys.executable} -m devs_robotics run convoy --set run.rounds=20 --trace {trace} --out {out}"
    result = subprocess.run(
        ["bash", "-c", f"ulimit -f 100; exec {run}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},  # bytecode would be cut off too, and stay so
    )
    assert result.returncode == 2
    assert re.search(r"JsonLines failed at [\d.]+ s: cannot write the trace .*: File too large", result.stdout)
    assert json.loads((out / "summary.json").read_text())["outcome"] == "failed"
    assert (out / "rounds.csv").read_text().count("\n") > 10
    assert sum(1 for _ in read_trace(trace)) > 100


@pytest.mark.parametrize("ending", ["jsonl", "mcap"])
def test_a_recording_that_cannot_be_written_on_ends_and_the_run_goes_on(tmp_path: Path, ending: str) -> None:
    """Here, too, a limit on the size of files stands for a full disk."""
    recording = tmp_path / f"run.{ending}"
    run = f"{sys.executable} -m devs_robotics run convoy --set run.rounds=40 --record {recording} --json"
    result = subprocess.run(
        ["bash", "-c", f"ulimit -f 100; exec {run}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert result.returncode == 0
    assert result.stderr == (
        f"devs-robotics: cannot write the trace {recording}: File too large: the run goes on, the recording ends here\n"
    )
    assert json.loads(result.stdout)["outcome"] == "accepted"
    assert 50_000 < recording.stat().st_size <= 102_400
    assert 1.0 < read(recording).timeline.end < json.loads(result.stdout)["simulated_s"]
