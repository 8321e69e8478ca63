"""What questions are answered from."""

from __future__ import annotations

from devs_robotics.models.environment import Field, World
from devs_robotics.models.environment.lamps import Lamp
from devs_robotics.models.environment.time_manager import Pace


def test_robots_have_the_bodies_of_their_numbers_and_paces_of_their_own() -> None:
    field = Field(4.0, 4.0)
    for x in (1.0, 2.0, 3.0):
        field.add_body(x, 1.0, 0.5, 0.1)
    slow, fast = Pace(0.1, 1.0), Pace(0.2, 2.0)
    world = World(field, 0.03, slow, {2: fast})
    assert [world.pose(robot) for robot in (1, 2, 3)] == [(1.0, 1.0, 0.5), (2.0, 1.0, 0.5), (3.0, 1.0, 0.5)]
    assert [world.pace_of(robot) for robot in (1, 2, 3)] == [slow, fast, slow]
    assert World(field, 0.03).pace_of(1) is None
    assert (world.robots, world.touching, world.whisker_reach) == (3, [False] * 3, 0.03)
    field.things.add(Lamp(1.0, 1.0))
    assert world.things.of(Lamp) == [Lamp(1.0, 1.0)]
