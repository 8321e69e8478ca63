"""The case phototaxis: what its decision model does, and that all robots come to the lamp."""

from __future__ import annotations

from math import hypot

import pytest

from devs_robotics import Crossed, Stream, Watch, Wheels
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.models.environment import Lamp
from devs_robotics.scenarios.phototaxis import ASIDE, SeekLight
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.study import CaseSystem
from tests.models.play import settle, tell
from tests.scenarios.case_runs import model_of, outcome_of, tables

DARK, NOTHING = (4095.0,) * 8, (0.0,) * 8


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("phototaxis", "phototaxis.robots=2", "run.seed=4")
    assert_trace(model, "traces/phototaxis.jsonl", until=8.0, only="robot1/seek")


def seeker() -> SeekLight:
    seek = SeekLight("seek", Stream(1, 1, "seek"), speed=0.06, period=0.1, bright=2000.0)
    seek.initialize()
    assert settle(seek) == [("light_ask", Watch(period=0.1)), ("proximity_ask", Watch(period=0.1))]
    assert tell(seek, (seek.light.answer, Crossed(DARK)), (seek.proximity.answer, Crossed(NOTHING))) == [
        ("wheels_ask", Wheels(0.06, 0.06))
    ]
    return seek


def test_it_turns_to_the_light_goes_there_and_stops() -> None:
    seek = seeker()
    left = (*DARK[:5], 3000.0, 4095.0, 4095.0)
    assert tell(seek, (seek.light.answer, Crossed(left))) == [("wheels_ask", Wheels(-0.06, 0.06)), ("noticed", True)]
    ahead = (3000.0, *DARK[1:7], 3000.0)
    assert tell(seek, (seek.light.answer, Crossed(ahead))) == [("wheels_ask", Wheels(0.06, 0.06))]
    there = (1900.0, *DARK[1:7], 2100.0)
    assert tell(seek, (seek.light.answer, Crossed(there))) == [("wheels_ask", Wheels()), ("arrived", True)]
    assert tell(seek, (seek.light.answer, Crossed(DARK))) == []


def test_it_turns_away_by_chance_from_what_is_close_ahead_and_drives_on_before_it_looks_for_light() -> None:
    seek = seeker()
    close = (500.0, *NOTHING[1:])
    assert tell(seek, (seek.proximity.answer, Crossed(close))) == [("wheels_ask", Wheels(-0.06, 0.06))]
    assert seek.phase == "turning"
    assert 0.3 < seek.sigma < 2.0
    before = seek.sigma
    assert tell(seek, (seek.proximity.answer, Crossed(NOTHING)), e=0.1) == []
    assert seek.sigma == pytest.approx(before - 0.1)
    seek.lambdaf()
    assert list(seek.wheels.ask.values) == [Wheels(0.06, 0.06)]
    seek.wheels.ask.clear()
    seek.deltint()
    assert (seek.phase, seek.sigma) == ("aside", ASIDE)
    right = (4095.0, 4095.0, 3000.0, *DARK[3:])
    assert tell(seek, (seek.light.answer, Crossed(right)), e=0.1) == []
    seek.deltint()
    assert ("wheels_ask", Wheels(0.06, -0.06)) in settle(seek)


@pytest.mark.parametrize("seed", [1, 2])
def test_all_robots_come_to_the_lamp_and_alike_every_time(seed: int) -> None:
    settings = ("phototaxis.robots=3", f"run.seed={seed}")
    outcome = outcome_of("phototaxis", *settings)
    assert outcome.reason == "all robots are at the lamp"
    arrivals = outcome.frames["arrivals"]
    assert arrivals["share"] == 1.0
    assert 0.0 < float(arrivals["noticed_s"]) < float(arrivals["arrived_s"]) < 300.0
    assert tables(outcome) == tables(outcome_of("phototaxis", *settings))


def test_the_lamp_is_in_the_middle_and_no_robot_is_near_it_at_first() -> None:
    system = model_of("phototaxis").system
    assert isinstance(system, CaseSystem)
    (lamp,) = system.field.things.of(Lamp)
    assert (lamp.x, lamp.y) == (system.field.width / 2.0, system.field.height / 2.0)
    assert all(hypot(robot.pose[0] - lamp.x, robot.pose[1] - lamp.y) >= 0.45 for robot in system.robots)


def test_settings_that_cannot_be_are_told() -> None:
    scenario, problems = validate({"case": "phototaxis", "phototaxis": {"period": 0.0}})
    assert scenario is None
    (problem,) = problems
    assert str(problem) == "phototaxis.period: must be more than 0: robots would decide without end"
