"""Bodies: they are where their arcs are, at every instant, and have gone as far."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, isnan, pi, remainder, sin, tau
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import ModelError
from devs_robotics.models.environment.bodies import Bodies
from devs_robotics.models.environment.messages import BodyMotion
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Trajectory
from devs_robotics.models.environment.traits import Traits
from tests.approximately import near

speeds = st.floats(-0.2, 0.2)
rates = st.one_of(st.just(0.0), st.floats(-3.0, 3.0), st.floats(-1e-9, 1e-9))
starts = st.floats(0.0, 10.0)


@given(st.floats(-pi, pi), starts, speeds, rates, st.floats(0.0, 10.0))
def test_a_body_is_where_its_arc_is(heading: float, start: float, speed: float, rate: float, later: float) -> None:
    bodies = Bodies()
    body = bodies.add(1.0, 2.0, heading, 0.035)
    bodies.go(body, start, speed, rate)
    x, y, towards = bodies.pose(body, start + later)
    assert (x, y, remainder(towards, tau)) == bodies.arc(body).pose(start + later)


@given(speeds, rates, speeds, rates, starts)
def test_travel_goes_on_from_arc_to_arc(
    speed: float, rate: float, other: float, other_rate: float, then: float
) -> None:
    bodies = Bodies()
    body = bodies.add(0.0, 0.0, 0.0, 0.035)
    bodies.go(body, 0.0, speed, rate)
    bodies.go(body, then, other, other_rate)
    gone, turned = bodies.travel(body, then + 2.0)
    assert gone == near(speed * then + other * 2.0)
    assert turned == near(rate * then + other_rate * 2.0)


def three() -> Bodies:
    """Three bodies at rest, in a row."""
    bodies = Bodies()
    for x in (0.0, 1.0, 2.0):
        bodies.add(x, 0.0, 0.0, 0.1, Traits("door") if x else None)
    bodies.fresh.clear()
    return bodies


def test_a_body_is_a_robot_unless_it_is_said_and_its_heading_is_within_half_a_turn() -> None:
    bodies = three()
    assert bodies.add(0.0, 0.0, 1.5 * pi, 0.1) == 3
    assert (len(bodies), bodies.heading[3], bodies.changes) == (4, near(-0.5 * pi), 4)
    assert [each.kind for each in bodies.traits] == ["robot", "door", "door", "robot"]
    assert bodies.motion(1) == BodyMotion(2, Arc(0.0, 1.0, 0.0, 0.0, 0.0, 0.0), 0.1, "door", False)


CHANGES: dict[str, Callable[[Bodies], None]] = {
    "go": lambda bodies: bodies.go(1, 1.0, 0.1, 0.0),
    "place": lambda bodies: bodies.place(1, 5.0, 6.0, 0.5, 1.0),
    "stand": lambda bodies: bodies.stand(1, 5.0, 6.0, 0.5, 1.0),
    "follow": lambda bodies: bodies.follow(1, Arc(0.0, 1.0, 0.0, 0.0, 0.1, 0.2), 1.0),
    "carry": lambda bodies: bodies.carry(1, 0, 0.2, 0.1, 0.0, 1.0),
    "leave": lambda bodies: bodies.leave(1, 1.0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_looks_can_tell_that_something_has_changed_and_what(change: str) -> None:
    bodies = three()
    before = bodies.changes
    CHANGES[change](bodies)
    assert bodies.changes > before
    assert bodies.fresh == {1}
    start, x, y, heading, speed, rate, c, s = bodies.row(1)
    columns = (bodies.start, bodies.x, bodies.y, bodies.heading, bodies.speed, bodies.turn_rate)
    row = (start, x, y, heading, speed, rate)
    assert all(column[1] == value or isnan(value) for column, value in zip(columns, row, strict=True))
    assert (c, s) == (cos(heading), sin(heading)) or isnan(heading)


def test_one_that_is_put_elsewhere_goes_on_from_there_and_one_that_stands_there_rests() -> None:
    bodies = three()
    bodies.go(0, 0.0, 0.1, 0.0)
    bodies.place(0, 5.0, 6.0, 2.5 * pi, 1.0)
    assert bodies.pose(0, 3.0) == (near(5.0), near(6.2), near(0.5 * pi))
    assert bodies.travel(0, 3.0) == (near(0.3), 0.0), "to be put elsewhere is no travel"
    bodies.stand(1, 7.0, 8.0, 2.5 * pi, 1.0)
    assert bodies.pose(1, 9.0) == (7.0, 8.0, near(0.5 * pi))
    assert bodies.start[1] == 1.0


def test_who_moves_is_known_and_how_fast_anybody_was() -> None:
    bodies = three()
    assert (list(bodies.moving), bodies.fastest) == ([], 0.0)
    bodies.go(0, 0.0, -0.3, 0.0)
    bodies.go(1, 0.0, 0.1, 0.0)
    bodies.go(2, 0.0, 0.0, 1.0)
    assert (list(bodies.moving), bodies.fastest) == ([0, 1], 0.3)
    bodies.go(0, 1.0, 0.0, 0.0)
    assert (list(bodies.moving), bodies.fastest) == ([1], 0.3)


class Ring:
    """A trajectory round a point, on which a body keeps its heading."""

    fastest, fastest_turn = 0.5, 0.0

    def pose(self, time: float) -> tuple[float, float, float]:
        return 0.5 * cos(time), 0.5 * sin(time), 0.25


def test_a_body_on_another_trajectory_is_where_that_is_until_it_is_put_on_an_arc() -> None:
    bodies, ring = three(), cast("Trajectory", Ring())
    bodies.follow(0, ring, 1.0)
    assert bodies.trajectory(0) is ring
    assert bodies.pose(0, 3.0) == ring.pose(3.0)
    assert bodies.poses(3.0) == [ring.pose(3.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0)]
    assert (bodies.speed[0], bodies.turn_rate[0] > 0.0, 0 in bodies.moving) == (0.5, True, True)
    bodies.go(0, 2.0, 0.1, 0.0)
    assert bodies.trajectory(0) == bodies.arc(0)
    x, y, heading = ring.pose(2.0)
    assert bodies.pose(0, 3.0) == (near(x + 0.1 * cos(heading)), near(y + 0.1 * sin(heading)), near(heading))
    bodies.follow(0, ring, 2.0)
    bodies.place(0, 9.0, 9.0, 0.0, 3.0)
    assert (bodies.pose(0, 5.0), bodies.paths) == ((9.0, 9.0, 0.0), {})
    bodies.follow(0, ring, 3.0)
    bodies.follow(0, Arc(0.0, 0.0, 0.0, 0.0, 0.1, 0.0), 4.0)
    assert (bodies.pose(0, 5.0), bodies.paths) == ((near(0.5), 0.0, 0.0), {})


def test_what_is_carried_goes_with_its_carrier_and_with_whom_carries_that() -> None:
    bodies = three()
    bodies.carry(1, 0, 0.5, 0.25, 0.1, 0.0)
    bodies.carry(2, 1, 0.0, 0.0, 0.0, 0.0)
    assert bodies.pose(1, 1.0) == (*bodies.pose(2, 1.0)[:2], near(0.1))
    assert bodies.pose(1, 1.0) == (near(0.5), near(0.25), near(0.1))
    bodies.go(0, 1.0, 0.0, pi / 2.0)
    for time in (1.5, 2.0):
        heading = bodies.pose(0, time)[2]
        c, s = cos(heading), sin(heading)
        expected = (near(0.5 * c - 0.25 * s), near(0.5 * s + 0.25 * c), near(heading + 0.1))
        assert bodies.pose(1, time) == expected
        assert bodies.poses(time)[1:] == [expected, expected]
    assert bodies.with_cargo([0]) == [0, 1, 2]
    assert bodies.with_cargo([2]) == [2]
    assert [bodies.moves_itself(body) for body in range(3)] == [True, False, False]
    assert bodies.motion(1).carried
    bodies.go(0, 2.0, 0.0, 0.0)
    assert (bodies.speed[1], bodies.turn_rate[1], bodies.paths) == (0.0, 0.0, {})


def test_what_is_put_down_rests_where_it_is_with_what_it_carries() -> None:
    bodies = three()
    bodies.carry(1, 0, 0.5, 0.0, 0.0, 0.0)
    bodies.carry(2, 1, 0.5, 0.0, 0.0, 0.0)
    bodies.go(0, 0.0, 0.1, 0.0)
    bodies.put_down(1, 1.0)
    assert [bodies.pose(body, 9.0)[0] for body in range(3)] == [near(0.9), near(0.6), near(1.1)]
    assert bodies.carrier == {2: 1}
    assert bodies.with_cargo([0]) == [0]


def test_what_is_given_to_another_carrier_is_with_that_one_alone() -> None:
    bodies = three()
    bodies.carry(2, 0, 0.5, 0.0, 0.0, 0.0)
    bodies.carry(2, 1, 0.5, 0.0, 0.0, 0.0)
    assert bodies.with_cargo([0, 1]) == [0, 1, 2]
    assert bodies.pose(2, 0.0)[0] == near(1.5)


@pytest.mark.parametrize("carrier", [0, 1, 2])
def test_nobody_carries_who_carries_it(carrier: int) -> None:
    bodies = three()
    bodies.carry(1, 0, 0.5, 0.0, 0.0, 0.0)
    bodies.carry(2, 1, 0.5, 0.0, 0.0, 0.0)
    with pytest.raises(ModelError, match=f"body {carrier + 1} cannot carry body 1, by which it is carried itself, or"):
        bodies.carry(0, carrier, 0.0, 0.0, 0.0, 0.0)


def test_who_leaves_is_nowhere_and_so_is_what_it_carries() -> None:
    bodies = three()
    bodies.carry(1, 0, 0.5, 0.0, 0.0, 0.0)
    bodies.go(0, 0.0, 0.1, 0.0)
    bodies.leave(0, 1.0)
    assert list(bodies.gone) == [1, 0]
    assert all(isnan(value) for body in (0, 1) for value in bodies.pose(body, 2.0))
    assert (bodies.carrier, bodies.paths, list(bodies.moving)) == ({}, {}, [])
    assert not bodies.moves_itself(0)
    assert bodies.motion(0).trajectory is None
    assert bodies.pose(2, 2.0) == (2.0, 0.0, 0.0)
