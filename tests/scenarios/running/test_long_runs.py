"""Runs of any length: the results are the same wherever the measurements wait, and memory does not grow with them."""

from __future__ import annotations

import io
import tempfile
import tracemalloc
from math import nan
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from devs_robotics import Lateness
from devs_robotics.core import tables
from devs_robotics.experimental_frames.convoy import Formation, RoundRow, measure
from devs_robotics.experimental_frames.convoy.report import page
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.instruments.localisation.localisation import FixRow
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running import results
from tests.scenarios.by_hand import ByHand

TABLES = ("rounds.csv", "series.csv", "lateness.csv", "localisation.csv")


def measured() -> ConvoyOutcome:
    """A run with everything that can be measured, without a sleep."""
    fast = run(load("convoy_in_the_loop", ["run.rounds=30"]))
    timing = Lateness()
    for number in range(2500):
        timing.record(0.1 * number, number * 7919 % 2500 / 1e5)
    localisation = ByHand(fast.scenario, "loop").run().localisation
    return replace(fast, stage="loop", rate=1.0, timing=timing, localisation=localisation, cpu_s=1.0, wall_s=1.0)


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return written(tmp_path_factory.mktemp("runs") / "out", measured())


def written(folder: Path, outcome: ConvoyOutcome) -> dict[str, bytes]:
    folder.mkdir()
    return {path.name: path.read_bytes() for path in results.write(folder, outcome)}


@pytest.mark.parametrize("disk", ["there", "full"])
def test_the_results_are_the_same_bytes_wherever_the_measurements_wait(
    disk: str, in_memory: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """/dev/full is a disk without room."""
    monkeypatch.setattr(tables, "IN_MEMORY", 400)
    monkeypatch.setattr(tables, "BLOCK", 160)
    if disk == "full":
        monkeypatch.setattr(tempfile, "TemporaryFile", lambda **options: io.FileIO("/dev/full", "r+"))
    outcome = measured()
    assert (outcome.formation.rows._filed > 0) == (disk == "there")
    found = written(tmp_path / "out", outcome)
    assert set(TABLES) < set(found)
    assert all(found[name].count(b"\n") > 80 for name in TABLES)
    assert found == in_memory


def long_run(rounds: int) -> tuple[Formation, Lateness, Localisation]:
    """A leader that goes straight on, and a follower."""
    formation, timing = Formation("formation", [(0.0, 0.0, 0.0), (-0.5, 0.0, 0.0)], 0.5, 1.0), Lateness()
    localisation = Localisation("localisation", {1: (0.0, 0.0, 0.0), 2: (-0.5, 0.0, 0.0)})
    errors = np.random.default_rng(1).uniform(0.0, 0.1, rounds).tolist()
    for number, error in enumerate(errors, 1):
        for robot in (1, 2):
            gap, off = (nan, nan) if robot == 1 else (0.5, error)
            formation.rows.append(
                RoundRow(number, robot, number + 0.2 * robot, 0.1 * number, 0.0, 0.0, gap, gap, off, 1)
            )
            localisation.rows.append(FixRow(float(number), robot, 0.0, 0.0, 0.0, error, error, error, error))
    for column in (formation.times, timing.times):
        column.extend(np.arange(5.0 * rounds))
    for column in (formation.error_sums, timing.values):
        column.extend(np.tile(errors, 5))
    return formation, timing, localisation


def test_what_comes_of_a_long_run_needs_no_memory_for_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured takes 2 MB, as texts 4 MB; only the mean errors of the rounds are in memory at once."""
    monkeypatch.setattr(tables, "IN_MEMORY", 2**15)
    monkeypatch.setattr(tables, "BLOCK", 2**8)
    monkeypatch.setattr(page, "report_html", lambda *measured, **more: "")  # its figures have few points
    done = run(load("convoy", ["convoy.robots=2", "run.rounds=2"]))

    def write(rounds: int) -> int:
        tracemalloc.reset_peak()
        formation, timing, localisation = long_run(rounds)
        parts = {"formation": formation, "timing": timing, "localisation": localisation}
        outcome = replace(done, metrics=measure(formation, 20, float(rounds)), stage="loop", rate=1.0, **parts)
        results.write(tmp_path, outcome)
        return tracemalloc.get_traced_memory()[1]

    write(100)  # loads what there is to load
    tracemalloc.start()
    peak = write(5000)
    tracemalloc.stop()
    assert sum((tmp_path / name).stat().st_size for name in TABLES) > 3e6
    assert peak < 1.5e6
