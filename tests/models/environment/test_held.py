"""Who is held by what he touches: not while he leaves or slides along, and until his way leads away."""

from __future__ import annotations

from math import copysign, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment import Circle, Field, Shape, Twist, box
from devs_robotics.models.environment.contacts import TOUCH
from devs_robotics.models.environment.messages import Carry
from tests.approximately import near
from tests.models.environment.driven import Run, drive

RADIUS, SIDE, REACH = 0.035, 0.9, 0.1
SPEED, RATE = 0.05, 0.7
WAYS = {pi: (-1.0, 0.0), -pi / 2.0: (0.0, -1.0), 0.0: (1.0, 0.0), pi / 2.0: (0.0, 1.0)}
"""Directions towards what is touched, and unit vectors along them."""

THINGS: dict[str, list[Shape]] = {
    "wall": [],
    "disc": [Circle(0.45, 0.45, REACH)],
    "box": [box(0.45, 0.45, 2.0 * REACH, 2.0 * REACH)],
}
"""What is touched: a wall round the field, or an obstacle in its middle."""

directions, into = st.sampled_from(list(WAYS)), st.floats(0.0, 0.4 * TOUCH)


def held(run: Run) -> list[tuple[float, bool]]:
    """When a body was held, and when it was not any more."""
    return [(time, each.stopped) for time, each in run.stopped]


def touching(
    thing: str,
    towards: float,
    aside: float,
    rate: float,
    *later: tuple[float, Twist],
    speed: float = SPEED,
    into: float = 0.0,
) -> Run:
    """A body that touches something, and is told to drive `aside` the direction towards it (rad); `into` it (m)."""
    field = Field(SIDE, SIDE, THINGS[thing], walled=thing == "wall")
    dx, dy = WAYS[towards]
    away = 0.45 - RADIUS + into if thing == "wall" else -(REACH + RADIUS - into)
    field.add_body(0.45 + away * dx, 0.45 + away * dy, towards + aside, RADIUS)
    return drive(field, [Twist(1, speed, rate)], later=later, until=6.0)


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("towards", WAYS)
@pytest.mark.parametrize(("aside", "rate"), [(0.0, RATE), (0.0, -RATE), (0.3, RATE), (0.3, -RATE), (-1.2, RATE)])
def test_who_turns_is_free_when_his_way_leads_along(thing: str, towards: float, aside: float, rate: float) -> None:
    (begun, is_held), (freed, still) = held(touching(thing, towards, aside, rate))[:2]
    assert (begun, is_held, still) == (0.0, True, False)
    assert freed == near((pi / 2.0 - aside * copysign(1.0, rate)) / RATE, 1e-4)


@pytest.mark.parametrize("towards", WAYS)
def test_who_goes_backward_is_held_by_what_is_behind_him(towards: float) -> None:
    assert held(touching("wall", towards, 0.0, 0.0, speed=-SPEED)) == []
    (_, is_held), (freed, still) = held(touching("wall", towards, pi, RATE, speed=-SPEED))[:2]
    assert (is_held, still) == (True, False)
    assert freed == near(pi / 2.0 / RATE, 1e-4)


@given(st.sampled_from(["wall", "box"]), directions, st.sampled_from([-pi / 2.0, pi / 2.0]), into)
def test_who_slides_along_is_not_held_by_rounding(thing: str, towards: float, aside: float, into: float) -> None:
    assert held(touching(thing, towards, aside, 0.0, into=into)) == []


@given(st.sampled_from(list(THINGS)), directions, st.floats(1.7, 2.0 * pi - 1.7), into)
def test_who_leaves_is_not_held(thing: str, towards: float, aside: float, into: float) -> None:
    assert held(touching(thing, towards, aside, 0.0, into=into)) == []


@pytest.mark.parametrize("towards", WAYS)
def test_who_is_told_to_stand_is_held_no_more(towards: float) -> None:
    assert held(touching("wall", towards, 0.0, 0.0, (2.0, Twist(1, 0.0, 0.0)))) == [(0.0, True), (2.0, False)]


def test_who_is_held_and_is_lifted_up_is_held_no_more() -> None:
    field = Field(SIDE, SIDE)
    field.add_body(RADIUS, 0.45, pi, RADIUS)
    field.add_body(0.5, 0.45, 0.0, RADIUS)
    run = drive(field, [Twist(1, SPEED, 0.0)], later=[(2.0, Carry(2, 1, 0.1, 0.0, 0.0))], until=6.0)
    assert held(run) == [(0.0, True), (2.0, False)]


@pytest.mark.parametrize("towards", WAYS)
def test_who_is_told_to_go_back_is_free_at_once(towards: float) -> None:
    run = touching("wall", towards, 0.0, 0.0, (2.0, Twist(1, -SPEED, 0.0)))
    assert held(run) == [(0.0, True), (2.0, False)]
    assert run.space.field.clearance(0) == near(4.0 * SPEED, 1e-6)


@pytest.mark.parametrize("aside", [0.0, 1e-9, -1e-9, 1e-8, -1e-8, -5e-8, -2e-7])
def test_who_turns_at_the_end_of_a_side_is_free_too(aside: float) -> None:
    """Where the side becomes the corner, it bends on one side alone."""
    for rate in (RATE, -RATE):
        field = Field(SIDE, SIDE, THINGS["box"], walled=False)
        field.add_body(0.45 + REACH + aside, 0.45 + REACH + RADIUS, -pi / 2.0, RADIUS)
        (_, is_held), (freed, still) = held(drive(field, [Twist(1, SPEED, rate)], until=6.0))[:2]
        assert (is_held, still) == (True, False)
        assert freed == near(pi / 2.0 / RATE, 1e-4)
