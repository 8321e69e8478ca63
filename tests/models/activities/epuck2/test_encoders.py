"""Encoders and what is felt on an arc: whole turns of wheels, arcs, and any sequence of motions."""

from __future__ import annotations

from math import floor, pi

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Encoders, Inertial, Sense
from devs_robotics.core.robots.epuck2.body import AXLE, STEP_LENGTH
from devs_robotics.models.activities.epuck2 import VirtualEncoders, VirtualInertial
from devs_robotics.models.environment import World
from tests.approximately import near
from tests.models.activities.sensed import asked, world_of


def steps(world: World) -> Encoders:
    found: Encoders = asked(world, VirtualEncoders("encoders"), Sense())
    return found


def test_a_turn_of_the_wheels_is_a_thousand_steps() -> None:
    world = world_of((1.0, 1.0, 0.5))
    world.field.go(0, 0.05, 0.0)
    world.field.now = pi * 0.041 / 0.05
    assert steps(world) == Encoders(1000, 1000)
    world.field.go(0, -0.05, 0.0)
    world.field.now *= 2.0
    assert steps(world) == Encoders(0, 0)


def test_a_turn_in_place_is_1292_steps_and_back_is_none() -> None:
    world = world_of((1.0, 1.0, 0.5))
    world.field.turn(0, -2.0 * pi)
    assert steps(world) == Encoders(1292, -1293)
    world.field.go(0, 0.0, 1.0)
    world.field.now = 2.0 * pi
    assert steps(world) == Encoders(0, 0)


def test_a_motion_made_at_once_counts_and_a_fix_does_not() -> None:
    world = world_of((1.0, 1.0, 0.0))
    world.field.advance(0, -10.0 * STEP_LENGTH)
    assert steps(world) == Encoders(-10, -10)
    world.field.place(0, 2.0, 2.0, 1.0)
    assert steps(world) == Encoders(-10, -10)


speeds = st.floats(-0.14, 0.14)


@given(st.lists(st.tuples(speeds, speeds, st.floats(0.01, 20.0)), min_size=1, max_size=8))
def test_wheels_roll_what_they_are_told_along_any_arcs(motions: list[tuple[float, float, float]]) -> None:
    world = world_of((1.0, 1.0, 0.0), size=100.0)
    rolled = [0.0, 0.0]
    for left, right, seconds in motions:
        world.field.go(0, (left + right) / 2.0, (right - left) / AXLE)
        world.field.now += seconds
        rolled = [rolled[0] + left * seconds, rolled[1] + right * seconds]
    found = steps(world)
    for count, travel in zip((found.left, found.right), rolled, strict=True):
        exact = travel / STEP_LENGTH
        assert count in {wrapped(floor(exact - 2e-6)), wrapped(floor(exact + 2e-6))}


def wrapped(steps: int) -> int:
    """As a number of 16 bits with a sign."""
    return steps - 65536 * ((steps + 32768) // 65536)


def test_a_circle_is_felt_to_its_centre_and_in_the_gyroscope() -> None:
    world = world_of((1.0, 1.0, 0.0))
    inertial = VirtualInertial("inertial")
    assert asked(world, inertial, Sense()) == Inertial((0.0, 0.0, 9.81), (0.0, 0.0, 0.0))
    world.field.go(0, 0.1, -0.5)
    assert asked(world, inertial, Sense()) == Inertial((0.0, near(-0.05), 9.81), (0.0, 0.0, -0.5))
