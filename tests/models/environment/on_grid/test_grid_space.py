"""The environment on a grid: what it tells up to the first contact, whom it stops, and what it refuses."""

from __future__ import annotations

from math import cos, hypot, inf, sin
from typing import Any

import numpy as np
import pytest

from devs_robotics import Atomic, In, ModelError, PoseChange, Simulator
from devs_robotics.models.environment import (
    Cast,
    Circle,
    Field,
    Motion,
    Noticed,
    Twist,
    Unwatch,
    Watching,
    World,
)
from devs_robotics.models.environment.on_grid.grid_space import GridSpace
from devs_robotics.models.environment.questions import Distances, Locate
from tests.benchmarks.swarms import BY_WHEELS, swarm
from tests.swarm_traces import said

RADIUS, PERIOD, SPEED = 0.035, 0.1, 0.05


@pytest.mark.parametrize(("robots", "area", "walled"), [(1, 0.09, True), (25, 4.0, True), (9, 0.5, False)])
def test_where_nobody_is_stopped_it_tells_what_exact_contacts_do(robots: int, area: float, walled: bool) -> None:
    options: Any = {"area": area, "walled": walled, "seed": 2}
    on_grid, exact = (
        said("diffusion", robots, 25.0, "models", strategy=strategy, **options) for strategy in ("grid", "batch")
    )
    assert on_grid == exact
    assert on_grid == said("diffusion", robots, 25.0, "arrays", **options)


def test_with_contacts_it_tells_the_same_up_to_the_first_one() -> None:
    found = {}
    for strategy in ("grid", "batch"):
        found[strategy] = said("diffusion", 25, 8.0, "models", strategy=strategy, area=0.05)
    first = next((here[0] for here, there in zip(*found.values(), strict=False) if here != there), inf)
    stop = first_stop(25, 0.05)
    assert 1.0 < stop < first < inf


def first_stop(robots: int, area: float) -> float:
    """When somebody is stopped first (s)."""
    system, root = swarm("diffusion", robots, "models", area=area)
    space = grid_of(system)
    with Simulator(root) as simulator:
        while not space._stopped.any():
            simulator.run(max_steps=1)
        return simulator.time


def grid_of(system: Any) -> GridSpace:
    space = system.environment.on_grid
    assert isinstance(space, GridSpace)
    return space


@pytest.mark.parametrize("behaviour", BY_WHEELS)
def test_those_stop_that_something_is_ahead_of_and_overlap_by_no_more_than_their_ways(
    behaviour: str,
) -> None:
    robots = 40
    system, root = swarm(behaviour, robots, "arrays", area=0.03)
    space = grid_of(system)
    side, stops = system.field.width, 0
    with Simulator(root) as simulator:
        for point in range(1, 200):
            now = space._raster.time(point)
            simulator.run(np.nextafter(now, 0.0))
            wanted = space._wanted.tolist()
            simulator.run(now, max_steps=1 if simulator.next_time == now else 0)
            poses = list(zip(*(column.tolist() for column in space.arcs.poses(now)), strict=True))
            expected = [must_stop(body, poses, wanted, side) for body in range(robots)]
            assert space._stopped.tolist() == expected
            stops += sum(expected)
            simulator.run(now)
            inside = RADIUS - SPEED * PERIOD
            assert all(inside <= x <= side - inside and inside <= y <= side - inside for x, y, _ in poses)
            apart = min(
                hypot(one[0] - other[0], one[1] - other[1]) for at, one in enumerate(poses) for other in poses[:at]
            )
            assert apart >= 2.0 * RADIUS - 2.0 * SPEED * PERIOD
    assert stops > 100


def must_stop(body: int, poses: list[tuple[float, float, float]], wanted: list[float], side: float) -> bool:
    """The rule of stopping, of one body among all others."""
    x, y, heading = poses[body]
    speed = wanted[body]
    if speed == 0.0:
        return False
    vx, vy, way = speed * cos(heading), speed * sin(heading), RADIUS + abs(speed) * PERIOD
    if (
        (x < way and vx < 0.0)
        or (x > side - way and vx > 0.0)
        or (y < way and vy < 0.0)
        or (y > side - way and vy > 0.0)
    ):
        return True
    for other, (its_x, its_y, _) in enumerate(poses):
        dx, dy = its_x - x, its_y - y
        room = 2.0 * RADIUS + (abs(speed) + abs(wanted[other])) * PERIOD
        if other != body and dx * vx + dy * vy > 0.0 and dx * dx + dy * dy < room * room:
            return True
    return False


class Places(Atomic):
    """Notes where robots are."""

    pose_change = In(PoseChange)

    def __init__(self) -> None:
        super().__init__("places")
        self.now = 0.0
        self.seen: list[tuple[float, PoseChange]] = []

    def deltext(self, e: float) -> None:
        self.now += e
        self.seen += [(self.now, each) for each in self.pose_change.values]


def test_poses_are_told_where_somebody_listens_and_the_field_has_them() -> None:
    system, root = swarm("walk", 10, "models", area=0.05)
    places = Places()
    system.add_component(places)
    system.add_coupling(system.environment.pose_change, places.pose_change)
    space = grid_of(system)
    with Simulator(root) as simulator:
        simulator.run(12.0)
    assert len(places.seen) > 50
    assert {change.robot for _, change in places.seen} == set(range(1, 11))
    poses = list(zip(*(column.tolist() for column in space.arcs.poses(12.0)), strict=True))
    assert [system.field.bodies.pose(body, 12.0) for body in range(10)] == poses


def alone(**options: Any) -> GridSpace:
    """An environment with one robot."""
    field = Field(2.0, 2.0, **options)
    field.add_body(1.0, 1.0, 0.0, RADIUS)
    return GridSpace("space", World(field, 0.03), PERIOD)


CAST = Cast(1, (0.0,), 0.5)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (
            Watching(CAST, (), 0.2),
            r"looks with a period of 0\.2 s from 0 s on, and the grid has one of 0\.1 s: set",
        ),
        (Watching(CAST, (0.1,), 0.1), "watches Cast with levels: the grid knows beams without levels"),
        (Watching(Locate(1), (), 0.1), "watches Locate: the grid knows beams"),
        (Locate(1), "robots drive with velocities and look along beams, and robot 1 sends Locate: take another"),
        (Twist(1, 1e9, 0.0), "none faster than 1000 m/s"),
        (Twist(1, float("nan"), 0.0), "none faster than 1000 m/s"),
        (Twist(3, 0.1, 0.0), "there are 1 robots"),
    ],
)
def test_what_it_does_not_know_is_refused(message: Any, sentence: str) -> None:
    space = alone()
    ports: dict[Any, Any] = {Twist: space.twist, Watching: space.watch, Locate: space.question}
    port = ports[type(message)]
    with Simulator(space) as simulator:
        simulator.inject(port, message, at=0.5)
        with pytest.raises(ModelError, match=sentence):
            simulator.run(1.0)


def test_a_watch_may_end_and_begin_anew() -> None:
    space = alone()
    port = space.offer(Noticed, 1)
    told = []
    with Simulator(space) as simulator:
        simulator.inject(space.watch, Watching(CAST, (), 0.1), at=0.0)
        simulator.inject(space.twist, Twist(1, 0.5, 0.0), at=0.0)
        simulator.inject(space.watch, Unwatch(1), at=1.25)
        simulator.inject(space.watch, Watching(CAST, (), 0.1), at=1.5)
        while simulator.next_time <= 3.0:
            simulator.run(3.0, max_steps=1)
            told += [(simulator.time, value.answer.values[0]) for value in port.values]
    times = [round(time, 3) for time, _ in told]
    assert times[0] == 0.0
    assert told[0][1] == inf
    assert all(time not in times for time in (1.3, 1.4))
    assert 1.5 in times
    assert min(distance for _, distance in told) == pytest.approx(0.05, abs=0.05), "it stops before the wall"


def test_what_is_asked_between_two_points_is_answered_at_the_second_one() -> None:
    space = alone()
    port = space.offer(Distances, 1)
    told = []
    with Simulator(space) as simulator:
        for at in (0.0, 0.03):  # nothing moves yet
            simulator.inject(space.question, CAST, at=at)
        simulator.inject(space.twist, Twist(1, 0.5, 0.0), at=0.07)
        for at in (1.53, space.after(1.65)):
            simulator.inject(space.question, CAST, at=at)
        while simulator.next_time <= 3.0:
            simulator.run(3.0, max_steps=1)
            told += [(simulator.time, value.values[0]) for value in port.values]
    times = [0.0, space.after(0.05), space.after(1.55), space.after(1.65)]
    assert [time for time, _ in told] == times
    gaps = [1.0 - RADIUS - 0.5 * (time - 0.07) for time in times[2:]]
    assert [distance for _, distance in told] == [inf, inf, *(pytest.approx(gap, abs=1e-12) for gap in gaps)]


def test_obstacles_are_refused() -> None:
    with pytest.raises(ModelError, match="knows walls and round robots, and the field has obstacles"):
        alone(obstacles=[Circle(0.5, 0.5, 0.1)])


def test_motions_of_a_motor_are_refused() -> None:
    space = alone()
    with Simulator(space) as simulator:
        simulator.inject(space.motion, Motion(1, 0.0, 0.1), at=0.0)
        with pytest.raises(ModelError, match="robot 1 sends Motion"):
            simulator.run(1.0)
