"""Replay: what decision models heard in a stage makes fresh ones say the same, unless they look elsewhere."""

from __future__ import annotations

import random
import re
import time
from typing import Any

import pytest

from devs_robotics import Atomic, Drive
from devs_robotics.experimental_frames.study.decisions import DecisionModels, decision_models, of_robots
from devs_robotics.experimental_frames.study.replay import Hearing, ReplayedDecisions, replayed
from devs_robotics.models.robots import CaseSystem
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.run import scenario_of
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from devs_robotics.scenarios.wander import Wander, Wandering


class ReadsTheClock(Wander):
    """Its turns are by the clock on the wall."""

    def lambdaf(self) -> None:
        """Say what no one can have said before."""
        if self.phase == "moving":
            self.command = Drive(turn=time.perf_counter() % 1.0 + 0.1)
        super().lambdaf()


class DrawsAnywhere(Wander):
    """Its steps are by numbers that are everybody's."""

    def lambdaf(self) -> None:
        """Say what depends on whoever drew before."""
        if self.phase == "moving":
            self.command = Drive(turn=random.random() + 0.1)
        super().lambdaf()


class Fails(Wander):
    """It fails when it is not where it was made first."""

    lives = 1

    def initialize(self) -> None:
        """Begin once."""
        super().initialize()
        if not Fails.lives:
            raise ValueError("no more")
        Fails.lives -= 1


def wandering(decisions: type[Atomic] = Wander, robots: int = 3) -> Wandering:
    """Wanderers that decide in some way."""

    class Wanderers(Wandering):
        """They wander."""

        def build(self, system: CaseSystem) -> None:
            for pose in system.free_poses(robots):
                robot = system.add_robot(pose)
                model: Any = decisions
                robot.decide(model("wander", system.stream(robot, "wander"), self.step, self.clearance))

    return Wanderers()


def replay(study: Wandering, stage: Stage) -> ReplayedDecisions:
    """Run it, and play what was heard to fresh models."""
    scenario = scenario_of(study, duration=30.0)
    hearing = Hearing()
    lab: Any = {"lab": "inside"} if stage in ("loop", "real") else {}
    outcome = run(scenario, Means(stage=stage, **lab), Hooks(observers=[(hearing, of_robots)]))
    assert outcome.ended == "accepted", outcome.reason
    return replayed(hearing.transitions, decision_models(case_of(scenario).experiment(set_up(scenario))))


@pytest.mark.parametrize("stage", ["fast", "loop", "real"])
def test_what_was_heard_makes_fresh_models_say_the_same(stage: Stage) -> None:
    found = replay(wandering(), stage)
    assert found.difference is None
    assert found.holds
    assert found.models == 3
    assert found.outputs > 50


@pytest.mark.parametrize("decisions", [ReadsTheClock, DrawsAnywhere])
def test_models_that_look_elsewhere_do_not(decisions: type[Atomic]) -> None:
    found = replay(wandering(decisions), "fast")
    assert not found.holds
    assert found.difference is not None
    assert found.difference.port == "motor_ask"
    assert "Drive(turn=" in found.difference.then
    assert str(found.difference).startswith(f"{found.difference.model}.motor_ask at ")


def test_one_that_fails_is_named() -> None:
    Fails.lives = 1
    found = replay(wandering(Fails, 1), "fast")
    said, _, place = str(found.difference).rpartition(" (")
    assert said == "robot1/wander, played what it heard until 0.000 s, fails: ValueError: no more"
    assert re.fullmatch(r"\S*test_replay\.py, line \d+\)", place)


def test_nothing_that_was_said_proves_nothing() -> None:
    assert not replayed({}, {}).holds
    assert not replayed({"robot1/wander": []}, {}).holds


def test_a_model_that_is_not_there_is_named() -> None:
    found = replayed({"robot9/wander": []}, {})
    assert "robot9/wander" in str(found.difference)
    assert "is not there in the stage fast" in str(found.difference)


def test_activities_are_no_decision_models() -> None:
    hearing, models = Hearing(), DecisionModels()
    outcome = run(
        scenario_of(wandering(), duration=5.0), hooks=Hooks(observers=[(hearing, of_robots), (models, of_robots)])
    )
    assert outcome.ended == "accepted"
    assert set(hearing.transitions) == set(models.classes) == {f"robot{number}/wander" for number in (1, 2, 3)}
