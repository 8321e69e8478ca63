"""Range sensors in mixed reality: what a camera's view, old or wrong as it may be, makes of what robots see."""

from __future__ import annotations

from math import inf, pi

from devs_robotics import Fix, Ranges, Sense
from devs_robotics.models.activities.shared_infrared import SharedCast, SharedInfrared
from devs_robotics.models.environment import Circle, Field
from devs_robotics.models.environment.questions import Distances
from devs_robotics.models.environment.traits import Traits
from devs_robotics.models.environment.world import World
from tests.approximately import near
from tests.models.play import tell

REAL, VIRTUAL = Traits(reality="real"), Traits()


def world(*bodies: tuple[float, float, Traits], field: Field | None = None) -> World:
    """A world of 4 m x 4 m with bodies of radius 6 cm, all with heading 0."""
    field = field or Field(4.0, 4.0)
    for x, y, traits in bodies:
        field.add_body(x, y, 0.0, 0.06, traits)
    return World(field, 0.01)


def seen(of: World, robot: int = 1, believed: tuple[tuple[int, float, float, float], ...] = ()) -> float:
    (value,) = SharedCast(robot, (0.0,), 1.5, believed).answer(of).values
    return value


def test_a_virtual_robot_sees_a_real_one_where_the_camera_has_seen_it() -> None:
    there = world((1.0, 2.0, VIRTUAL), (1.5, 2.0, REAL))
    assert seen(there) == near(0.38), "nobody has seen it yet: it is where it is"
    assert seen(there, believed=((2, 1.7, 2.0, 0.0),)) == near(0.58)
    assert seen(there, believed=((2, 1.7, 3.0, 0.0),)) == inf


def test_and_other_virtual_ones_where_they_are() -> None:
    there = world((1.0, 2.0, VIRTUAL), (1.5, 2.0, VIRTUAL), (3.0, 3.0, REAL))
    assert seen(there, believed=((3, 3.0, 3.0, 0.0),)) == near(0.38)


def test_a_real_robot_sees_what_is_real_by_itself_whatever_the_camera_says() -> None:
    there = world((1.0, 2.0, REAL), (1.5, 2.0, REAL), (1.0, 1.0, VIRTUAL))
    for believed in ((1, 1.0, 3.0, 0.0), (2, 3.0, 3.0, 0.0)):
        assert seen(there, believed=(believed,)) == near(0.38)


def test_and_what_is_virtual_from_where_the_camera_has_seen_it_itself() -> None:
    there = world((1.0, 2.0, REAL), (1.5, 2.0, VIRTUAL))
    assert seen(there) == near(0.38)
    assert seen(there, believed=((1, 0.9, 2.0, 0.0),)) == near(0.48)
    assert seen(there, believed=((1, 0.9, 2.0, pi / 2),)) == inf, "it is turned away, as the camera has it"


def test_walls_are_real_and_obstacles_are_seen_by_their_reality() -> None:
    near_wall = world((3.8, 2.0, REAL), (2.0, 2.0, VIRTUAL))
    assert seen(near_wall, believed=((1, 3.0, 2.0, 0.0),)) == near(0.14)
    for traits in (REAL, VIRTUAL):
        field = Field(4.0, 4.0, [Circle(2.0, 2.0, 0.1)], obstacle_traits=[traits])
        there = world((1.0, 2.0, VIRTUAL), (1.0, 1.0, REAL), field=field)
        assert seen(there, believed=((2, 1.0, 1.0, 0.0),)) == near(0.84)
        there.field.place(0, 1.0, 1.0, 0.0)
        there.field.place(1, 1.0, 2.0, 0.0)
        assert seen(there, 2, believed=((2, 0.9, 2.0, 0.0),)) == near(0.84 if traits is REAL else 0.94)


def test_the_sensor_asks_with_what_it_has_heard_last() -> None:
    sensor = SharedInfrared("infrared", 4, (0.0,), 1.5, 0.0)
    sensor.initialize()
    assert tell(sensor, (sensor.fix, Fix(2, 1.0, 1.0, 0.5)), (sensor.fix, Fix(1, 3.0, 1.0, 0.5))) == []
    tell(sensor, (sensor.fix, Fix(2, 1.1, 1.0, 0.6)))
    ((port, asked),) = tell(sensor, (sensor.ranging.ask, Sense()))
    assert port == "world_ask"
    assert asked == SharedCast(4, (0.0,), 1.5, ((1, 3.0, 1.0, 0.5), (2, 1.1, 1.0, 0.6)))
    assert tell(sensor, (sensor.world.answer, Distances(4, (0.3,)))) == [("ranging_answer", Ranges((0.3,)))]
