"""Wheels of a real robot: what it is told, and where its counterpart goes by what they have rolled."""

from __future__ import annotations

from math import hypot, inf, nan, pi, remainder
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Answered, Asked, ModelError, Obstructed, Rolled, Wheels
from devs_robotics.models.activities import HardwareWheels, VirtualWheels
from devs_robotics.models.environment import ArcMotion, Field, PoseChange
from tests.approximately import near
from tests.models.environment.spaces import space_manager
from tests.models.play import tell

AXLE, FASTEST = 0.053, 0.14
wheel_speeds = st.floats(-0.14, 0.14)


def real(robot: int = 1) -> Any:
    wheels = VirtualWheels("wheels", AXLE, FASTEST).hardware()
    assert isinstance(wheels, HardwareWheels)
    wheels.robot = robot
    return wheels


def test_speeds_go_to_the_robot_cut_to_those_that_it_has() -> None:
    wheels = real()
    assert tell(wheels, (wheels.wheels.ask, Wheels(0.1, -0.5))) == [
        ("device_ask", Asked("wheels", Wheels(0.1, -FASTEST)))
    ]


@pytest.mark.parametrize("speed", [nan, inf, -inf])
def test_speeds_that_are_none_are_refused(speed: float) -> None:
    wheels = real(3)
    with pytest.raises(ModelError, match=r"robot 3 is told to drive .* send finite speeds"):
        tell(wheels, (wheels.wheels.ask, Wheels(0.1, speed)))


def test_what_the_robot_tells_of_its_wheels_and_of_nothing_else_is_passed_on() -> None:
    wheels = real()
    told = [Answered("wheels", Obstructed(True)), Answered("proximity", Obstructed(False))]
    assert tell(wheels, *((wheels.device.answer, each) for each in told)) == [("wheels_answer", Obstructed(True))]


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.floats(0.05, 1.0), wheel_speeds, wheel_speeds), min_size=1, max_size=6), st.integers(1, 20)
)
def test_a_counterpart_goes_where_virtual_wheels_would_have_gone(
    drives: list[tuple[float, float, float]], pieces: int
) -> None:
    """However often it is told how far they have rolled."""
    field, virtual = Field(20.0, 20.0), VirtualWheels("wheels", AXLE, FASTEST)
    for _ in range(2):
        field.add_body(10.0, 10.0, 0.3, 0.0)
    space, wheels = space_manager(field, 0.03), real()
    for lasts, left, right in drives:
        twist: Any = virtual.ask(Wheels(left, right))
        field.go(1, twist.speed, twist.turn_rate)
        for _ in range(pieces):
            share = lasts / pieces
            said = tell(wheels, (wheels.rolled, Rolled(left * share, right * share)))
            ((_, motion),) = [each for each in said if each[0] == "world_ask"]
            assert ("reported", motion) in said
            tell(space, (space.counterpart, motion), e=share)
        x, y, heading = field.pose(0)
        expected = field.pose(1)
        assert hypot(x - expected[0], y - expected[1]) == near(0.0, 1e-9)
        assert remainder(heading - expected[2], 2.0 * pi) == near(0.0, 1e-9)


def test_the_environment_tells_where_a_counterpart_is_and_of_no_end() -> None:
    field = Field(4.0, 4.0)
    field.add_body(1.0, 1.0, 0.0, 0.035)
    space = space_manager(field, 0.03)
    assert [said for _, said in tell(space, (space.counterpart, ArcMotion(1, pi, pi)))] == [
        PoseChange(1, near(1.0), near(3.0), near(pi))
    ]
