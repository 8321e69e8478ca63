"""Where bodies are, for somebody who looks at the whole field."""

from __future__ import annotations

from math import cos, sin

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment import Field
from devs_robotics.models.environment.questions import Locate, Whereabouts
from devs_robotics.models.environment.world import World
from tests.approximately import near


def world(bodies: int = 3) -> World:
    field = Field(10.0, 10.0, [])
    for body in range(bodies):
        field.add_body(1.0 + body, 2.0, 0.1 * body, 0.05)
    return World(field, 0.01)


def test_bodies_are_told_in_the_order_of_the_question() -> None:
    assert Locate(0, bodies=(3, 1)).answer(world()) == Whereabouts(0, ((3, 3.0, 2.0, 0.2), (1, 1.0, 2.0, 0.0)))


def test_who_has_left_or_has_not_come_is_left_out() -> None:
    left = world()
    left.field.leave(1)
    assert [pose[0] for pose in Locate(0, bodies=(1, 2, 3, 4)).answer(left).poses] == [1, 3]
    assert Locate(0).answer(left) == Whereabouts(0, ())


@given(st.floats(0.0, 20.0), st.floats(-0.2, 0.2), st.floats(-0.5, 0.5).filter(lambda rate: abs(rate) > 1e-3))
def test_who_drives_is_told_where_it_is_at_this_instant(time: float, speed: float, rate: float) -> None:
    driven = world(1)
    driven.field.go(0, speed, rate)
    driven.field.now = time
    ((_, x, y, heading),) = Locate(0, bodies=(1,)).answer(driven).poses
    radius, turned = speed / rate, rate * time
    assert (x, y) == (near(1.0 + radius * sin(turned), 1e-6), near(2.0 + radius * (1.0 - cos(turned)), 1e-6))
    assert cos(heading - turned) == near(1.0)
