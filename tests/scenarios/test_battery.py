"""The case battery: what its decision model does, and that robots come home in time."""

from __future__ import annotations

from math import inf

import pytest

from devs_robotics import Drive, Driven, Ranges, Sense, Stream
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.models.environment import Field, World
from devs_robotics.scenarios.battery import AskHome, Endurance, Home, Patrol
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.study import AskCharge, Charge, Recharge
from tests.approximately import near
from tests.models.play import settle, tell
from tests.scenarios.case_runs import model_of, outcome_of, tables

SHORT = ("run.duration=1500", "patrolling.charge=0.27", "patrolling.recharge=600", "patrolling.robots=2")


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("battery", "patrolling.robots=1", "patrolling.charge=0.2501", "patrolling.recharge=10")
    assert_trace(model, "traces/battery.jsonl", until=30.0, only="robot1/patrol")


def patrol() -> Patrol:
    model = Patrol("patrol", Stream(1, 1, "patrol"), step=0.3, clearance=0.35, level=0.25, rate=0.001)
    model.initialize()
    assert settle(model) == [("battery_ask", AskCharge((0.25,))), ("infrared_ask", Sense())]
    tell(model, (model.battery.answer, Charge(0.5)), e=0.0)
    return model


def test_it_patrols_until_the_battery_is_low_goes_home_charges_and_leaves() -> None:
    model = patrol()
    assert tell(model, (model.infrared.answer, Ranges((inf, 0.4, inf)))) == [("motor_ask", Drive(distance=0.3))]
    assert tell(model, (model.battery.answer, Charge(0.25, low=True))) == [], "it is under way"
    done = model.motor.answer, Driven(0.0, 0.3)
    assert tell(model, done) == [("compass_ask", Sense())]
    assert tell(model, (model.compass.answer, Home(1.0, 0.8, False))) == [("motor_ask", Drive(turn=1.0))]
    assert tell(model, done) == [("compass_ask", Sense())]
    assert tell(model, (model.compass.answer, Home(0.0, 0.2, False))) == [("infrared_ask", Sense())]
    assert tell(model, (model.infrared.answer, Ranges((inf, 0.25, inf)))) == [("motor_ask", Drive(distance=0.2))]
    assert tell(model, done) == [("compass_ask", Sense())]
    assert tell(model, (model.compass.answer, Home(0.0, 0.1, True))) == [
        ("battery_ask", AskCharge()),
        ("charging", Recharge(0.001)),
    ]
    assert tell(model, (model.battery.answer, Charge(0.24, low=True)), e=0.0) == []
    assert tell(model, (model.battery.answer, Charge(1.0))) == [("charging", Recharge(0.0)), ("infrared_ask", Sense())]


def test_where_its_way_home_is_not_free_it_makes_a_step_aside_first() -> None:
    model = patrol()
    tell(model, (model.battery.answer, Charge(0.25, low=True)))
    ((port, turn),) = tell(model, (model.infrared.answer, Ranges((0.1, 0.1, 0.1))))
    assert (port, turn.distance) == ("motor_ask", 0.0)
    done = model.motor.answer, Driven(0.0, 0.3)
    assert tell(model, done) == [("infrared_ask", Sense())]
    assert tell(model, (model.infrared.answer, Ranges((inf,)))) == [("motor_ask", Drive(distance=0.3))]
    assert tell(model, done) == [("compass_ask", Sense())]


def test_with_an_empty_battery_it_is_stranded() -> None:
    model = patrol()
    tell(model, (model.battery.answer, Charge(0.0, low=True)))
    assert tell(model, (model.infrared.answer, Ranges((inf,)))) == []
    assert model.phase == "stranded"


def test_home_is_where_it_is_from_the_robot() -> None:
    field = Field(4.0, 4.0)
    field.add_body(1.0, 2.0, 0.5, 0.035)
    assert AskHome(1, 2.0, 2.0, 0.3).answer(World(field, 0.03)) == Home(near(-0.5), near(1.0), False)
    assert AskHome(1, 1.1, 2.0, 0.3).answer(World(field, 0.03)).inside


def test_robots_come_home_in_time_and_alike_every_time() -> None:
    outcome = outcome_of("battery", *SHORT)
    endurance = outcome.frames["endurance"]
    assert endurance["returns_per_robot"] == 1.0
    assert endurance["stranded"] == 0
    assert 0.2 < float(endurance["least_charge"]) < 0.25
    assert 0.2 < float(endurance["docked_share"]) < 0.4, "about three quarters of ten minutes"
    assert tables(outcome) == tables(outcome_of("battery", *SHORT))


def test_who_goes_home_too_late_is_stranded() -> None:
    outcome = outcome_of(
        "battery", "run.duration=600", "patrolling.charge=0.005", "patrolling.level=0.0001", "patrolling.battery=simple"
    )
    assert float(outcome.frames["endurance"]["stranded"]) >= 1
    assert outcome.frames["endurance"]["least_charge"] == 0.0


def test_endurance_counts_who_charges() -> None:
    endurance = Endurance("endurance", 2, 100.0)
    endurance.initialize()
    tell(endurance, (endurance.charging, Recharge(0.1)), e=10.0)
    tell(endurance, (endurance.charging, Recharge(0.0)), (endurance.charge, Charge(0.4)), e=30.0)
    endurance.deltint()
    assert endurance.docked_share() == near(30.0 / 200.0)
    assert (endurance.returns_per_robot(), endurance.least_charge()) == (0.5, 0.4)
    assert endurance.series() == {"docked": [(0.0, 0.0), (10.0, 1.0), (40.0, 0.0)]}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"recharge": 0.0}, "no battery would ever be full"),
        ({"step": 0.5}, "make step more than 0 m, and less than clearance"),
        ({"battery": "endless"}, "'simple', 'linear', 'cubic' or 'approximated'"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "battery", "patrolling": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), [str(problem) for problem in problems]
