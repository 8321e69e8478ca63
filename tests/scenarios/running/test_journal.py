"""The journal: what is on disk while a run goes on is what the whole files begin with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from devs_robotics import Simulator
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running import journal as journals
from devs_robotics.scenarios.running.journal import Journal
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.results import OutputError, write


def test_what_is_measured_is_on_disk_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "PERIOD", 0.0)
    scenario = resolve(load("convoy", ["convoy.robots=4", "run.rounds=40"]))
    journal = Journal(tmp_path, scenario, "realtime")
    assert not list(tmp_path.iterdir())
    seen: list[tuple[str, str]] = []

    def report(experiment: CaseExperiment, simulator: Simulator) -> None:
        journal.update(experiment, None)
        begun = json.loads((tmp_path / "summary.json").read_text())
        assert (begun["outcome"], begun["stage"]) == ("running", "realtime")
        seen.append(((tmp_path / "rounds.csv").read_text(), (tmp_path / "series.csv").read_text()))

    outcome = run(scenario, hooks=Hooks(report=report))
    write(tmp_path, outcome)
    rounds, series = (tmp_path / "rounds.csv").read_text(), (tmp_path / "series.csv").read_text()
    assert len(seen) > 2
    for some_rounds, some_series in seen:
        assert rounds.startswith(some_rounds)
        assert series.startswith(some_series)
    assert seen[-1] == (rounds, series)
    assert json.loads((tmp_path / "summary.json").read_text())["outcome"] == "accepted"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "series.csv").mkdir()
    scenario = resolve(load("convoy", ["convoy.robots=4", "run.rounds=4"]))
    with pytest.raises(OutputError, match=r"series\.csv cannot be written"):
        run(scenario, hooks=Hooks(journal=Journal(tmp_path, scenario, "loop")))
