"""Proximity sensors in the world: which side is which, four walls, two robots face to face, and noise by tick."""

from __future__ import annotations

from math import cos, inf, pi, radians, sin, sqrt

import pytest

from devs_robotics import Crossed, ModelError, Sense, Watch
from devs_robotics.core.robots.epuck2.responses import RESPONSES
from devs_robotics.core.robots.epuck2.sensing.proximity import reading
from devs_robotics.models.activities import ReadingNoise
from devs_robotics.models.activities.epuck2 import VirtualProximity, VirtualProximityWatch
from devs_robotics.models.environment import Segment, Twist, World
from devs_robotics.models.environment.questions import Cast
from tests.models.activities.sensed import RADIUS, asked, watched, world_of

PAPER = RESPONSES["paper"]


def lit(world: World) -> set[int]:
    values = asked(world, VirtualProximity("proximity"), Sense()).values
    return {number for number, value in enumerate(values) if value}


def test_a_wall_on_the_left_lights_the_sensors_on_the_left() -> None:
    """PROX0 is at the front right, and the numbers go on clockwise: 5 looks to the left, 6 and 7 ahead of it."""
    assert lit(world_of((2.0, 4.0 - 0.045, 0.0))) == {5, 6}
    away = 0.045  # of a wall to the left and ahead
    x, y = 2.0 + away * cos(radians(50.0)), 2.0 + away * sin(radians(50.0))
    along = cos(radians(140.0)), sin(radians(140.0))
    wall = Segment(x - along[0], y - along[1], x + along[0], y + along[1])
    assert lit(world_of((2.0, 2.0, 0.0), obstacles=[wall])) == {5, 6, 7}
    assert lit(world_of((2.0, 0.045, 0.0))) == {1, 2}


@pytest.mark.parametrize("gap", [0.001, 0.01, 0.03])
def test_a_wall_is_as_far_as_its_angle_to_a_sensor_says(gap: float) -> None:
    values = asked(world_of((4.0 - RADIUS - gap, 2.0, 0.0)), VirtualProximity("proximity"), Sense()).values
    for number, angle in ((0, 15.0), (7, 15.0), (1, 50.0), (6, 50.0)):
        distance = (gap + RADIUS) / cos(radians(angle)) - RADIUS
        assert values[number] == pytest.approx(reading(PAPER, distance), abs=1)


def test_two_robots_face_to_face_see_each_other_up_to_where_the_rays_pass_by() -> None:
    for apart in (0.08, 0.1, 0.115):
        distance = apart * cos(radians(15.0)) - sqrt(RADIUS**2 - (apart * sin(radians(15.0))) ** 2) - RADIUS
        values = asked(world_of((1.0, 1.0, 0.0), (1.0 + apart, 1.0, pi)), VirtualProximity("p"), Sense()).values
        assert values[0] == values[7] == pytest.approx(reading(PAPER, distance), abs=1)
        assert set(values[1:7]) == {0.0}


def test_rays_of_two_robots_face_to_face_pass_by_from_135_2_mm_on() -> None:
    """Where D sin 15 deg is the body's radius; the sensors themselves see nothing so far away."""

    def seen(apart: float) -> float:
        world = world_of((1.0, 1.0, 0.0), (1.0 + apart, 1.0, pi))
        return Cast(1, (radians(345.0),), 0.2).answer(world).values[0]

    assert 0.09 < seen(0.1352) < 0.1
    assert seen(0.1353) == inf
    assert lit(world_of((1.0, 1.0, 0.0), (1.1352, 1.0, pi))) == set()


def test_inside_four_walls_readings_repeat_with_every_quarter_turn() -> None:
    size, rate, parts = 2.0 * (RADIUS + 0.02), 0.5, 18
    world = world_of((size / 2.0, size / 2.0, 0.0), size=size)
    world.field.go(0, 0.0, rate)
    quarter = pi / 2.0 / rate
    turns = []
    for point in range(4 * parts):
        world.field.now = quarter * point / parts
        turns.append(asked(world, VirtualProximity("proximity"), Sense()).values)
    for point in range(3 * parts):
        assert turns[point + parts] == pytest.approx(turns[point], abs=1)
    normal = max(value[7] for value in turns)
    assert turns[parts - parts // 6][7] == pytest.approx(normal, abs=1), "it looks straight at a wall"
    assert normal == pytest.approx(reading(PAPER, 0.02), abs=1)
    assert len({value[7] for value in turns}) > 3


def test_levels_are_told_at_their_instants() -> None:
    world = world_of((3.8, 2.0, radians(15.0)))  # PROX0 looks straight at the wall
    told = watched(world, VirtualProximityWatch("proximity"), Watch((1000.0,)), [(0.0, Twist(1, 0.02, 0.0))], until=8.0)
    assert told[0] == (0.0, Crossed((0.0,) * 8))
    first = told[1][1]
    assert (first.element, first.level, first.rising) == (0, 1000.0, True)
    assert first.values[0] == pytest.approx(1000.0, abs=1)
    x = 3.8 + 0.02 * told[1][0] * cos(radians(15.0))
    assert reading(PAPER, 4.0 - x - RADIUS) == pytest.approx(1000, abs=1)


NOISE = ReadingNoise(0.05, seed=7)


def test_with_noise_every_strategy_tells_the_same_and_so_does_asking() -> None:
    twists = [(0.0, Twist(1, 0.03, 0.4)), (1.0, Twist(2, 0.05, 0.0)), (2.0, Twist(1, 0.0, 0.0))]
    runs = [
        watched(
            world_of((1.0, 1.0, 0.0), (1.2, 1.0, pi)),
            VirtualProximityWatch("proximity", noise=NOISE),
            Watch(period=0.1),
            twists,
            until=5.0,
            strategy=strategy,
        )
        for strategy in ("polling", "predict", "batch")
    ]
    assert runs[0] == runs[1] == runs[2]
    assert len(runs[0]) == 51, "each point of the raster, also at rest"
    world = world_of((1.0, 1.0, 0.0), (1.2, 1.0, pi))
    assert asked(world, VirtualProximity("proximity", noise=NOISE), Sense()).values == runs[0][0][1].values


def test_noise_is_of_its_level_and_half_of_what_sees_nothing_becomes_positive() -> None:
    told = watched(
        world_of((1.0, 1.0, 0.0)), VirtualProximityWatch("p", noise=NOISE), Watch(period=0.1), [], until=50.0
    )
    values = [value for _, crossed in told for value in crossed.values]
    assert max(values) <= 4095 * 0.05 + 0.5
    assert max(values) > 4095 * 0.04
    assert 0.45 < sum(value > 0.0 for value in values) / len(values) < 0.55


def test_noise_that_cannot_be_is_refused() -> None:
    with pytest.raises(ModelError, match="a level from 0 to 1 and a tick above 0 s"):
        ReadingNoise(1.5, seed=1)
