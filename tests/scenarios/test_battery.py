"""The case battery: what its decision model does, and that robots come home in time."""

from __future__ import annotations

import pytest

from devs_robotics import AskCharge, Charge, Crossed, Obstructed, Stream, Watch, Wheels
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.scenarios.battery import ASIDE, GREY, Patrol
from devs_robotics.scenarios.battery_frame import Endurance
from devs_robotics.scenarios.settings.loading import validate
from tests.approximately import near
from tests.models.play import settle, tell
from tests.scenarios.case_runs import model_of, outcome_of, tables

SHORT = ("run.duration=900", "patrolling.robots=2", "patrolling.recharge=400")


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("battery", "patrolling.robots=1", "patrolling.charge=0.2501", "patrolling.recharge=10")
    assert_trace(model, "traces/battery.jsonl", until=30.0, only="robot1/patrol")


STRAIGHT, TO_LEFT, TO_RIGHT, REST = Wheels(0.06, 0.06), Wheels(-0.06, 0.06), Wheels(0.06, -0.06), Wheels()
DARK, NOTHING = (4095.0,) * 8, (0.0,) * 8
WHITE, BLACK = (1023.0,) * 3, (0.0,) * 3


def patrol() -> Patrol:
    """One that has heard of all its sensors, and drives straight on."""
    model = Patrol("patrol", Stream(1, 1, "patrol"), speed=0.06, period=0.1, level=0.25)
    model.initialize()
    assert settle(model) == [
        ("light_ask", Watch(period=0.1)),
        ("proximity_ask", Watch(period=0.1)),
        ("ground_ask", Watch((GREY,), 0.1)),
        ("battery_ask", AskCharge((0.25,))),
    ]
    assert tell(
        model,
        (model.light.answer, Crossed(DARK)),
        (model.proximity.answer, Crossed(NOTHING)),
        (model.ground.answer, Crossed(WHITE)),
        (model.battery.answer, Charge(0.5)),
    ) == [("wheels_ask", STRAIGHT)]
    return model


def passes(model: Patrol) -> list[tuple[str, object]]:
    """The time of its phase is over: what it says."""
    model.sigma = 0.0
    return settle(model)


def test_it_patrols_until_the_battery_is_low_goes_to_the_light_charges_in_the_nest_and_leaves() -> None:
    model = patrol()
    left = (*DARK[:5], 3000.0, 4095.0, 4095.0)
    assert tell(model, (model.light.answer, Crossed(left))) == [], "its battery is not low"
    assert tell(model, (model.ground.answer, Crossed(BLACK))) == []
    assert tell(model, (model.ground.answer, Crossed(WHITE))) == []
    assert tell(model, (model.battery.answer, Charge(0.25, low=True))) == [("wheels_ask", TO_LEFT)]
    ahead = (3000.0, *DARK[1:7], 3000.0)
    assert tell(model, (model.light.answer, Crossed(ahead))) == [("wheels_ask", STRAIGHT)]
    assert tell(model, (model.ground.answer, Crossed(BLACK))) == []
    assert (model.phase, model.sigma) == ("entering", near(1.0))
    assert passes(model) == [("wheels_ask", REST), ("battery_ask", AskCharge()), ("docked", True)]
    assert tell(model, (model.battery.answer, Charge(0.24, low=True)), e=0.0) == []
    assert tell(model, (model.light.answer, Crossed(left))) == [], "it stays"
    assert tell(model, (model.battery.answer, Charge(1.0))) == [("wheels_ask", STRAIGHT), ("docked", False)]


def test_who_has_come_across_an_edge_of_the_nest_only_goes_on_to_the_light() -> None:
    model = patrol()
    tell(model, (model.battery.answer, Charge(0.25, low=True)), (model.ground.answer, Crossed(BLACK)))
    assert model.phase == "entering"
    right = (4095.0, 4095.0, 3000.0, *DARK[3:])
    assert tell(model, (model.light.answer, Crossed(right)), e=0.3) == []
    assert (model.phase, model.sigma) == ("entering", near(0.7))
    assert tell(model, (model.ground.answer, Crossed(WHITE))) == [("wheels_ask", TO_RIGHT)]


@pytest.mark.parametrize("held", [False, True])
def test_it_turns_away_by_chance_from_what_is_close_or_holds_it_and_drives_on_before_it_goes_home(held: bool) -> None:
    model = patrol()
    tell(model, (model.battery.answer, Charge(0.25, low=True)), (model.ground.answer, Crossed(BLACK)))
    close = (
        (model.wheels.answer, Obstructed(True)) if held else (model.proximity.answer, Crossed((500.0, *NOTHING[1:])))
    )
    free = (model.wheels.answer, Obstructed(False)) if held else (model.proximity.answer, Crossed(NOTHING))
    ((_, turn),) = tell(model, close)
    assert turn in (TO_LEFT, TO_RIGHT)
    assert 0.3 < model.sigma < 2.0
    assert tell(model, free) == []
    assert model.phase == "turning"
    assert passes(model) == [("wheels_ask", STRAIGHT)]
    assert (model.phase, model.sigma) == ("aside", ASIDE)
    assert passes(model) == []
    assert model.phase == "entering", "it is in the nest still"


def test_with_an_empty_battery_it_stops_for_good() -> None:
    model = patrol()
    assert tell(model, (model.battery.answer, Charge(0.0, low=True))) == [("wheels_ask", REST)]
    assert tell(model, (model.proximity.answer, Crossed((500.0,) * 8))) == []
    assert model.phase == "stranded"


def test_robots_come_home_in_time_and_alike_every_time() -> None:
    outcome = outcome_of("battery", *SHORT)
    endurance = outcome.frames["endurance"]
    assert endurance["returns_per_robot"] == 1.0
    assert endurance["stranded"] == 0
    assert 0.2 < float(endurance["least_charge"]) < 0.25
    assert float(endurance["docked_share"]) == near(300.0 / 900.0, 0.01), "three quarters of 400 s"
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
    tell(endurance, (endurance.docking, True), e=10.0)
    tell(endurance, (endurance.docking, False), (endurance.charge, Charge(0.4)), e=30.0)
    endurance.deltint()
    assert endurance.docked_share() == near(30.0 / 200.0)
    assert (endurance.returns_per_robot(), endurance.least_charge()) == (0.5, 0.4)
    assert endurance.series() == {"docked": [(0.0, 0.0), (10.0, 1.0), (40.0, 0.0)]}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"recharge": 0.0}, "no battery would ever be full"),
        ({"nest_radius": 0.06}, "must be more than 6 cm: no robot would fit in"),
        ({"speed": 0.0}, "robots would stand still"),
        ({"battery": "endless"}, "'simple', 'linear', 'cubic' or 'approximated'"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "battery", "patrolling": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), [str(problem) for problem in problems]


def test_robots_wait_for_the_docks_of_a_nest() -> None:
    outcome = outcome_of("battery_docks", "run.duration=15 min", "patrolling.docks=1")
    used = {name: float(value) for name, value in outcome.frames["docks"].items()}
    assert used["longest_queue"] > 1.0
    assert 0.0 < used["taken_share"] <= 1.0
    assert used["taken_share"] == near(6.0 * used["charging_share"])
    assert used["wait_s"] > 0.0
    assert float(outcome.frames["endurance"]["docked_share"]) > used["charging_share"]  # who waits is in the nest, too
