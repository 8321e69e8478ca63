"""The time of flight sensor in the world: linear in time, within its limits, and its levels at their instants."""

from __future__ import annotations

import pytest

from devs_robotics import ModelError, Sense, TimeOfFlight, Watch
from devs_robotics.models.activities import ReadingNoise
from devs_robotics.models.activities.epuck2 import VirtualTimeOfFlight, VirtualTimeOfFlightWatch
from devs_robotics.models.environment import Twist
from tests.approximately import near
from tests.models.activities.sensed import RADIUS, asked, watched, world_of


@pytest.mark.parametrize("speed", [0.02, 0.06, 0.14])
def test_straight_to_a_wall_it_falls_linearly(speed: float) -> None:
    world = world_of((4.0 - RADIUS - 0.3, 2.0, 0.0))
    world.field.go(0, speed, 0.0)
    for tenths in range(int(2.9 / speed)):
        world.field.now = tenths / 10
        wanted = max(20.0, 300.0 - 1000.0 * speed * world.field.now)
        read = asked(world, VirtualTimeOfFlight("t"), Sense()).range_mm
        assert abs(read - wanted) <= 0.5 + 1e-9


def test_where_nothing_is_in_reach_it_reads_2000_and_at_the_wall_20() -> None:
    assert asked(world_of((0.5, 2.0, 0.0)), VirtualTimeOfFlight("t"), Sense()) == TimeOfFlight(2000)
    assert asked(world_of((4.0 - RADIUS - 0.001, 2.0, 0.0)), VirtualTimeOfFlight("t"), Sense()) == TimeOfFlight(20)
    assert asked(world_of((1.0, 2.0, 0.0), (1.2, 2.0, 0.0)), VirtualTimeOfFlight("t"), Sense()) == TimeOfFlight(130)


def test_levels_are_told_at_their_instants() -> None:
    world = world_of((4.0 - RADIUS - 0.3, 2.0, 0.0))
    twists = [(0.0, Twist(1, 0.05, 0.0)), (5.0, Twist(1, -0.05, 0.0))]
    told = watched(world, VirtualTimeOfFlightWatch("t"), Watch((100.0,)), twists, until=12.0)
    assert [(time, each.level, each.rising) for time, each in told[1:]] == [
        (near(0.2005 / 0.05, 1e-6), 100.0, False),
        (near(5.0 + 0.0495 / 0.05, 1e-6), 100.0, True),
    ]
    assert told[1][1].values[0] < 101.0
    assert told[2][1].values == (100.0,)


@pytest.mark.parametrize("noise", [None, ReadingNoise(0.01, 3)])
def test_every_strategy_tells_the_same(noise: ReadingNoise | None) -> None:
    twists = [(0.0, Twist(1, 0.05, 0.3)), (3.0, Twist(1, 0.0, -1.0)), (4.0, Twist(2, 0.1, 0.5))]
    runs = [
        watched(
            world_of((2.0, 2.0, 0.0), (2.5, 2.1, 1.0)),
            VirtualTimeOfFlightWatch("t", noise),
            Watch(period=0.1),
            twists,
            until=6.0,
            strategy=strategy,
        )
        for strategy in ("polling", "predict", "batch")
    ]
    assert runs[0] == runs[1] == runs[2]
    assert len(runs[0]) > 10


def test_a_level_that_is_never_read_is_refused() -> None:
    with pytest.raises(ModelError, match="has no level 10: give one above 20, at most 2000 mm"):
        watched(world_of((2.0, 2.0, 0.0)), VirtualTimeOfFlightWatch("t"), Watch((10.0,)), [], until=1.0)
