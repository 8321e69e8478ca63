"""Sweeps are carried out, however their runs end, and whoever ends them."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from threading import Event

import pyarrow.parquet
import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.sweeps.design import SweepPlan, Wishes, plan
from devs_robotics.scenarios.sweeps.execute import carry_out_all
from devs_robotics.scenarios.sweeps.places import Local
from devs_robotics.scenarios.sweeps.runs import Job, RunRow, carry_out, job
from tests.paths import ROOT
from tests.scenarios.sweeps.sweeping import (
    PATIENCE,
    column,
    finished,
    lines,
    results,
    start,
    sweep,
    table,
    wait_for_rows,
)

PAPER = ("--vary", "noise=paper", "--replicates", "2")
BOMB = ("--set", "frame.parts.bomb.model=tests.scenarios.sweeps.bombs:Bomb")
LONG = ("--set", "run.rounds=200", "--vary", "noise=paper", "--replicates", "4")


def test_a_sweep_ends_in_a_tidy_table(tmp_path: Path) -> None:
    status, said = sweep(*PAPER, "--jobs", "1", out=tmp_path)
    report = f"devs-robotics report {tmp_path} --out {tmp_path / 'report.html'}"
    assert status == 0
    assert said == [
        "6 runs: 3 points, seeds 1 to 2",
        "6 of 6 runs are done: 6 accepted",
        f"table: {tmp_path / 'runs.csv'}\nfor a report:\n  {report}",
    ]
    head, *rows = table(tmp_path)
    assert head[:8] == ["run", "point", "replicate", "seed", "noise.dnf", "noise.anf", "ended", "reason"]
    assert [cells[:6] for cells in rows] == [
        ["0", "0", "0", "1", "0.04", "0.04"],
        ["1", "0", "1", "2", "0.04", "0.04"],
        ["2", "1", "0", "1", "0.1", "0.08"],
        ["3", "1", "1", "2", "0.1", "0.08"],
        ["4", "2", "0", "1", "0.2", "0.1"],
        ["5", "2", "1", "2", "0.2", "0.1"],
    ]
    assert all(float(cell) > 0.0 for cell in column(tmp_path, "error_at_pose_changes_m"))
    said_again = [json.loads(line) for line in (tmp_path / "settings.jsonl").read_text().splitlines()]
    assert [each["run"] for each in said_again] == list(range(6))
    assert said_again[3]["scenario"]["run"] == {"seed": 2, "rounds": 8, "duration": None}
    assert said_again[3]["scenario"]["noise"] == {"dnf": 0.1, "anf": 0.08}
    stored = pyarrow.parquet.read_table(tmp_path / "runs.parquet")
    assert [name for name in stored.column_names if not name.startswith("cpu_")] == head
    errors = [repr(value) for value in stored.column("error_at_pose_changes_m").to_pylist()]
    assert errors == column(tmp_path, "error_at_pose_changes_m")


def test_processes_give_what_one_process_gives_and_a_done_sweep_is_not_done_again(tmp_path: Path) -> None:
    alone, together = tmp_path / "alone", tmp_path / "together"
    assert sweep(*PAPER, "--jobs", "1", out=alone)[0] == 0
    assert sweep(*PAPER, "--jobs", "2", out=together)[0] == 0
    assert results(alone) == results(together)
    kept = lines(together)
    status, said = sweep(*PAPER, out=together)
    assert status == 0
    assert said[0] == "6 runs: 3 points, seeds 1 to 2, 6 of them are there already"
    assert lines(together) == kept


def test_runs_that_fail_in_whatever_way_are_rows_and_sink_nothing(tmp_path: Path) -> None:
    fuses = ("--vary", "frame.parts.bomb.fuse=none,error,exit,death", "--replicates", "2", "--seed", "5")
    status, said = sweep(*BOMB, *fuses, "--jobs", "2", out=tmp_path)
    assert status == 2
    assert column(tmp_path, "ended") == ["accepted"] * 2 + ["failed"] * 6
    assert column(tmp_path, "seed") == ["5", "6"] * 4
    reasons = column(tmp_path, "reason")
    assert "ZeroDivisionError: boom" in reasons[2]
    assert reasons[6] == "its worker process ended in the middle of it, twice: out of memory, or killed"
    assert [bool(cell) for cell in column(tmp_path, "error_at_pose_changes_m")] == [True] * 2 + [False] * 6
    assert column(tmp_path, "frames.bomb.fuse") == ["none"] * 2 + [""] * 6
    assert said[1] == "8 of 8 runs are done: 2 accepted, 6 failed"
    assert said[2].startswith("run 2 (frame.parts.bomb.fuse=error, seed 5) failed: ")
    assert said[2].endswith("; by itself:")
    assert said[3].startswith("  devs-robotics run convoy --set convoy.robots=3 --set run.rounds=8 --set frame.")
    assert said[3].endswith(" --set frame.parts.bomb.fuse=error --seed 5")
    assert said[-3] == "1 more run failed: see the table, and settings.jsonl for commands"
    assert said[-2] == "the same command with --again does 6 failed runs once more"


WATCHED = """
import gc, json, sys
from devs_robotics.scenarios.sweeps import runs
from devs_robotics.scenarios.sweeps.design import Wishes, plan

seen, run = [], runs.run

def watched(*arguments, **options):
    frozen, before = gc.get_freeze_count(), set(sys.modules)
    import wave  # as libraries do in a first run, though not every version of them
    outcome = run(*arguments, **options)
    seen.append([len(set(sys.modules) - before), frozen])
    return outcome

runs.run = watched
sweep = plan("convoy", ["convoy.robots=3", "run.rounds=8", "frame.approaches=true"], Wishes(replicates=2))
for number in range(2):
    runs.carry_out(runs.job(sweep, number))
print(json.dumps([*seen, gc.get_freeze_count()]))
"""


def test_processor_time_has_nothing_of_what_a_first_run_imports_or_an_earlier_one_leaves() -> None:
    done = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, text=True, check=True, cwd=ROOT)
    (warm_up, _), first, second, after = json.loads(done.stdout)
    assert warm_up > 0
    for modules, frozen in (first, second):
        assert modules == 0
        assert frozen > after == 0


def test_what_somebody_has_frozen_stays_frozen() -> None:
    """As the tests have; a run in between would thaw all of it."""
    sweep_ = plan("convoy", ["convoy.robots=2", "run.rounds=1"], Wishes(replicates=1))
    assert gc.get_freeze_count() > 0
    assert carry_out(job(sweep_, 0)) is not None
    assert gc.get_freeze_count() > 0


def test_worker_processes_are_deaf_to_ctrl_c_from_their_first_moment(tmp_path: Path) -> None:
    """One that still imports what it needs would complain of it."""
    process = start(*LONG, "--jobs", "2", out=tmp_path)
    wait_for_rows(tmp_path, 1)
    workers = [each for each in descendants(process.pid) if "popen_loky" in (each / "cmdline").read_text()]
    told = [line for each in workers for line in (each / "status").read_text().splitlines() if "SigBlk" in line]
    os.killpg(process.pid, signal.SIGINT)
    assert finished(process)[0] == 130
    assert len(told) >= 2
    assert all(int(line.split()[1], 16) & 1 << (signal.SIGINT - 1) for line in told)


def descendants(process: int) -> Iterator[Path]:
    """Of the processes that a process has started, and those that these have: their folders in /proc."""
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            yield Path(f"/proc/{child}")
            yield from descendants(child)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_a_sweep_in_order_and_the_same_command_goes_on(tmp_path: Path, jobs: str) -> None:
    process = start(*LONG, "--jobs", jobs, out=tmp_path)
    wait_for_rows(tmp_path, 1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    status, out, err = finished(process)
    assert (status, err) == (130, "")
    done = len(lines(tmp_path))
    assert 1 <= done < 12
    assert len(table(tmp_path)) == 1 + done
    assert f"{12 - done} run{' is' if done == 11 else 's are'} left: the same command goes on\n" in out
    assert sweep(*LONG, "--jobs", "1", out=tmp_path)[0] == 0
    assert column(tmp_path, "run") == [str(number) for number in range(12)]


@pytest.mark.parametrize("full", [False, True])
def test_a_sweep_that_ends_while_runs_are_handed_out_leaves_no_complaints(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, full: bool
) -> None:
    """Its end comes while joblib asks for the next run, and joblib goes on with that one only afterwards."""
    handed_out, row_came, asked, stopping, stopped = list[int](), Event(), Event(), Event(), Event()

    def slow_job(sweep: SweepPlan, number: int) -> Job:
        handed_out.append(number)
        if row_came.is_set():  # so that this one is asked for by joblib's own thread
            asked.set()
            assert stopping.wait(PATIENCE)
            stopped.wait(0.5)  # not for ever: whoever stops may wait for joblib
        return job(sweep, number)

    class Stopping(Local):
        def stop(self) -> None:
            stopping.set()
            super().stop()
            stopped.set()

    def keep(row: RunRow) -> None:
        row_came.set()
        assert asked.wait(PATIENCE)
        if full:
            raise DevsRoboticsError("the disk is full")

    monkeypatch.setattr("devs_robotics.scenarios.sweeps.execute.job", slow_job)
    planned = plan("convoy", ["convoy.robots=2", "run.rounds=2"], Wishes(replicates=40))
    with Stopping(2, 40) as where, pytest.raises(DevsRoboticsError) if full else nullcontext():
        carry_out_all(planned, range(40), where, keep, interrupted=asked.is_set)
    assert len(handed_out) < 40
    assert [record for record in caplog.records if record.name.startswith("concurrent")] == []
