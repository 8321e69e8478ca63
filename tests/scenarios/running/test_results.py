"""The result files: what was measured is in them, and only that."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from devs_robotics import Lateness
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.commands.screen import outcome_lines
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running import results
from tests.approximately import near
from tests.scenarios.by_hand import ByHand


@pytest.fixture(scope="module")
def fast() -> ConvoyOutcome:
    return run(load("convoy_in_the_loop", ["run.rounds=3"]))


def table(path: Path) -> list[dict[str, float]]:
    with path.open(newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def test_a_run_in_the_loop_leaves_its_lateness_and_its_localisation(fast: ConvoyOutcome, tmp_path: Path) -> None:
    timing = Lateness()
    timing.record(0.5, 0.001)
    timing.record(1.0, 0.25)
    localisation = ByHand(fast.scenario, "loop").run().localisation
    assert localisation is not None
    outcome = replace(fast, stage="loop", rate=1.0, timing=timing, localisation=localisation)
    assert [path.name for path in results.write(tmp_path, outcome)] == [
        "summary.json",
        "rounds.csv",
        "series.csv",
        "lateness.csv",
        "localisation.csv",
        "report.html",
    ]
    assert table(tmp_path / "lateness.csv") == [
        {"time_s": 0.5, "lateness_s": 0.001},
        {"time_s": 1.0, "lateness_s": 0.25},
    ]
    rows = table(tmp_path / "localisation.csv")
    assert len(rows) == len(localisation.rows) > 20
    summary = json.loads((tmp_path / "summary.json").read_text())
    for robot, errors in summary["localisation"].items():
        own = [row for row in rows if row["robot"] == int(robot)]
        assert errors["fixes"] == len(own)
        assert errors["map_position_m"]["maximum"] == max(row["map_error_m"] for row in own)
        assert errors["odom_position_m"]["mean"] == near(sum(row["odom_error_m"] for row in own) / len(own))
    assert set(summary["localisation"]) == {"2", "3"}


def test_a_tracking_system_that_says_nothing_is_told_of(fast: ConvoyOutcome) -> None:
    scenario = resolve(load("convoy_in_the_loop", ["tracking.address=mqtt://me:secret@host/tracking"]))
    silent = replace(fast, scenario=scenario, stage="loop", localisation=Localisation("localisation", {2: (0, 0, 0)}))
    warning = "  warning: no fix of a robot at rest came from mqtt://me:***@host/tracking: "
    assert any(line.startswith(warning) for line in outcome_lines(silent))
    assert not any("warning" in line for line in outcome_lines(replace(silent, scenario=fast.scenario)))


def test_a_run_in_fast_leaves_neither_nor_those_of_an_earlier_run(fast: ConvoyOutcome, tmp_path: Path) -> None:
    for name in ("lateness.csv", "localisation.csv", "my_notes.txt"):
        (tmp_path / name).write_text("of an earlier run")
    results.write(tmp_path, fast)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "my_notes.txt",
        "report.html",
        "rounds.csv",
        "series.csv",
        "summary.json",
    ]
    assert "localisation" not in json.loads((tmp_path / "summary.json").read_text())
