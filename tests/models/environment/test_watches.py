"""Watches of sensors: the oracles of two robots, a wall and a rotation, and what levels tell."""

from __future__ import annotations

from math import inf, nan, pi, sqrt
from pathlib import Path

import pytest
from msgspec.structs import replace

from devs_robotics import ModelError, Simulator
from devs_robotics.models.environment import Cast, Field, SpaceManager, Twist, Watching, World
from devs_robotics.models.environment.sensing import Noticed, StrategyName
from tests.approximately import near
from tests.models.environment.driven import drive

RADIUS = 0.035
REACH = 0.05


def field_with(*poses: tuple[float, float, float], size: float = 4.0, walled: bool = True) -> Field:
    field = Field(size, size, walled=walled)
    for x, y, heading in poses:
        field.add_body(x, y, heading, RADIUS)
    return field


def watch(robot: int = 1, *, period: float = 0.1, levels: tuple[float, ...] = ()) -> Watching:
    return Watching(Cast(robot, (0.0,), REACH), levels, period)


@pytest.mark.parametrize("strategy", ["predict", "batch", "polling"])
def test_two_robots_head_on_see_each_other_on_the_first_point_at_which_they_can(strategy: StrategyName) -> None:
    """They are in sight at 8.85 s, when their centres are 12 cm apart."""
    run = drive(
        field_with((1.0, 1.0, 0.0), (2.005, 1.0, pi)),
        [Twist(1, 0.05, 0.0), Twist(2, 0.05, 0.0), watch()],
        until=9.0,
        strategy=strategy,
    )
    first, second, *_ = run.noticed
    assert (first.time, first.values) == (0.0, (inf,))
    assert second.time == near(8.9)
    assert second.values == (near(1.005 - 0.89 - 2 * RADIUS),)


def test_levels_are_told_at_their_instants() -> None:
    run = drive(
        field_with((1.0, 1.0, 0.0), (2.005, 1.0, pi)),
        [Twist(1, 0.05, 0.0), Twist(2, 0.05, 0.0), watch(period=0.0, levels=(0.02, 0.05))],
        until=9.4,
    )
    assert [(told.time, told.level, told.rising) for told in run.noticed[1:]] == [
        (near(8.85), 0.05, False),
        (near(9.15), 0.02, False),
    ]


def test_a_wall_is_seen_when_the_tip_of_the_beam_reaches_it_and_no_longer_when_it_leaves() -> None:
    run = drive(
        field_with((3.6, 2.0, 0.0)),
        [Twist(1, 0.05, 0.0), watch(period=0.0, levels=(REACH,))],
        until=20.0,
        later=[(7.0, Twist(1, -0.05, 0.0))],
    )
    assert [(told.time, told.rising) for told in run.noticed[1:]] == [(near(6.3), False), (near(7.7), True)]


def test_a_robot_that_rotates_sees_another_one_in_its_beam() -> None:
    run = drive(
        field_with((2.0, 2.0, 0.0), (2.0, 2.1, 0.0)),
        [Twist(1, 0.0, 1.0), watch(period=0.0, levels=(REACH,))],
        until=3.0,
    )
    half = 0.344701  # acos(0.941176): the beam's end meets the body before its tangent does
    assert [(told.time, told.rising) for told in run.noticed[1:]] == [
        (near(pi / 2 - half, 1e-6), False),
        (near(pi / 2 + half, 1e-6), True),
    ]


@pytest.mark.parametrize("strategy", ["predict", "batch"])
def test_an_idle_world_has_no_events(strategy: StrategyName) -> None:
    run = drive(field_with((1.0, 1.0, 0.0), (1.1, 1.0, 0.0)), [watch()], until=1000.0, strategy=strategy)
    assert len(run.noticed) == 1
    assert run.events <= 4


def test_a_robot_at_rest_sees_who_comes_and_goes() -> None:
    run = drive(
        field_with((2.0, 2.0, 0.0), (2.2, 1.0, pi / 2)),
        [Twist(2, 0.05, 0.0), watch(period=0.0, levels=(REACH,))],
        until=60.0,
    )
    assert run.noticed[1:] == []
    run = drive(
        field_with((2.0, 2.0, 0.0), (2.1, 1.0, pi / 2)),
        [Twist(2, 0.05, 0.0), watch(period=0.0, levels=(REACH,))],
        until=60.0,
    )
    half = RADIUS
    end = RADIUS + REACH  # of the beam; the body's centre passes 1.5 cm beyond it
    half = sqrt(RADIUS**2 - (0.1 - end) ** 2)
    assert [(told.time, told.rising) for told in run.noticed[1:]] == [
        (near((1.0 - half) / 0.05), False),
        (near((1.0 + half) / 0.05), True),
    ]


@pytest.mark.parametrize("strategy", ["predict", "batch", "polling"])
def test_who_stops_between_two_points_notices_on_the_next_what_has_come_within_reach(strategy: StrategyName) -> None:
    run = drive(
        field_with((3.5985, 2.0, 0.0)),
        [Twist(1, 0.05, 0.0), watch()],
        until=8.0,
        later=[(6.36, Twist(1, 0.0, 0.0))],  # the tip of the beam is at the wall at 6.33 s
        strategy=strategy,
    )
    assert [told.time for told in run.noticed] == [0.0, near(6.4)]


def test_every_change_at_its_instant_is_refused() -> None:
    space = SpaceManager("space", World(field_with((1.0, 1.0, 0.0)), 0.03))
    space.offer(Noticed, 1)
    space.watch.add(watch(period=0.0))
    with pytest.raises(ModelError, match="give the watch levels, or a period"):
        space.deltext(0.0)


def test_a_watch_of_the_same_equipment_takes_the_place_of_the_one_before() -> None:
    run = drive(
        field_with((3.6, 2.0, 0.0)),
        [Twist(1, 0.05, 0.0), watch(period=0.1)],
        until=6.5,
        later=[(1.0, watch(period=0.0, levels=(0.045,)))],
    )
    assert [told.time for told in run.noticed] == [0.0, 1.0, near(6.4)]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (watch(period=-0.1), "give one of 1e-06 s or more"),
        (watch(period=1e-9), "give one of 1e-06 s or more"),
        (watch(period=inf), "give one of 1e-06 s or more"),
        (watch(levels=(0.03, 0.02)), "each level once, ascending"),
        (watch(levels=(nan, 0.02)), "each level once, ascending"),
        (Twist(1, nan, 0.0), "must send finite speeds"),
        (Twist(1, 0.0, inf), "no body is faster than"),
        (Twist(1, 1e300, 0.0), "no body is faster than"),
        (Twist(7, 0.1, 0.0), "there is no robot 7"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(message: Watching | Twist, why: str) -> None:
    space = SpaceManager("space", World(field_with((1.0, 1.0, 0.0)), 0.03))
    space.offer(Noticed, 1)
    if isinstance(message, Twist):
        space.twist.add(message)
    else:
        space.watch.add(message)
    with pytest.raises(ModelError, match=why):
        space.deltext(0.0)


@pytest.mark.parametrize("strategy", ["predict", "batch"])
def test_a_world_in_motion_can_be_saved_and_goes_on_as_before(strategy: StrategyName, tmp_path: Path) -> None:
    def set_out() -> tuple[SpaceManager, Simulator]:
        space = SpaceManager("space", World(field_with((1.0, 1.0, 0.0), (2.005, 1.0, pi)), 0.03), strategy)
        space.offer(Noticed, 1)
        simulator = Simulator(space)
        for message in (Twist(1, 0.05, 0.0), Twist(2, 0.05, 0.0)):
            simulator.inject(space.twist, message)
        simulator.inject(space.watch, watch())
        return space, simulator

    whole, simulator = set_out()
    with simulator:
        simulator.run(until=9.5)
    _, simulator = set_out()
    with simulator:
        simulator.run(until=8.0)
        simulator.save(tmp_path / "saved")
    with Simulator.resume(tmp_path / "saved") as resumed:
        resumed.run(until=9.5)
        space = resumed.model
    assert isinstance(space, SpaceManager)
    assert [space.field.pose(body) for body in (0, 1)] == [whole.field.pose(body) for body in (0, 1)]
    assert space.driving is not None
    assert whole.driving is not None
    assert space.driving.strategy.looks == whole.driving.strategy.looks


def test_two_alike_sensors_of_a_robot_tell_the_same_by_every_strategy() -> None:
    cast = Cast(1, (0.0,), REACH)
    alike = [Watching(cast, period=0.1), Watching(replace(cast, sensor="second"), period=0.1)]
    told = []
    for strategy in ("predict", "batch", "polling"):
        field = field_with((1.0, 1.0, 0.0), (2.005, 1.0, pi))
        run = drive(field, [Twist(1, 0.05, 0.0), *alike], until=19.0, strategy=strategy)
        told.append(run.noticed)
    assert told[0] == told[1] == told[2]
    assert len(told[0]) > 4
