"""Cases with ROS 2 stand-ins: inside the run, over DDS and over zenoh; and what must be known of real ones."""

from __future__ import annotations

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.study.decisions import decision_models, of_robots
from devs_robotics.experimental_frames.study.replay import Hearing, replayed
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.rehearsal import RehearsalError
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage

CASES: tuple[tuple[str, Stage], ...] = (
    ("wander", "loop"),
    ("wander", "real"),
    ("mixed_walk", "loop"),
    ("transport", "loop"),
    ("forage", "loop"),
    ("meet", "loop"),
)


def scenario_of(name: str, *more: str) -> Scenario:
    return load(name, ["real.2.protocol=ros2", "run.duration=10 s", *more])


@pytest.mark.parametrize(("name", "stage"), CASES)
def test_no_decision_model_learns_that_a_robot_is_one_of_ros(name: str, stage: Stage) -> None:
    scenario, hearing = scenario_of(name), Hearing()
    outcome = run(scenario, Means(stage=stage, lab="inside"), Hooks(observers=[(hearing, of_robots)]))
    assert isinstance(outcome, CaseOutcome)
    assert outcome.robots[2].protocol == "ros2"
    assert outcome.robots[2].dropped == {}
    found = replayed(hearing.transitions, decision_models(case_of(scenario).experiment(set_up(scenario))))
    assert found.difference is None
    assert found.holds


@pytest.mark.wall_clock
@pytest.mark.long
@pytest.mark.parametrize("middleware", ["dds", "zenoh"])
def test_a_case_runs_over_the_real_middleware(middleware: str) -> None:
    outcome = run(scenario_of("wander", "run.duration=6 s", f"stand_in.middleware={middleware}"), Means(stage="loop"))
    assert outcome.ended == "accepted", outcome.reason
    assert outcome.robots[2].dropped == {}


def test_a_real_robot_whose_watchdog_nobody_has_measured_or_that_is_long_does_not_move() -> None:
    place = "real.2.address=ros2://turtle1?domain=42&interface=lo"
    with pytest.raises(RehearsalError, match=r"devs-robotics probe 'ros2://turtle1\?domain=42&interface=lo'"):
        run(scenario_of("wander", place), Means(stage="loop"))
    with pytest.raises(RehearsalError, match="robot 2 goes on for 3 s when its host ends"):
        run(scenario_of("wander", place, "real.2.watchdog=3 s"), Means(stage="loop"))


def test_a_case_that_drives_by_wheels_refuses_it_in_the_loop() -> None:
    with pytest.raises(DevsRoboticsError, match="it would stand still"):
        scenario_of("phototaxis")


def test_the_probe_tells_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probe", "tcp://192.0.2.7:1000"]) != 0
    assert "is not that of a robot of ROS 2, and only those are probed" in capsys.readouterr().err
    assert main(["probe", "ros2://turtle1?domain=x"]) != 0
    assert "has the domain 'x'" in capsys.readouterr().err
