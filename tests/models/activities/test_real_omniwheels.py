"""Omniwheels of a real robot: its guard, what is told of commands that it refused, and where its counterpart goes."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Answered, Asked, Glide, Glided
from devs_robotics.models.activities import HardwareOmniwheels, VirtualOmniwheels
from devs_robotics.models.activities.real_omniwheels import HELD, MARGIN, REACTION, STAND
from devs_robotics.models.activities.stopping import StoppingDistance
from devs_robotics.models.environment import ArcMotion, Field, ProbeAside, Room, World, box
from tests.models.play import Said, settle, tell

WAY = Glide(1.0, 3.0, 0.0, 0.5)


def real() -> Any:
    wheels = VirtualOmniwheels("omniwheels").hardware()
    assert isinstance(wheels, HardwareOmniwheels)
    wheels.robot = 1
    wheels.initialize()
    return wheels


def heard(wheels: Any, way: float, *inputs: tuple[Any, Any], e: float = 1.0) -> list[Said]:
    """What the robot and the decision model hear, where the way is free so far (m)."""
    said = tell(wheels, *inputs, e=e)
    while asked := [value for port, value in said if port == "room_ask"]:
        (probe,) = asked
        said = [each for each in said if each[0] != "room_ask"]
        room = Room(1, inf if way > probe.reach else way, 0.0)
        said += tell(wheels, (wheels.room.answer, room), e=0.0)
    return [each for each in said if each[0] in ("device_ask", "wheels_answer")]


def goes(command: Glide) -> Said:
    return "device_ask", Asked("omniwheels", command)


def test_all_that_the_robot_is_told_goes_through_a_wire() -> None:
    wheels = real()
    said = heard(wheels, inf, (wheels.wheels.ask, Glide()), (wheels.wheels.ask, Glide(0.0, 1.0)))
    said += heard(wheels, 0.0, (wheels.wheels.ask, WAY))
    assert len(said) == 3
    assert all(asked.question.speed < inf for _, asked in said)


def ends(wheels: Any, distance: float, turn: float = 0.0, *, under_way: bool = False) -> tuple[Any, Any]:
    return wheels.device.answer, Answered("omniwheels", Glided(distance, turn, under_way=under_way))


def told(distance: float, turn: float = 0.0, *, blocked: bool = False) -> Said:
    return "wheels_answer", Glided(distance, turn, blocked)


def stopping(speed: float) -> float:
    return REACTION * speed + speed / 2.0 * (speed / 2.0 + 0.1)


def test_a_way_that_is_free_until_the_robot_stands_is_begun_and_its_end_is_told() -> None:
    wheels = real()
    said = tell(wheels, (wheels.wheels.ask, WAY))
    assert said == [("room_ask", ProbeAside(1, 1.0, MARGIN + stopping(0.5), 0.05, sensor="omniwheels"))]
    assert tell(wheels, (wheels.room.answer, Room(1, inf, 0.0)), e=0.0) == [goes(WAY)]
    assert heard(wheels, inf, ends(wheels, 3.0)) == [told(3.0)]
    assert wheels.refused == 0
    assert wheels.sigma == inf


def test_near_its_end_a_way_has_to_be_free_no_further_than_that() -> None:
    wheels = real()
    short = Glide(0.0, 0.05, 0.0, 0.5)
    assert heard(wheels, 0.06, (wheels.wheels.ask, short)) == [goes(short)]
    assert heard(wheels, 0.02, ends(wheels, 0.04, under_way=True)) == []
    assert heard(wheels, 0.0, ends(wheels, 0.05)) == [told(0.05)]


def test_where_the_robot_goes_on_when_its_host_dies_that_is_free_too_beyond_the_end_of_its_way() -> None:
    wheels, short = real(), Glide(0.0, 0.05, 0.0, 0.2)
    wheels.stopping = StoppingDistance(0.55, 1.0)
    assert heard(wheels, 0.14, (wheels.wheels.ask, short)) == [goes(short)]
    wheels = real()
    wheels.stopping = StoppingDistance(0.55, 1.0)
    assert heard(wheels, 0.12, (wheels.wheels.ask, short)) == [goes(STAND)]


def test_instead_of_a_way_that_is_barred_the_robot_is_told_to_stand_and_the_refusal_takes_time() -> None:
    wheels = real()
    assert heard(wheels, 0.1, (wheels.wheels.ask, WAY)) == [goes(STAND)]
    assert heard(wheels, 0.1, ends(wheels, 0.0), e=0.03) == []
    assert wheels.sigma == pytest.approx(HELD - 0.03)
    assert settle(wheels, within=HELD) == [told(0.0, blocked=True)]
    assert wheels.refused == 1
    assert wheels.sigma == inf


def test_who_asks_again_at_once_does_so_ten_times_per_second_and_no_more() -> None:
    wheels, asked, now = real(), 0, 0.0
    inputs: list[tuple[Any, Any]] = [(wheels.wheels.ask, WAY)]
    while now < 0.95:
        heard(wheels, 0.0, *inputs, e=0.0)
        heard(wheels, 0.0, ends(wheels, 0.0), e=0.0)
        asked += 1
        now += wheels.sigma
        assert settle(wheels, within=HELD + 1e-6) == [told(0.0, blocked=True)]
    assert asked == 10


def test_what_comes_into_the_way_makes_the_robot_brake_and_ends_the_command_as_blocked() -> None:
    wheels = real()
    heard(wheels, inf, (wheels.wheels.ask, WAY))
    assert heard(wheels, inf, ends(wheels, 0.5, under_way=True), e=0.1) == []
    assert heard(wheels, 0.1, ends(wheels, 1.0, under_way=True), e=0.1) == [goes(STAND)]
    assert heard(wheels, 0.1, ends(wheels, 1.05, under_way=True), e=0.1) == []  # it is braking
    assert heard(wheels, 0.1, ends(wheels, 1.1), e=0.1) == [told(1.1, blocked=True)]
    assert heard(wheels, 0.1, ends(wheels, 0.0), e=0.0) == []  # the guard's own command
    assert wheels.refused == 1


def test_commands_have_their_ends_in_their_order_and_a_new_one_is_judged_as_well() -> None:
    wheels = real()
    turn, back = Glide(turn=0.5, speed=1.0), Glide(pi, 1.0, 0.0, 0.1)
    heard(wheels, inf, (wheels.wheels.ask, WAY))
    assert heard(wheels, inf, (wheels.wheels.ask, turn), (wheels.wheels.ask, back)) == [goes(turn), goes(back)]
    assert heard(wheels, inf, ends(wheels, 0.7), ends(wheels, 0.0), e=0.1) == [told(0.7), told(0.0)]
    assert heard(wheels, inf, ends(wheels, 0.02, under_way=True), e=0.1) == []
    assert heard(wheels, inf, ends(wheels, 1.0)) == [told(1.0)]
    assert heard(wheels, 0.0, (wheels.wheels.ask, turn)) == [goes(turn)]  # who turns on the spot needs no room


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0.0, 0.5), st.floats(-0.5, 0.5)), min_size=1, max_size=5), st.floats(-pi, pi))
def test_the_counterpart_goes_where_the_robot_has_gone(steps: list[tuple[float, float]], direction: float) -> None:
    wheels, gone, turned, x, y, heading = real(), 0.0, 0.0, 0.0, 0.0, 0.3
    tell(wheels, (wheels.wheels.ask, Glide(direction, 9.0, 1.0)))
    tell(wheels, (wheels.room.answer, Room(1, inf, 0.0)), e=0.0)
    for way, turn in steps:
        gone, turned = gone + way, turned + turn
        said = tell(wheels, ends(wheels, gone, turned, under_way=True), e=0.1)
        for motion in [value for port, value in said if port == "world_ask"]:
            assert isinstance(motion, ArcMotion)
            x, y, heading = motion.end(x, y, heading)
        if any(port == "room_ask" for port, _ in said):
            tell(wheels, (wheels.room.answer, Room(1, inf, 0.0)), e=0.0)
    assert (x, y) == pytest.approx((gone * cos(0.3 + direction), gone * sin(0.3 + direction)), abs=1e-9)
    assert heading == pytest.approx(0.3 + turned)


def test_walls_and_obstacles_bar_a_way_and_half_of_that_to_another_robot_is_free() -> None:
    field = Field(4.0, 4.0, [box(2.0, 3.0, 1.0, 0.2)])
    for x, y, heading in ((2.0, 2.0, pi / 2.0), (1.0, 2.0, 0.0)):
        field.add_body(x, y, heading, 0.125)
    world = World(field, 0.0)
    field.add_body(2.5, 2.0, 0.0, 0.018)  # a leg: no robot

    def way(direction: float, reach: float = 9.0, beside: float = 0.0) -> float:
        return ProbeAside(1, direction, reach, beside).answer(world).way

    assert way(0.0) == pytest.approx(0.9 - 0.125)
    assert way(0.0, reach=0.7) == inf
    assert way(pi) == pytest.approx(2.0 - 0.125)
    assert way(-pi / 2.0) == pytest.approx(2.0 - 0.125)
    assert way(pi / 2.0) == pytest.approx((1.0 - 0.25) / 2.0)
    aside = pi / 2.0 + 0.27  # past it with some millimetres
    assert hypot(1.0, 0.0) * sin(0.27) > 0.25
    assert way(aside) > 1.0
    assert way(aside, beside=0.05) < 0.5
