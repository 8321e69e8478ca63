"""Wheels of a real robot: what it is told, and where its counterpart goes by what they have rolled."""

from __future__ import annotations

from math import hypot, inf, nan, pi, remainder
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Answered, Asked, ModelError, Obstructed, Rolled, Wheels
from devs_robotics.models.activities import HardwareWheels, VirtualWheels
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.models.environment import ArcMotion, Field, PoseChange, Probe, Room
from tests.approximately import near
from tests.models.environment.spaces import space_manager
from tests.models.play import Said, settle, tell

AXLE, FASTEST = 0.053, 0.14
wheel_speeds = st.floats(-0.14, 0.14)


def real(robot: int = 1) -> Any:
    wheels = VirtualWheels("wheels", AXLE, FASTEST).hardware()
    assert isinstance(wheels, HardwareWheels)
    wheels.robot = robot
    return wheels


def heard(wheels: Any, way: float, *inputs: tuple[Any, Any], e: float = 1.0) -> list[Said]:
    """What the robot and the decision model hear, where the map has so much room ahead (m)."""
    said = tell(wheels, *inputs, e=e)
    if asked := [value for port, value in said if port == "room_ask"]:
        (probe,) = asked
        assert isinstance(probe, Probe)
        room = Room(wheels.robot, inf if way > abs(probe.distance) else way, 0.0)
        said += tell(wheels, (wheels.room.answer, room), e=0.0)
    return [each for each in said if each[0] in ("device_ask", "wheels_answer")]


def rolls(left: float, right: float) -> Said:
    return "device_ask", Asked("wheels", Wheels(left, right))


def test_speeds_go_to_the_robot_cut_to_those_that_it_has() -> None:
    wheels = real()
    assert heard(wheels, inf, (wheels.wheels.ask, Wheels(0.1, -0.5))) == [rolls(0.1, -FASTEST)]


@given(st.floats(-0.14, 0.14), st.floats(0.0, 0.2))
def test_a_robot_that_goes_on_when_its_host_dies_needs_that_way_too(speed: float, way: float) -> None:
    wheels = real()
    wheels.stopping = StoppingDistance(0.55, 1.0)
    said = heard(wheels, way, (wheels.wheels.ask, Wheels(speed, speed)))
    held = speed != 0.0 and way <= 0.002 + 0.55 * abs(speed) + speed**2 / 2.0
    assert said == ([rolls(0.0, 0.0), ("wheels_answer", Obstructed(True))] if held else [rolls(speed, speed)])


@given(wheel_speeds, wheel_speeds, st.floats(0.0, 0.1))
def test_a_robot_goes_on_only_where_it_can_stop_and_turns_meanwhile(left: float, right: float, way: float) -> None:
    wheels = real()
    said = heard(wheels, way, (wheels.wheels.ask, Wheels(left, right)))
    half, speed = (right - left) / 2.0, (left + right) / 2.0
    if speed and way <= 0.002 + 0.1 * abs(speed):
        assert said == [rolls(-half, half), ("wheels_answer", Obstructed(True))]
        assert wheels.sigma == 0.1  # and it asks again
        freed = heard(wheels, inf, (wheels.rolled, Rolled(-0.001, 0.001)), e=0.05)
        assert freed == [rolls(left, right), ("wheels_answer", Obstructed(False))]
    else:
        assert said == [rolls(left, right)]
        if speed:
            held = heard(wheels, 0.0, (wheels.rolled, Rolled(0.001, 0.001)))
            assert held == [rolls(-half, half), ("wheels_answer", Obstructed(True))]
    assert heard(wheels, 0.0, (wheels.wheels.ask, Wheels(-0.1, 0.1)))[0] == rolls(-0.1, 0.1)  # needs no room


def test_a_robot_that_is_held_and_stands_asks_again_and_goes_on_when_there_is_room() -> None:
    wheels = real()
    heard(wheels, 0.0, (wheels.wheels.ask, Wheels(0.1, 0.1)))
    for way, expected in ((0.0, []), (inf, [rolls(0.1, 0.1), ("wheels_answer", Obstructed(False))])):
        wheels.lambdaf()
        wheels.deltint()
        ((port, _),) = settle(wheels)
        assert port == "room_ask"
        assert tell(wheels, (wheels.room.answer, Room(1, way, 0.0)), e=0.0) == expected
    assert wheels.sigma == inf


def test_what_holds_it_is_told_once_whether_the_map_or_the_robot_says_so() -> None:
    wheels = real()
    heard(wheels, 0.0, (wheels.wheels.ask, Wheels(0.1, 0.1)))
    stalled = Answered("wheels", Obstructed(True))
    assert heard(wheels, 0.0, (wheels.device.answer, stalled), e=0.01) == []
    assert heard(wheels, inf, (wheels.rolled, Rolled(0.001, 0.001)), e=0.01) == [rolls(0.1, 0.1)]
    assert heard(wheels, inf, (wheels.device.answer, Answered("wheels", Obstructed(False)))) == [
        ("wheels_answer", Obstructed(False))
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
