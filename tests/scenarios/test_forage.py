"""The case forage: items are found, gripped, brought and let go once each, in every stage."""

from __future__ import annotations

from functools import partial
from math import hypot, inf, pi

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Ranges, Sense, Stream
from devs_robotics.core.observe import Recorder, Sent
from devs_robotics.core.testing.simulations import AssertTrace
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.models.environment import PoseChange
from devs_robotics.models.half_way import LOOK
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.forage import (
    DETOUR,
    Forage,
    Foraging,
    Grip,
    Gripped,
    Home,
    Items,
    Spotted,
)
from devs_robotics.scenarios.forage_frame import AllDelivered, Deliveries, Delivery
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.settings.loading import load, validate
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage
from tests.approximately import near
from tests.models.play import Said, settle, tell
from tests.scenarios.case_runs import (
    model_of,
    outcome_of,
    results_on_a_hand_clock,
    tables,
    tables_of_another_process,
)

SMALL = ("run.duration=30", "foraging.robots=3", "foraging.items=6")

SOON = (
    "run.duration=7",
    "foraging.robots=3",
    "foraging.items=12",
    "foraging.gripper_reach=1",
    "foraging.nest_radius=1.5",
)
"""Items are brought within seconds, by robot 2 first: for stages in which a second of the run costs much."""


def test_a_short_run_is_the_one_that_was_looked_at(assert_trace: AssertTrace) -> None:
    model = model_of("forage", "foraging.robots=2", "run.seed=9")
    assert_trace(model, "traces/forage.jsonl", until=7.0, only="robot1/forage")


# the world


def items(*places: tuple[float, float]) -> Items:
    """Items in a world with two robots 2 m apart, and a nest round the first."""
    study = Foraging(nest_x=0.0, nest_y=0.0, nest_radius=0.5, finder_reach=1.5, gripper_reach=0.2)
    world = Items("items", [(0.0, 0.0, 0.0), (2.0, 0.0, pi / 2.0)], places, study)
    for robot in (1, 2):
        for question, answer in ((Sense, Spotted), (Sense, Home), (Grip, Gripped)):
            assert world.offer(robot, question, answer) is not None
    return world


def asked(world: Items, what: str, *robots: int, question: object = Sense()) -> list[Said]:
    ports = {port.name: port for port in world.in_ports}
    return tell(world, *((ports[f"{what}{robot}_ask"], question) for robot in robots))  # type: ignore[arg-type]


def test_a_finder_sees_the_nearest_item_in_its_reach_from_where_the_robot_is_and_looks() -> None:
    world = items((2.0, 1.0), (1.0, 0.0), (2.0, -1.51))
    assert asked(world, "spot", 2) == [("spot2_answer", Spotted(near(0.0), 1.0))]
    tell(world, (world.pose_change, PoseChange(2, 2.0, -0.2, 0.0)))
    ((_, seen),) = asked(world, "spot", 2)
    assert (seen.bearing, seen.distance) == (near(pi - 0.19739555984988), near(hypot(1.0, 0.2)))
    assert asked(items((9.0, 9.0)), "spot", 1) == [("spot1_answer", Spotted(0.0, inf))]


def test_of_two_that_grip_the_same_item_at_one_instant_one_gets_it_and_nobody_sees_it_any_more() -> None:
    world = items((1.9, 0.0))
    tell(world, (world.pose_change, PoseChange(1, 1.8, 0.0, 0.0)))
    assert asked(world, "handle", 2, 1, question=Grip(close=True)) == [
        ("handle1_answer", Gripped(holding=True)),
        ("handle2_answer", Gripped(holding=False)),
    ]
    assert asked(world, "spot", 2) == [("spot2_answer", Spotted(0.0, inf))]


def test_what_is_let_go_outside_of_the_nest_lies_there_and_inside_it_is_delivered_once() -> None:
    world = items((2.0, 0.1))
    assert asked(world, "handle", 2, question=Grip(close=True)) == [("handle2_answer", Gripped(holding=True))]
    tell(world, (world.pose_change, PoseChange(2, 0.5, 0.6, 0.0)))
    assert asked(world, "handle", 2, question=Grip(close=False)) == [("handle2_answer", Gripped(holding=False))]
    assert world.lying == {0: (0.5, 0.6)}
    asked(world, "handle", 2, question=Grip(close=True))
    tell(world, (world.pose_change, PoseChange(2, 0.5, 0.0, 0.0)))
    ((_, home),) = asked(world, "home", 2)
    assert home == Home(near(pi), near(0.5), inside=True)
    assert asked(world, "handle", 2, question=Grip(close=False)) == [("handle2_answer", Gripped(holding=False))]
    assert (world.lying, world.held) == ({}, {})
    assert asked(world, "handle", 2, question=Grip(close=False)) == [("handle2_answer", Gripped(holding=False))]
    assert asked(world, "spot", 1, 2) == [("spot1_answer", Spotted(0.0, inf)), ("spot2_answer", Spotted(0.0, inf))]


def test_a_gripper_that_holds_an_item_takes_no_second_one() -> None:
    world = items((2.0, 0.1), (2.0, 0.0))
    for _ in range(2):
        assert asked(world, "handle", 2, question=Grip(close=True)) == [("handle2_answer", Gripped(holding=True))]
    assert world.lying == {0: (2.0, 0.1)}


# the decision model


told = partial(tell, within=LOOK)


def forage() -> Forage:
    model = Forage("forage", Stream(1, 1, "forage"), step=0.3, clearance=0.3, gripper_reach=0.2)
    model.initialize()
    assert settle(model, LOOK) == [("finder_ask", Sense())]
    return model


def test_it_turns_to_an_item_goes_there_grips_it_and_asks_for_the_way_home() -> None:
    model = forage()
    assert told(model, (model.finder.answer, Spotted(1.0, 0.5))) == [("motor_ask", Drive(turn=1.0))]
    assert told(model, (model.motor.answer, Driven(1.0, 0.0))) == [("finder_ask", Sense())]
    assert told(model, (model.finder.answer, Spotted(0.01, 0.25))) == [("infrared_ask", Sense())]
    assert told(model, (model.infrared.answer, Ranges((0.8, 0.9)))) == [("motor_ask", Drive(distance=0.25))]
    assert told(model, (model.motor.answer, Driven(0.0, 0.25))) == [("finder_ask", Sense())]
    assert told(model, (model.finder.answer, Spotted(2.0, 0.2))) == [("gripper_ask", Grip(close=True))]
    assert told(model, (model.gripper.answer, Gripped(holding=True))) == [("compass_ask", Sense())]
    assert told(model, (model.compass.answer, Home(2.0, 0.4, inside=True))) == [("gripper_ask", Grip(close=False))]
    assert ("finder_ask", Sense()) in told(model, (model.gripper.answer, Gripped(holding=False)))


def test_it_tells_once_what_it_has_brought_and_how_long_it_has_carried_that() -> None:
    model = forage()
    told(model, (model.finder.answer, Spotted(0.0, 0.1)), e=1.0)
    told(model, (model.gripper.answer, Gripped(holding=True)), e=0.5)
    told(model, (model.compass.answer, Home(0.0, 0.4, inside=True)), e=2.0)
    told(model, (model.motor.answer, Driven(0.0, 0.0)), e=0.25)
    assert told(model, (model.gripper.answer, Gripped(holding=True)), e=1.0) == [("compass_ask", Sense())]
    told(model, (model.compass.answer, Home(0.0, 0.4, inside=True)), e=0.0)
    said = told(model, (model.gripper.answer, Gripped(holding=False)), e=0.75)
    assert sorted(said, key=lambda each: each[0]) == [
        ("delivered", Delivery(4.0 + 2.0 * LOOK)),
        ("finder_ask", Sense()),
    ]
    told(model, (model.finder.answer, Spotted(0.0, 0.1)))
    assert told(model, (model.gripper.answer, Gripped(holding=False))) == [("finder_ask", Sense())]


def test_whose_item_another_robot_has_taken_looks_for_the_next() -> None:
    model = forage()
    told(model, (model.finder.answer, Spotted(0.0, 0.1)))
    assert told(model, (model.gripper.answer, Gripped(holding=False))) == [("finder_ask", Sense())]


def test_what_stands_in_its_way_or_stops_it_makes_it_turn_and_go_some_steps_aside() -> None:
    model = forage()
    told(model, (model.finder.answer, Spotted(0.0, 1.4)))
    ((_, turn),) = told(model, (model.infrared.answer, Ranges((0.39, 0.9))))
    assert (turn.distance, model.phase) == (0.0, "under way")
    assert told(model, (model.motor.answer, Driven(turn.turn, 0.0))) == [("infrared_ask", Sense())]
    for _ in range(DETOUR - 1):
        assert told(model, (model.infrared.answer, Ranges((0.9,)))) == [("motor_ask", Drive(distance=0.3))]
        assert told(model, (model.motor.answer, Driven(0.0, 0.3))) == [("infrared_ask", Sense())]
    told(model, (model.infrared.answer, Ranges((0.9,))))
    ((_, again),) = told(model, (model.motor.answer, Driven(0.0, 0.1, blocked=True)))
    assert again.distance == 0.0
    assert model.detour == DETOUR


# runs


def delivered(*own: str) -> tuple[CaseOutcome, list[tuple[float, int, Delivery]], Items]:
    """A run, what its robots delivered, by their numbers, and where the items are in the end."""
    seen = Recorder()
    worlds: list[Items] = []

    def watched(model: CaseExperiment) -> list[str]:
        worlds.extend(each for each in model.system.components if isinstance(each, Items))
        return ["robot*/forage.delivered"]

    outcome = outcome_of("forage", *own, hooks=Hooks(observers=[(seen, watched)]))
    deliveries = [
        (event.time, int(event.model.split("/")[-2].removeprefix("robot")), each)
        for event in seen.events
        if isinstance(event, Sent)
        for each in event.values
    ]
    (world,) = worlds
    return outcome, deliveries, world


@settings(max_examples=8)
@given(st.integers(0, 99), st.integers(1, 5), st.integers(1, 8))
def test_each_item_is_let_go_in_the_nest_once_and_that_is_what_is_counted(seed: int, robots: int, count: int) -> None:
    own = (f"run.seed={seed}", f"foraging.robots={robots}", f"foraging.items={count}", "run.duration=90")
    outcome, deliveries, world = delivered(*own)
    assert len(deliveries) == count - len({*world.lying, *world.held.values()})
    assert len(world.lying) + len(world.held) == count - len(deliveries)
    for when, robot, delivery in deliveries:
        *_, last = (row for row in outcome.tracks.rows if row.robot == robot and row.time_s <= when)
        assert hypot(last.x_m - 3.0, last.y_m - 3.0) <= 0.7
        assert 0.0 <= delivery.carried <= when
    measured = outcome.frames["deliveries"]
    assert measured["left"] == count - len(deliveries)
    assert measured["throughput_per_s"] == near(len(deliveries) / outcome.end_s)
    assert (outcome.end_s < 90.0) == (measured["left"] == 0.0)
    assert outcome.reason == (
        f"all {count} items are in the nest" if outcome.end_s < 90.0 else "the duration of 90 s is over"
    )
    assert outcome.tables["deliveries"]["delivered"][-1] == len(deliveries)


def test_the_same_seed_gives_the_same_tables_in_every_process_and_another_one_others() -> None:
    first = tables(outcome_of("forage", *SMALL))
    assert first == tables_of_another_process("forage", *SMALL)
    assert first != tables(outcome_of("forage", *SMALL, "run.seed=2"))


def test_a_robot_more_or_an_item_more_moves_none_of_the_others() -> None:
    few = model_of("forage", "foraging.items=6", "foraging.robots=3")
    many = model_of("forage", "foraging.items=7", "foraging.robots=4")
    one, other = (next(each for each in model.system.components if isinstance(each, Items)) for model in (few, many))
    assert [other.lying[item] for item in range(6)] == list(one.lying.values())
    assert [other.poses[robot] for robot in (1, 2, 3)] == [one.poses[robot] for robot in (1, 2, 3)]


def test_a_real_robot_forages_among_virtual_ones_alike_every_time() -> None:
    one, again = (outcome_of("forage", *SOON, stage="loop", lab="inside") for _ in range(2))
    assert tables(one) == tables(again)
    assert set(one.robots) == {2}
    assert float(one.frames["deliveries"]["left"]) < 12.0


def test_in_real_time_the_robots_do_what_they_did_in_fast() -> None:
    assert results_on_a_hand_clock("forage", *SMALL) == outcome_of("forage", *SMALL).frames


def test_in_the_laboratory_items_lie_where_they_lie_in_the_model_if_somebody_has_to_know() -> None:
    scenario = load("forage", SMALL)
    (world,) = (each for each in model_of("forage", *SMALL).system.components if isinstance(each, Items))
    told = laboratory_plan(set_up(scenario, "real"), "mqtt://here", 1.0).settings
    assert [tuple(place) for place in told["places"]] == list(world.lying.values())
    assert (told["finder_reach"], told["nest_radius"]) == (1.5, near(0.7))
    assert laboratory_plan(set_up(scenario, "loop"), "mqtt://here", 1.0).settings == {}


def test_where_all_robots_are_real_they_bring_the_laboratory_s_items_alike_every_time() -> None:
    one, again = (outcome_of("forage", *SOON, stage="real", lab="inside") for _ in range(2))
    assert tables(one) == tables(again)
    assert set(one.robots) == {1, 2, 3}
    assert 0.0 <= float(one.frames["deliveries"]["left"]) < 12.0


def test_a_real_robot_with_real_equipment_brings_the_laboratory_s_items() -> None:
    real = [f"real.2.equipment.{name}=real" for name in ("finder", "compass", "gripper")]
    seen = Recorder()
    hooks = Hooks(observers=[(seen, ["robot2/forage.delivered"])])
    outcome = outcome_of("forage", *SOON, *real, stage="loop", lab="inside", hooks=hooks)
    brought = [delivery for event in seen.events if isinstance(event, Sent) for delivery in event.values]
    assert 0 < len(brought) <= 12.0 - float(outcome.frames["deliveries"]["left"])


@pytest.mark.wall_clock
@pytest.mark.parametrize("stage", ["distributed", "loop"])
def test_on_several_processes_and_on_the_wall_clock_items_are_brought_too(stage: Stage) -> None:
    outcome = outcome_of("forage", *SOON, stage=stage, rate=10.0)
    assert float(outcome.frames["deliveries"]["left"]) < 12.0


@pytest.mark.wall_clock
def test_real_robots_bring_what_there_is_however_busy_the_computer_is() -> None:
    outcome = outcome_of("forage", *SOON, "foraging.items=1", "run.duration=600", stage="real", rate=2.0)
    assert (outcome.reason, float(outcome.frames["deliveries"]["left"])) == ("all 1 items are in the nest", 0.0)


def test_as_many_deliveries_as_there_are_items_end_the_run() -> None:
    everything = AllDelivered("all_delivered", 3)
    everything.initialize()
    tell(everything, (everything.delivered, Delivery(4.0)), e=2.0)
    assert everything.phase == "watching"
    ((port, verdict),) = tell(everything, *[(everything.delivered, Delivery(4.0))] * 2, e=2.0)
    assert (port, verdict.accepted, verdict.reason) == ("verdict", True, "all 3 items are in the nest")


def test_deliveries_are_measured_until_the_time_is_over() -> None:
    deliveries = Deliveries("deliveries", 3, 100.0)
    deliveries.initialize()
    assert str(deliveries.throughput_per_s()) == str(deliveries.mean_delivery_s()) == "nan"
    tell(deliveries, (deliveries.delivered, Delivery(4.0)), (deliveries.delivered, Delivery(6.0)), e=40.0)
    assert (deliveries.throughput_per_s(), deliveries.mean_delivery_s(), deliveries.left()) == (2 / 40.0, 5.0, 1)
    assert deliveries.ta() == 60.0
    deliveries.deltint()
    assert deliveries.throughput_per_s() == 2 / 100.0
    assert deliveries.series() == {"delivered": [(0.0, 0.0), (40.0, 2.0)]}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"clearance": -0.1}, "must be at least 0 m: robots would drive into what they see"),
        ({"clearance": 2.0}, "foraging.clearance: robots see 1 m far, and would never find their way free: take less"),
        ({"step": 0.5}, "robots see 1 m far, and go half of what is free: take 0.35 m at most"),
        ({"gripper_reach": 0.0}, "must be more than 0 m: no robot would bring an item to the nest"),
        ({"gripper_reach": 2.0}, "it would grip what it cannot see: make finder_reach as large"),
        ({"nest_x": 7.0}, "the nest at (7, 3) m is outside of the walls: move it by nest_x and nest_y"),
        ({"nest_radius": 9.0}, "there is no room for item 1 of 12 in a field of 6 m x 6 m: make field.width and"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "forage", "foraging": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), problems
