"""The case transport: paths are found, smoothed and shared, and items carried along them, in every stage."""

from __future__ import annotations

from itertools import pairwise, product
from math import isnan, pi
from typing import Any

import pytest

from devs_robotics import Driven, Simulator
from devs_robotics.core.observe import Recorder, Sent
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.experimental_frames.transport.acceptor import DeliveryAcceptor
from devs_robotics.experimental_frames.transport.shortest import shortest_path
from devs_robotics.experimental_frames.transport.transportation import PathMap, Transportation, alike
from devs_robotics.models.environment import Field
from devs_robotics.models.environment.shapes import box
from devs_robotics.models.transport.lanes import lane_line
from devs_robotics.models.transport.messages import Delivered, Exchanged, PathTaken, Returned, Waited, Yielded
from devs_robotics.models.transport.path import length
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.settings.loading import load, shipped_scenarios, validate
from tests.approximately import near
from tests.models.play import tell
from tests.scenarios.case_runs import model_of, outcome_of, results_on_a_hand_clock, tables, tables_of_another_process

BOX = '[{shape="box", x=7.0, y=5.0, width=2.0, height=4.0}]'
SMALL = (
    "field.width=16",
    "field.height=12",
    f"field.obstacles={BOX}",
    "transport.source=[2.0, 2.0]",
    "transport.destination=[13.0, 9.0]",
    "transport.starts_within=1.5",
    "transport.robots=4",
    "transport.items=6",
    "transport.ban=40",
    "run.duration=240",
)
OPEN = ("field.width=30", "field.height=10", "field.obstacles=[]")


def played(*own: str) -> CaseExperiment:
    """A run's model when it is over."""
    model = model_of("transport", *own)
    with Simulator(model) as simulator:
        simulator.run(until=240.0)
    return model


def test_who_sees_the_destination_soon_has_the_straight_path_and_takes_as_long_as_computed() -> None:
    own = ("transport.source=[5.0, 5.0]", "transport.destination=[8.0, 5.0]", "transport.starts_within=0.5")
    outcome = outcome_of("transport", *OPEN, *own, "transport.robots=1", "transport.items=6", "run.duration=300")
    measured = outcome.frames["transport"]
    assert measured["path_length"] == near(3.0)
    assert measured["over_shortest"] == near(1.0)
    assert measured["round_trip_s"] == near(2.0 * 3.0 / 0.6 + 2.0 * pi / 0.59, 1e-2)
    assert (measured["deliveries"], measured["returns"]) == (6, 6)
    assert outcome.reason == "6 items are delivered"


def test_each_way_of_each_path_is_free_for_the_body_and_each_robot_gets_one() -> None:
    model = played(*SMALL)
    paths = model.parts["paths"]
    assert isinstance(paths, PathMap)
    assert set(paths.paths) == {1, 2, 3, 4}
    (obstacle,) = model.system.field.obstacles
    for path in paths.paths.values():
        assert (path[0], path[-1]) == ((2.0, 2.0), (13.0, 9.0))
        for start, end in pairwise(path):
            assert obstacle.distance_from_segment(*start, *end) >= 0.31 - 1e-6
    measured = model.parts["transport"]
    assert isinstance(measured, Transportation)
    counts = [count for _, count in measured.series()["with_path"]]
    assert counts == sorted(counts)
    assert measured.deliveries() >= 1


@pytest.mark.parametrize("seed", [5, 6])
def test_who_keeps_right_has_paths_of_which_both_lanes_are_free_with_a_margin(seed: int) -> None:
    model = played(*SMALL, "transport.traffic=keep_right", f"run.seed={seed}")
    (obstacle,) = model.system.field.obstacles
    paths = model.parts["paths"]
    assert isinstance(paths, PathMap)
    assert len(paths.paths) == 4
    for path, direction in product(paths.paths.values(), (1, -1)):
        for start, end in pairwise(lane_line(path, direction, 0.5)):
            assert obstacle.distance_from_segment(*start, *end) >= 0.31 + 0.1


def said_by_radio(mode: str) -> list[tuple[float, str, Any]]:
    seen = Recorder()
    hooks = Hooks(observers=[(seen, ["robot*/talker.radio_ask", "robot*/motor.world_ask"])])
    outcome_of("transport", *SMALL, f"transport.mode={mode}", "transport.items=100", "run.duration=90", hooks=hooks)
    return [(event.time, event.model, event.values) for event in seen.events if isinstance(event, Sent)]


def test_until_the_first_offer_all_modes_do_the_same_and_without_talk_robots_say_that_they_are_there() -> None:
    runs = [said_by_radio(mode) for mode in ("full", "partial", "none")]
    offers = [
        next((time for time, _, values in run if any(getattr(each, "text", "") == "ACCEPT" for each in values)), 90.0)
        for run in runs
    ]
    assert 40.0 <= offers[0] < 90.0
    assert offers[2] == 90.0
    for run, first in zip(runs[1:], offers[1:], strict=True):
        until = min(first, offers[0])
        assert [each for each in run if each[0] < until] == [each for each in runs[0] if each[0] < until]
    assert any(getattr(each, "text", "") == "WAIT" for _, _, values in runs[2] for each in values)


def round_trip(robots: int) -> float:
    path = "[[2.0, 5.0], " + ", ".join(f"[{x}.0, 5.0]" for x in range(3, 28)) + "]"
    ends = ("transport.source=[2.0, 5.0]", "transport.destination=[27.0, 5.0]", f"transport.path={path}")
    own = (f"transport.robots={robots}", "transport.mode=none", "transport.items=1000", "run.duration=1000")
    return float(outcome_of("transport", *OPEN, *ends, *own).frames["transport"]["round_trip_s"])


def test_each_further_robot_on_a_path_costs_two_meetings_a_round_trip() -> None:
    """T = 2L/v + 2(n-1)c: the encounter law, as long as meetings do not pile up."""
    alone, two, three = map(round_trip, (1, 2, 3))
    assert alone == near(2.0 * 25.0 / 0.6 + 2.0 * pi / 0.59, 1e-2)
    lost = (two - alone) / 2.0, (three - alone) / 4.0
    assert all(5.0 < c < 11.0 for c in lost), lost


def test_who_keeps_right_passes_without_making_way() -> None:
    path = "[[2.0, 5.0], " + ", ".join(f"[{x}.0, 5.0]" for x in range(3, 28)) + "]"
    ends = ("transport.source=[2.0, 5.0]", "transport.destination=[27.0, 5.0]", f"transport.path={path}")
    own = ("transport.robots=2", "transport.mode=none", "transport.items=1000", "run.duration=600")
    usual, right = (
        outcome_of("transport", *OPEN, *ends, *own, f"transport.traffic={traffic}").frames["transport"]
        for traffic in ("none", "keep_right")
    )
    assert float(right["met"]) < 0.2 * float(usual["met"])
    assert float(right["round_trip_s"]) < float(usual["round_trip_s"]) - 8.0


EVERYTHING = "transport.traffic=keep_right+claims+ends+company+digests"


def test_with_all_traffic_management_robots_carry_alike_in_the_model_and_where_two_are_real() -> None:
    outcome = outcome_of("transport", *SMALL, EVERYTHING, "run.duration=300")
    measured = outcome.frames["transport"]
    assert (measured["with_path"], measured["deliveries"]) == (4, 6)
    loop = outcome_of("transport", *SMALL, EVERYTHING, "run.duration=60", stage="loop", lab="inside")
    assert loop.ended == "accepted"
    assert set(loop.robots) == {1, 2}


def test_many_robots_in_lanes_with_crossed_ends_lose_almost_nothing() -> None:
    """Where each meeting costs 5 s at least, 5 robots would take 40 s more than one."""
    path = "[[2.0, 5.0], " + ", ".join(f"[{x}.0, 5.0]" for x in range(3, 28)) + "]"
    ends = ("transport.source=[2.0, 5.0]", "transport.destination=[27.0, 5.0]", f"transport.path={path}")
    own = ("transport.robots=5", "transport.mode=none", "transport.items=1000", "run.duration=600")
    found = outcome_of("transport", *OPEN, *ends, *own, "transport.traffic=keep_right+claims+ends")
    alone = 2.0 * 25.0 / 0.6 + 2.0 * pi / 0.59
    crossing = 2.0 * 1.0 / 0.6
    assert float(found.frames["transport"]["round_trip_s"]) == near(alone + crossing, 0.5)


def test_the_same_seed_gives_the_same_tables_in_every_process_and_another_one_others() -> None:
    first = tables(outcome_of("transport", *SMALL, "run.duration=60"))
    assert first == tables_of_another_process("transport", *SMALL, "run.duration=60")
    assert first != tables(outcome_of("transport", *SMALL, "run.duration=60", "run.seed=2"))


def test_a_robot_more_begins_beside_the_others() -> None:
    few, many = (model_of("transport", *SMALL, f"transport.robots={count}") for count in (3, 4))
    assert [robot.pose for robot in many.system.robots][:3] == [robot.pose for robot in few.system.robots]


def test_in_real_time_the_robots_do_what_they_did_in_fast() -> None:
    assert (
        results_on_a_hand_clock("transport", *SMALL, "run.duration=80")
        == outcome_of("transport", *SMALL, "run.duration=80").frames
    )


def test_two_real_robots_carry_among_virtual_ones_alike_every_time() -> None:
    one, again = (outcome_of("transport", *SMALL, "run.duration=60", stage="loop", lab="inside") for _ in range(2))
    assert tables(one) == tables(again)
    assert set(one.robots) == {1, 2}


def test_where_all_robots_are_real_they_find_the_destination_and_carry() -> None:
    own = (*OPEN, "field.width=8", "transport.source=[2.0, 5.0]", "transport.destination=[5.0, 5.0]")
    rest = ("transport.starts_within=1.0", "transport.robots=2", "transport.items=1", "run.duration=60")
    outcome = outcome_of("transport", *own, *rest, stage="real", lab="inside")
    assert set(outcome.robots) == {1, 2}
    assert float(outcome.frames["transport"]["with_path"]) >= 1.0


# the frame


def test_the_shortest_path_turns_about_a_corner_at_the_body_s_distance() -> None:
    field = Field(20.0, 20.0, (box(10.0, 5.0, 2.0, 10.0),))
    path = shortest_path(field, (5.0, 5.0), (15.0, 5.0), 0.5)
    exact = 2.0 * ((4.0**2 + 5.0**2) - 0.25) ** 0.5
    assert exact < length(path) < exact + 1.02 * (2.0 + 0.5 * pi)
    assert shortest_path(field, (5.0, 5.0), (8.0, 6.0), 0.5) == ((5.0, 5.0), (8.0, 6.0))
    closed = Field(20.0, 20.0, (box(10.0, 10.0, 2.0, 20.0),))
    assert shortest_path(closed, (5.0, 5.0), (15.0, 5.0), 0.5) == ()


def test_a_run_ends_when_all_is_delivered_or_when_nobody_has_moved_for_two_minutes() -> None:
    acceptor = DeliveryAcceptor("acceptor", 2, 1000.0)
    acceptor.initialize()
    assert acceptor.ta() == 120.0
    tell(acceptor, (acceptor.driven, Driven(0.0, 0.5)), e=100.0)
    assert acceptor.ta() == 120.0
    tell(acceptor, (acceptor.driven, Driven(3.0, 0.05)), e=50.0)
    assert acceptor.ta() == 70.0
    tell(acceptor, (acceptor.delivered, Delivered(1, 1)), e=10.0)
    assert acceptor.share(160.0) == 0.5
    ((_, verdict),) = tell(acceptor, (acceptor.delivered, Delivered(2, 1)), e=10.0)
    assert (verdict.accepted, verdict.reason) == (True, "2 items are delivered")
    stalled = DeliveryAcceptor("acceptor", 2, 1000.0)
    stalled.initialize()
    stalled.lambdaf()
    ((verdict,),) = [list(port.values) for port in stalled.out_ports]
    assert (verdict.accepted, verdict.reason) == (False, "no robot has moved 0.1 m for 120 s")
    short = DeliveryAcceptor("acceptor", 2, 60.0)
    short.initialize()
    assert short.ta() == 60.0
    short.lambdaf()
    assert next(iter(next(iter(short.out_ports)).values)).reason == "the duration of 60 s is over"


def test_what_is_measured_is_counted_as_it_comes() -> None:
    measured = Transportation("transport", 2, 2, 600.0, lambda: 10.0)
    measured.initialize()
    assert (measured.minutes(), measured.per_robot()) == (10.0, [0, 0])
    tell(measured, (measured.taken, PathTaken(1, 0.0, 20.0, "find")), e=60.0)
    tell(measured, (measured.taken, PathTaken(2, 0.0, 30.0, "gift")), (measured.returned, Returned(1, 1)), e=60.0)
    tell(measured, (measured.delivered, Delivered(1, 1)), e=60.0)
    tell(measured, (measured.taken, PathTaken(2, 30.0, 20.0, "sharing")), e=0.0)
    tell(measured, (measured.exchanged, Exchanged(1, 2, 1.5, completed=True)), e=0.0)
    tell(measured, (measured.exchanged, Exchanged(2, 1, 1.5, completed=True)), e=0.0)
    tell(measured, (measured.yielded, Yielded(1, 6.0, met=True)), (measured.yielded, Yielded(2, 6.0, met=False)), e=0.0)
    tell(measured, (measured.waited, Waited(1, 3.0)), e=0.0)
    tell(measured, (measured.delivered, Delivered(1, 2)), e=120.0)
    assert (measured.deliveries(), measured.minutes(), measured.minutes_by_trips()) == (2, 5.0, 3.0)
    assert measured.minutes_by_returns() == 10.0
    assert (measured.with_path(), measured.found_by_themselves()) == (2, 1)
    assert (measured.path_length(), measured.over_shortest(), measured.round_trip_s()) == (20.0, 2.0, 120.0)
    assert (measured.completed(), measured.talk_s(), measured.changing()) == (1, 1.5, 1.0)
    assert (measured.met(), measured.stopped(), measured.yielding()) == (1, 1, 12.0 / (2 * 300.0))
    assert (measured.waiting(), measured.meetings_per_metre()) == (3.0 / (2 * 300.0), near(0.6))
    assert (measured.fewest(), measured.most()) == (0, 2)
    assert isnan(measured.with_path_at_15())  # the run is not so long yet
    tell(measured, (measured.taken, PathTaken(2, 20.0, 19.0, "sharing")), e=600.0)
    assert measured.with_path_at_15() == 2


def test_paths_are_alike_that_are_nowhere_a_metre_apart() -> None:
    assert alike(((0.0, 0.0), (9.0, 0.0)), ((0.0, 0.0), (4.0, 0.9), (9.0, 0.0)))
    assert not alike(((0.0, 0.0), (9.0, 0.0)), ((0.0, 0.0), (4.0, 1.1), (9.0, 0.0)))


# settings


@pytest.mark.parametrize("name", [name for name in shipped_scenarios() if name.startswith("transport")])
def test_in_each_arena_there_is_a_path(name: str) -> None:
    scenario = load(name)
    model = model_of(name, "transport.robots=2")
    ends = scenario.transport.source, scenario.transport.destination  # type: ignore[attr-defined]
    path = shortest_path(model.system.field, *ends, 0.31)
    assert 1.0 <= length(path) / length(ends) < 2.0


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"sight": 0.0}, "must be more than 0 m"),
        ({"step": 0.0}, "must be at least 0.01, not 0"),
        ({"room": 100.0}, "so much room beside a way: make it at most 5 m, as far as sonars reach"),
        ({"lane": 6.0}, "nobody sees whether there is so much room beside a way"),
        ({"room": 1e9, "sonar_reach": 1e9}, "must be at most 20, not 1000000000.0"),
        ({"step": 4.9}, "a step leads beyond what it sees: make it shorter"),
        ({"pause": 0.0}, "must be more than 0: who meets somebody would not make way"),
        ({"queueing": 0.0}, "must be more than 0: who meets somebody would not make way"),
        ({"latency": -1.0}, "must be at least 0, not -1"),
        ({"destination": [4.45, 1.5]}, "are one place: put them apart"),
        ({"path": [[1.0, 1.0], [2.0, 2.0]]}, "must lead from source to destination"),
        ({"traffic": "keep_left"}, 'is "none", or some of keep_right, claims, ends, company, digests, joined by "+"'),
        ({"robots": 300}, "there is no room for robot"),
    ],
)
def test_settings_that_cannot_be_are_told(settings: dict[str, object], sentence: str) -> None:
    scenario, problems = validate({"case": "transport", "transport": settings})
    assert scenario is None
    assert any(sentence in str(problem) for problem in problems), problems
