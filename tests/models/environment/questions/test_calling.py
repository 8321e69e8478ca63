"""Who hears a call: limits of distance and angle, and never the sender."""

from __future__ import annotations

from math import cos, pi, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment import Call, Circle, Field, Heeded, Leave, SpaceManager, Traits, World
from tests.models.play import tell

RADIUS = 0.06
REACH = 0.6


def hearers(field: Field, *, reach: float = REACH, ahead: bool = False, robot: int = 1) -> tuple[int, ...]:
    answer = Call(robot, text="near", reach=reach, ahead=ahead).answer(World(field, 0.03))
    assert answer == Heeded(robot, "near", answer.hearers, ahead)
    return answer.hearers


def two(distance_cm: float, bearing_deg: float = 0.0, heading_deg: float = 0.0) -> Field:
    field = Field(4.0, 4.0, [Circle(2.3, 2.0, 0.1)], walled=False)
    heading = radians(heading_deg)
    field.add_body(2.0, 2.0, heading, RADIUS)
    direction, distance = heading + radians(bearing_deg), distance_cm / 100.0
    field.add_body(
        2.0 + distance * cos(direction), 2.0 + distance * sin(direction), 1.0, RADIUS, Traits(reality="real")
    )
    return field


@pytest.mark.parametrize(("distance", "heard"), [(60.0, True), (60.004, True), (60.01, False), (0.0, True)])
@pytest.mark.parametrize("bearing", [0.0, 90.0, 180.0])
def test_the_limit_of_the_distance_is_inclusive_in_hundredths_of_a_centimetre(
    distance: float, bearing: float, heard: bool
) -> None:
    assert hearers(two(distance, bearing)) == ((2,) if heard else ())


@pytest.mark.parametrize(
    ("bearing", "heard"), [(0.0, True), (15.0, True), (15.004, True), (15.01, False), (180.0, False)]
)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("heading", [0.0, 90.0, 170.0, 180.0, -175.0])
def test_the_limit_of_the_angle_is_inclusive_in_hundredths_of_a_degree(
    bearing: float, heard: bool, sign: int, heading: float
) -> None:
    assert hearers(two(60.0, sign * bearing, heading), ahead=True) == ((2,) if heard else ())
    assert hearers(two(60.01, sign * bearing, heading), ahead=True) == ()


@given(st.lists(st.tuples(st.floats(0.0, 4.0), st.floats(0.0, 4.0), st.floats(-pi, pi)), min_size=1, max_size=12))
def test_nobody_hears_itself_and_all_are_told_ascending(poses: list[tuple[float, float, float]]) -> None:
    field = Field(4.0, 4.0)
    for pose in poses:
        field.add_body(*pose, RADIUS)
    for robot in range(1, len(poses) + 1):
        others = [number for number in range(1, len(poses) + 1) if number != robot]
        assert list(hearers(field, reach=10.0, robot=robot)) == others
        ahead = hearers(field, ahead=True, robot=robot)
        assert list(ahead) == sorted(set(ahead) & set(hearers(field, robot=robot)))


def test_who_has_left_hears_nothing() -> None:
    field = two(30.0)
    space = SpaceManager("space", World(field, 0.03))
    tell(space, (space.body_change, Leave(2)))
    assert hearers(field) == hearers(field, reach=float("inf")) == ()
