"""A decision model does not learn whether its gripper is real: what it heard makes a fresh one say the same."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from devs_robotics.experimental_frames.study.decisions import decision_models, of_robots
from devs_robotics.experimental_frames.study.replay import Hearing, replayed
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.setup.setup import set_up
from tests.scenarios.case_study.gripping import write_case


@pytest.fixture
def gripping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The case's module."""
    write_case(tmp_path)
    for name in ("gripping", "hands"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("gripping")


@pytest.mark.parametrize("stage", ["loop", "real"])
def test_what_was_heard_of_a_real_gripper_makes_fresh_models_say_the_same(gripping: Any, stage: Any) -> None:
    real = {"2": {"infrared": "virtual", "equipment": {"gripper": "real"}}}
    scenario = scenario_of(gripping.Gripping(), duration=6.0, real=real)
    hearing = Hearing()
    outcome = run(scenario, Means(stage=stage, lab="inside"), Hooks(observers=[(hearing, of_robots)]))
    assert outcome.ended == "accepted", outcome.reason
    assert outcome.robots[2].equipment == ("gripper",)
    found = replayed(hearing.transitions, decision_models(case_of(scenario).experiment(set_up(scenario))))
    assert found.difference is None
    assert found.holds
    assert found.models == 2
    assert found.outputs > 30
