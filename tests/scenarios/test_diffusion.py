"""The case diffusion: what its decision model does, the field's size, and the same run by every strategy."""

from __future__ import annotations

from math import inf, isnan, sqrt

import pytest

from devs_robotics import Crossed, Obstructed, Watch, Wheels
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.models.environment import Field, PoseChange
from devs_robotics.models.environment.sensing import StrategyName
from devs_robotics.scenarios.diffusion import Diffuse, Spread
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.study import CaseSystem
from tests.approximately import near
from tests.models.play import settle, tell
from tests.scenarios.case_runs import model_of, outcome_of, tables, tables_of_another_process
from tests.tracing import trace_ours, trace_xdevs

SMALL = ("run.duration=20", "diffusion.robots=4")


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("diffusion", "diffusion.robots=2", "diffusion.area_per_robot=0.04")
    assert_trace(model, "traces/diffusion.jsonl", until=4.0, only="robot1/diffuse")


def test_it_drives_straight_on_and_turns_away_from_what_it_sees() -> None:
    diffuse = Diffuse("diffuse", speed=0.05, period=0.1)
    diffuse.initialize()
    assert settle(diffuse) == [("proximity_ask", Watch(period=0.1))]
    nothing, right, left = (0.0,) * 8, (900.0, *(0.0,) * 7), (*(0.0,) * 7, 900.0)
    for readings, wheels, decision in (
        (nothing, Wheels(0.05, 0.05), "straight"),
        (right, Wheels(0.0, 0.05), "left"),
        (left, Wheels(0.05, 0.0), "right"),
    ):
        assert tell(diffuse, (diffuse.proximity.answer, Crossed(readings))) == [
            ("wheels_ask", wheels),
            ("decided", decision),
        ]
    assert tell(diffuse, (diffuse.proximity.answer, Crossed((*(0.0,) * 7, 800.0)))) == [], "no other decision"
    weak = (200.0, *(0.0,) * 6, 200.0)
    assert diffuse.decide(weak) == "straight", "it is ahead, and weak"
    assert diffuse.decide((4000.0, *(0.0,) * 6, 4000.0)) != "straight"


def test_the_field_is_as_large_as_the_robots_need_unless_a_scenario_says_how_large() -> None:
    for robots, area in ((4, 0.16), (9, 1.0)):
        field = field_of(f"diffusion.robots={robots}", f"diffusion.area_per_robot={area}")
        assert field.width == field.height == near(sqrt(robots * area))
    field = field_of("field.width=3.0", "diffusion.robots=4")
    assert (field.width, field.height) == (3.0, near(0.8))


def field_of(*settings: str) -> Field:
    system = model_of("diffusion", *settings).system
    assert isinstance(system, CaseSystem)
    return system.field


def test_spread_is_measured_from_where_robots_began() -> None:
    spread = Spread("spread", [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], 60.0)
    assert isnan(spread.decisions_per_s()), "nothing yet"
    tell(
        spread,
        (spread.pose_change, PoseChange(1, 0.3, 0.4, 0.0)),
        (spread.decided, "left"),
        (spread.obstructed, Obstructed(True)),
        e=30.0,
    )
    tell(spread, (spread.obstructed, Obstructed(False)), e=0.0)
    assert spread.displacement() == near(sqrt(0.25 / 2.0))
    assert (spread.decisions_per_s(), spread.held_per_s()) == (near(1.0 / 60.0), near(1.0 / 60.0))
    assert spread.nearest() == near(sqrt(0.7**2 + 0.4**2))
    assert isnan(Spread("alone", [(0.0, 0.0, 0.0)], 60.0).nearest())


@pytest.mark.parametrize("strategy", ["predict", "batch"])
def test_every_strategy_makes_the_run_of_polling(strategy: StrategyName) -> None:
    def of(name: StrategyName) -> object:
        model = model_of("diffusion", *SMALL)
        model.system.environment.space.strategy = name
        return trace_ours(model, 20.0)["experiment/system/robot1/diffuse"]

    assert of(strategy) == of("polling")


def test_it_runs_alike_under_xdevs_own_coordinator_and_in_every_process() -> None:
    assert trace_ours(model_of("diffusion", *SMALL), 10.0) == trace_xdevs(model_of("diffusion", *SMALL), 10.0)
    outcome = outcome_of("diffusion", *SMALL)
    assert tables(outcome) == tables_of_another_process("diffusion", *SMALL)
    spread = outcome.frames["spread"]
    assert 0.1 < float(spread["displacement"]) < inf
    assert 0.0 < float(spread["nearest"]) < 0.8


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"speed": 0.0}, "must be more than 0: robots would stand still"),
        ({"robots": 100, "area_per_robot": 0.001}, "there is no room for 100 robots"),
        ({"area_per_robot": -1.0}, "must be more than 0, not -1.0"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "diffusion", "diffusion": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), [str(problem) for problem in problems]
