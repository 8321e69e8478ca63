"""What the terminal says of real robots: only what the models of such a robot use."""

from __future__ import annotations

import pytest

from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.commands.screen import outcome_lines
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load


@pytest.mark.parametrize(
    ("name", "short", "parts", "said"),
    [
        ("logistics", "run.duration=1", ("none", "none", "none"), "robot 1: a stand-in, json; omniwheels real"),
        ("transport", "run.duration=1", ("loop", "none", "none"), "robot 1: a stand-in, json; motor loop"),
        (
            "convoy_in_the_loop",
            "run.rounds=4",
            ("loop", "virtual", "virtual"),
            "robot 2: a stand-in, json; motor loop, infrared virtual",
        ),
    ],
)
def test_equipment_is_that_of_the_kind_of_robot(name: str, short: str, parts: tuple[str, ...], said: str) -> None:
    outcome = run(resolve(load(name, [short])), Means(stage="loop", lab="inside"), Hooks())
    report = next(iter(outcome.robots.values()))
    assert (report.motor, report.infrared, report.whiskers) == parts
    assert f"  {said}" in outcome_lines(outcome)
