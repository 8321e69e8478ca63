"""Cameras see LEDs and lamps: where in the picture, on which side of a body, and what hides them."""

from __future__ import annotations

from math import pi, radians, tan

from devs_robotics import Sense
from devs_robotics.core.robots.epuck2.messages import Blob, LedState
from devs_robotics.models.activities.epuck2 import VirtualCamera, VirtualLeds
from devs_robotics.models.environment import Lamp, Segment, World
from tests.models.activities.sensed import asked, world_of

RED, GREEN, WHITE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 1.0)


def seen(world: World) -> tuple[Blob, ...]:
    found: tuple[Blob, ...] = asked(world, VirtualCamera("camera"), Sense()).blobs
    return found


def columns(world: World) -> list[int]:
    return [each.column for each in seen(world)]


def lamp_at(depth: float, left: float) -> World:
    """A lamp so far ahead of the camera of a robot that heads along x, and to the left."""
    return world_of((2.0, 2.0, 0.0), things=[Lamp(2.03 + depth, 2.0 + left)])


def test_what_is_ahead_is_in_the_middle_and_the_edges_are_at_half_the_angle() -> None:
    edge = 0.4 * tan(radians(15.0))
    assert seen(lamp_at(0.4, 0.0)) == (Blob(80, 60, WHITE),)
    assert columns(lamp_at(0.4, edge - 1e-9)) == [0]
    assert columns(lamp_at(0.4, -edge + 1e-9)) == [159]
    assert columns(lamp_at(0.4, edge + 1e-6)) == columns(lamp_at(0.4, -edge - 1e-6)) == []


def test_the_range_is_along_the_axis_and_nothing_is_seen_behind() -> None:
    assert columns(lamp_at(0.999, 0.2)) != []
    assert columns(lamp_at(1.001, 0.0)) == []
    assert columns(lamp_at(-0.2, 0.0)) == []


def test_leds_are_seen_from_their_side_of_the_body_and_that_of_the_body_from_all() -> None:
    for heading, numbers in ((pi, {1, 9}), (0.0, {5})):
        world = world_of((2.0, 2.0, 0.0), (2.3, 2.0, heading))
        state = LedState(red=(True, False, True, False), front=True)
        state = LedState(red=(1 in numbers, True, 5 in numbers, True), front=9 in numbers)
        assert asked(world, VirtualLeds("leds"), state, robot=2) == state
        assert columns(world) == [80] * len(numbers), "those at the sides look past the camera"
    world = world_of((2.0, 2.0, 0.0), (2.3, 2.0, 1.0))
    asked(world, VirtualLeds("leds"), LedState(body=True), robot=2)
    assert [each.colour for each in seen(world)] == [GREEN]
    asked(world, VirtualLeds("leds"), LedState(), robot=2)
    assert seen(world) == ()


def test_a_robot_does_not_see_its_own() -> None:
    world = world_of((2.0, 2.0, 0.0))
    asked(world, VirtualLeds("leds"), LedState(red=(True,) * 4, front=True, body=True))
    assert seen(world) == ()


def test_bodies_and_obstacles_hide_what_is_behind_them() -> None:
    lamp = Lamp(2.6, 2.0)
    assert seen(world_of((2.0, 2.0, 0.0), things=[lamp])) != ()
    assert seen(world_of((2.0, 2.0, 0.0), (2.3, 2.03, 0.0), things=[lamp])) == ()
    assert seen(world_of((2.0, 2.0, 0.0), (2.3, 2.04, 0.0), things=[lamp])) != ()
    assert seen(world_of((2.0, 2.0, 0.0), things=[lamp], obstacles=[Segment(2.4, 1.0, 2.4, 3.0)])) == ()


def test_colours_of_several_robots_come_from_left_to_right() -> None:
    world = world_of((2.0, 2.0, 0.0), (2.5, 1.95, pi), (2.5, 2.05, pi))
    asked(world, VirtualLeds("leds"), LedState(front=True), robot=2)
    asked(world, VirtualLeds("leds"), LedState(body=True), robot=3)
    left, right = seen(world)
    assert (left.colour, right.colour) == (GREEN, RED)
    assert left.column < 80 < right.column
