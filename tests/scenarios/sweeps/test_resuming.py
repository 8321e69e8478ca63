"""A sweep whose process is killed at any moment goes on where it was, and ends in the same results."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics.scenarios.running.interrupt import Interrupt
from devs_robotics.scenarios.running.results import OutputError
from tests.conftest import at_length
from tests.paths import ROOT
from tests.scenarios.sweeps.bombs import FUSE
from tests.scenarios.sweeps.sweeping import SMALL, finished, lines, results, start, sweep, wait_for_rows

SWEEP = ("--vary", "noise=paper", "--replicates", "4")

KILLS = 12 if at_length() else 5
"""How often a sweep is killed."""

KILLER = """
import os, random, signal, sys, time
import joblib, pyarrow.parquet
from devs_robotics.scenarios.sweeps import execute, store, tables
from devs_robotics.scenarios.commands.cli import main

chance = random.Random(int(sys.argv[1]))
whole, kills = 0.5, 0
while True:
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os._exit(main(['sweep', *sys.argv[3:]]))
    if kills < int(sys.argv[2]):
        time.sleep(chance.uniform(0.0, whole / 2.0))
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status):
        break
    kills += 1
print(os.waitstatus_to_exitcode(status), kills)
"""
"""Forks the command, which so begins at once, and kills it again and again."""


@pytest.mark.parametrize(("seed", "before"), [(1, 0), (2, 0), (3, 1)])
def test_killed_many_times_at_random_moments_it_loses_and_doubles_nothing(
    tmp_path: Path, seed: int, before: int
) -> None:
    """Though it may have been begun with fewer replicates."""
    if before:
        fewer = (*SWEEP[:-1], str(before))
        assert sweep(*fewer, "--jobs", "1", out=tmp_path / "killed")[0] == 0
    words = ["convoy", *SMALL, *SWEEP, "--jobs", "1", "--out", str(tmp_path / "killed")]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", KILLER, str(seed), str(KILLS), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    status, kills = done.stdout.splitlines()[-1].split()
    assert (status, done.stderr) == ("0", "")
    assert int(kills) >= 3
    assert sweep(*SWEEP, "--jobs", "1", out=tmp_path / "whole")[0] == 0
    assert results(tmp_path / "killed") == results(tmp_path / "whole")
    assert len(lines(tmp_path / "killed")) == 12


def test_killed_amid_its_workers_it_leaves_none_of_them_and_goes_on(tmp_path: Path) -> None:
    process = start(*SWEEP, "--jobs", "2", "--set", "run.rounds=60", out=tmp_path / "killed", strict=False)
    wait_for_rows(tmp_path / "killed", 2)
    os.kill(process.pid, signal.SIGKILL)
    status, _, err = finished(process)  # nobody holds its output open
    assert (status, err) == (-signal.SIGKILL, "")
    for name in ("killed", "whole"):
        assert sweep(*SWEEP, "--set", "run.rounds=60", "--jobs", "2", out=tmp_path / name)[0] == 0
    assert results(tmp_path / "killed") == results(tmp_path / "whole")


def test_with_more_replicates_it_goes_on_as_if_it_had_begun_with_them(tmp_path: Path) -> None:
    paper = ("--vary", "noise=paper", "--jobs", "1")
    assert sweep(*paper, "--replicates", "2", out=tmp_path / "grown")[0] == 0
    kept = lines(tmp_path / "grown")
    status, said = sweep(*paper, "--replicates", "4", out=tmp_path / "grown")
    assert (status, said[0]) == (0, "12 runs: 3 points, seeds 1 to 4, 6 of them are there already")
    assert lines(tmp_path / "grown")[:6] == kept
    assert sweep(*paper, "--replicates", "4", out=tmp_path / "whole")[0] == 0
    assert results(tmp_path / "grown") == results(tmp_path / "whole")
    with pytest.raises(
        OutputError, match=r"another design \(--replicates is 4 there, and 2 is wanted\): choose another"
    ):
        sweep(*paper, "--replicates", "2", out=tmp_path / "grown")


METRIC = """
from changing_helper import limit
from devs_robotics import Atomic

class Mine(Atomic):
    def result(self):
        return {{"limit": {limit}}}
"""


def test_with_another_metric_it_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    mine, helper, out = tmp_path / "changing_metric.py", tmp_path / "changing_helper.py", tmp_path / "out"
    helper.write_text("limit = 1.0\n")
    mine.write_text(METRIC.format(limit="limit"))
    words = ("--set", "frame.parts.mine.model=changing_metric:Mine", "--replicates", "1", "--jobs", "1")
    assert sweep(*words, out=out)[0] == 0
    for path, text in ((helper, "limit = 2.0\n"), (mine, METRIC.format(limit=3.0))):
        before = path.read_text()
        path.write_text(text)
        with pytest.raises(OutputError) as caught:
            sweep(*words, out=out)
        assert str(caught.value) == (
            f"--out: {out} holds a sweep with another software (the files of {path.stem} are not those that its runs "
            f"were made with): choose another folder, or empty this one"
        )
        path.write_text(before)
    assert sweep(*words, out=out)[0] == 0
    for name in ("changing_metric", "changing_helper"):
        sys.modules.pop(name)


class AtOnce(Interrupt):
    """The user presses Ctrl-C before anything is done."""

    def __init__(self) -> None:
        super().__init__()
        self.requested = True


def test_runs_that_failed_are_done_once_more_if_the_user_wishes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fuses = ("--vary", "frame.parts.bomb.fuse=none,environment", "--replicates", "2", "--jobs", "1")
    words = ("--set", "frame.parts.bomb.model=tests.scenarios.sweeps.bombs:Bomb", *fuses)
    monkeypatch.setenv(FUSE, "lit")
    status, said = sweep(*words, out=tmp_path / "mended")
    assert (status, said[1]) == (2, "4 of 4 runs are done: 2 accepted, 2 failed")
    assert said[-2] == "the same command with --again does 2 failed runs once more"
    with monkeypatch.context() as patch:
        patch.setattr("devs_robotics.scenarios.running.interrupt.Interrupt", AtOnce)
        status, said = sweep(*words, "--again", out=tmp_path / "mended")
    assert (status, said[-1]) == (130, "2 runs are left: the same command goes on")
    monkeypatch.delenv(FUSE)
    assert sweep(*words, out=tmp_path / "mended")[1][0].endswith(", 4 of them are there already")
    status, said = sweep(*words, "--again", out=tmp_path / "mended")
    assert (status, said[0][-27:]) == (0, "2 of them are there already")
    assert said[1] == "4 of 4 runs are done: 4 accepted"
    assert sweep(*words, out=tmp_path / "whole")[0] == 0
    assert results(tmp_path / "mended") == results(tmp_path / "whole")


FULL = """
import resource, sys
from devs_robotics.scenarios.sweeps.store import Store
append = Store.append
sys.dont_write_bytecode = True  # it would be cut off too, and stay so
def append_on_a_full_disk(store, row):
    resource.setrlimit(resource.RLIMIT_FSIZE, (7000, resource.RLIM_INFINITY))
    append(store, row)
Store.append = append_on_a_full_disk
"""
"""From the first row on no file may grow beyond this: the last line fits in part only, as on a disk that is full."""


def test_a_full_disk_tears_nothing(tmp_path: Path) -> None:
    status, _, err = finished(start(*SWEEP, "--jobs", "1", out=tmp_path / "full", before=FULL))
    kept = lines(tmp_path / "full")
    path = tmp_path / "full" / "rows.jsonl"
    assert status == 2
    assert err == (
        f"devs-robotics: --out: {path} cannot be written (File too large): the {len(kept)} runs that are done are "
        f"kept; free some space, and give the same command again\n"
    )
    assert 0 < len(kept) < 12
    assert path.read_bytes().endswith(b"\n")
    for name in ("full", "whole"):
        assert sweep(*SWEEP, "--jobs", "1", out=tmp_path / name)[0] == 0
    assert lines(tmp_path / "full")[: len(kept)] == kept
    assert results(tmp_path / "full") == results(tmp_path / "whole")
