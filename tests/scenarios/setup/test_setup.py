from __future__ import annotations

import pytest

from devs_robotics.scenarios.case import robots_of
from devs_robotics.scenarios.settings.loading import load, shipped_scenarios
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import STAGES, Stage


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", shipped_scenarios())
def test_a_setup_leaves_nothing_open(name: str, stage: Stage) -> None:
    setup = set_up(load(name), stage)
    assert set_up(setup.scenario, stage).scenario == setup.scenario
    assert [robot.number for robot in setup.robots] == list(range(1, len(robots_of(setup.scenario)) + 1))
    assert len(setup.obstacles) == len(setup.scenario.field.obstacles)
    assert setup.real.keys() >= setup.stand_ins.keys()


def test_the_leader_looks_round_and_a_follower_ahead() -> None:
    leader, *followers = set_up(load("convoy", ["infrared.leader_beams=['-30 deg', '30 deg']"])).robots
    assert len(leader.optics.bearings) == 2
    assert {robot.optics.bearings for robot in followers} == {(0.0,)}


def test_a_robot_with_an_address_is_real_and_no_stand_in() -> None:
    setup = set_up(load("convoy_in_the_loop", ["real.2.address=mqtt://host/robot/2"]), "loop")
    assert 2 in setup.real
    assert 2 not in setup.stand_ins


def test_a_rate_stands_above_the_one_of_the_file() -> None:
    scenario = load("convoy", ["clock.rate=4"])
    assert set_up(scenario).scenario.clock.rate == 4.0
    assert set_up(scenario, rate=2.0).scenario.clock.rate == 2.0
