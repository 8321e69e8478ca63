"""A sweep whose process is killed at any moment goes on where it was, and ends in the same results."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.scenarios.sweeps.sweeping import SMALL, finished, lines, results, start, sweep, wait_for_rows

SWEEP = ("--vary", "noise=paper", "--replicates", "4")

KILLER = """
import os, random, signal, sys, time
import joblib, pyarrow.parquet
import scenarios.sweeps.execute, scenarios.sweeps.store, scenarios.sweeps.tables
from scenarios.cli import main

chance = random.Random(int(sys.argv[1]))
whole, kills = 0.5, 0
while True:
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os._exit(main(['sweep', *sys.argv[2:]]))
    if kills < 12:
        time.sleep(chance.uniform(0.0, whole / 2.0))
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status):
        break
    kills += 1
print(os.waitstatus_to_exitcode(status), kills)
"""
"""Forks the command, which so begins at once, and kills it again and again."""


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_killed_a_dozen_times_at_random_moments_it_loses_and_doubles_nothing(tmp_path: Path, seed: int) -> None:
    words = ["convoy", *SMALL, *SWEEP, "--jobs", "1", "--out", str(tmp_path / "killed")]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", KILLER, str(seed), *words],
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
    process = start(*SWEEP, "--jobs", "2", "--set", "run.rounds=60", out=tmp_path / "killed")
    wait_for_rows(tmp_path / "killed", 2)
    os.kill(process.pid, signal.SIGKILL)
    assert finished(process)[0] == -signal.SIGKILL  # and nobody holds its output open
    for name in ("killed", "whole"):
        assert sweep(*SWEEP, "--set", "run.rounds=60", "--jobs", "2", out=tmp_path / name)[0] == 0
    assert results(tmp_path / "killed") == results(tmp_path / "whole")


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (7000, resource.RLIM_INFINITY))
"""
"""No file may grow beyond this: the last line fits in part only, as on a disk that is full."""


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
