"""Runs of the small case studies that ship, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from devs_robotics import Bridge, HandClock, Lateness, Run, Simulator
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Lab, Stage

Tables = dict[str, list[str]]
"""The lines of a run's CSV files."""


def patience(robots: Iterable[int]) -> tuple[str, ...]:
    """Settings with which stand-ins may answer late, as they do on a busy machine where time runs fast."""
    return tuple(f"real.{robot}.{key}=60 s" for robot in robots for key in ("answer_within", "link_within"))


def model_of(name: str, *settings: str, stage: Stage = "fast") -> CaseExperiment:
    """A case study's system under its frame."""
    scenario = load(name, settings)
    model = case_of(scenario).experiment(set_up(scenario, stage))
    assert isinstance(model, CaseExperiment)
    return model


def outcome_of(
    name: str,
    *settings: str,
    stage: Stage = "fast",
    lab: Lab = "process",
    rate: float | None = None,
    hooks: Hooks = Hooks(),  # noqa: B008
) -> CaseOutcome:
    """What comes of a run."""
    if rate is not None:
        settings = (*settings, *patience(set_up(load(name, settings), stage).real))
    outcome = run(load(name, settings), Means(stage=stage, lab=lab, rate=rate), hooks)
    assert isinstance(outcome, CaseOutcome)
    assert outcome.ended == "accepted", outcome.reason
    return outcome


def tables(outcome: CaseOutcome) -> Tables:
    """What its CSV files hold."""
    measured = case_of(outcome.scenario).measurements(outcome)
    return {name: [table.header, *table.lines(0)] for name, table in measured.items()}


def tables_of_another_process(name: str, *settings: str) -> Tables:
    """The same of a run in a process in which sets are in another order."""
    program = (
        "import json, sys; from tests.scenarios.case_runs import outcome_of, tables; "
        "print(json.dumps(tables(outcome_of(*sys.argv[1:]))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, name, *settings],
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        capture_output=True,
        text=True,
        check=True,
    )
    found: Tables = json.loads(result.stdout)
    return found


def results_on_a_hand_clock(name: str, *settings: str, oversleep: float = 0.0) -> dict[str, dict[str, Any]]:
    """What the parts of the frame have measured in the stage `realtime`, on a clock that waits for nobody."""
    from devs_robotics.experimental_frames.frame import results_of

    model = model_of(name, *settings, stage="realtime")
    lateness = Lateness()
    with Simulator(model) as simulator:
        Run(simulator, HandClock(oversleep), Bridge(), lateness).until(model.verdict)
    assert abs(lateness.distribution().maximum - oversleep) < 1e-6
    return {part: results for part, of in model.parts.items() if (results := results_of(of))}
