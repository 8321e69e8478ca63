"""What else is in the world, by its type."""

from __future__ import annotations

from devs_robotics.models.environment.lamps import Lamp
from devs_robotics.models.environment.things import Thing, Things


class Sign(Thing, frozen=True):
    text: str


def test_what_belongs_to_nobody_is_found_by_its_type_in_order() -> None:
    things, lamps = Things(), [Lamp(2.0, 0.0), Lamp(1.0, 0.0)]
    for each in (lamps[0], Sign("exit"), lamps[1]):
        things.add(each)
    assert things.of(Lamp) == lamps
    assert things.of(Sign) == [Sign("exit")]
    assert things.of(Thing) == []
    things.of(Lamp).clear()
    assert things.of(Lamp) == lamps


def test_a_robot_has_one_of_each_type_and_the_smallest_number_comes_first() -> None:
    things = Things()
    for robot, thing in ((3, Sign("three")), (1, Sign("one")), (3, Lamp(0.0, 0.0)), (3, Sign("tree"))):
        things.give(robot, thing)
    assert list(things.with_robots(Sign).items()) == [(1, Sign("one")), (3, Sign("tree"))]
    assert things.with_robots(Lamp) == {3: Lamp(0.0, 0.0)}
    assert things.with_robots(Thing) == {}
    assert things.of(Sign) == []


def test_a_lamp_shines_white_on_the_floor_unless_it_is_said() -> None:
    assert Lamp(1.0, 2.0) == Lamp(1.0, 2.0, intensity=1.0, height=0.0, colour=(1.0, 1.0, 1.0))
