"""The field: what its index finds is what looking at everything finds."""

from __future__ import annotations

from math import cos, inf, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment import Circle, Field, Polygon, Shape, box
from devs_robotics.models.environment.shapes import hit_circle
from tests.approximately import near

WIDTH, HEIGHT, RADIUS = 6.0, 4.0, 0.1
places = st.tuples(st.floats(0.2, WIDTH - 0.2), st.floats(0.2, HEIGHT - 0.2), st.floats(-pi, pi))
OBSTACLES = (Circle(3.0, 2.0, 0.4), box(1.0, 3.0, 0.5, 0.8, 0.3), Polygon(((4.5, 0.5), (5.5, 0.7), (5.0, 1.6))))


def field_with(poses: list[tuple[float, float, float]], obstacles: tuple[Shape, ...] = OBSTACLES) -> Field:
    field = Field(WIDTH, HEIGHT, obstacles, cell=0.35)
    for x, y, heading in poses:
        field.add_body(x, y, heading, RADIUS)
    return field


def looked_at_everything(
    field: Field, body: int, direction: float, reach: float, radius: float, sign: float = 1.0
) -> float:
    """The answer without an index: walls, obstacles and bodies one by one."""
    x, y, ux, uy = field.x[body], field.y[body], sign * cos(direction), sign * sin(direction)
    hits = [obstacle.hit(x, y, ux, uy, radius) for obstacle in field.obstacles]
    hits += [
        hit_circle(field.x[other] - x, field.y[other] - y, ux, uy, field.radius[other] + radius)
        for other in range(len(field.x))
        if other != body
    ]
    corners = ((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT))
    walls = [_wall(x, y, ux, uy, radius, corners[k], corners[(k + 1) % 4]) for k in range(4)]
    nearest = min(*hits, *walls)
    return nearest if nearest <= reach else inf


def _wall(
    x: float, y: float, ux: float, uy: float, radius: float, start: tuple[float, float], end: tuple[float, float]
) -> float:
    """Until a disc meets an endless wall with the field to its left."""
    length = abs(end[0] - start[0]) + abs(end[1] - start[1])
    nx, ny = -(end[1] - start[1]) / length, (end[0] - start[0]) / length
    closing = -(ux * nx + uy * ny)
    height = (x - start[0]) * nx + (y - start[1]) * ny
    return max(0.0, (height - radius) / closing) if closing > 1e-15 else inf


@given(st.lists(places, min_size=2, max_size=25), st.floats(-pi, pi), st.floats(0.05, 7.0))
def test_the_index_changes_no_answer(poses: list[tuple[float, float, float]], bearing: float, reach: float) -> None:
    field = field_with(poses)
    for body in range(3 if len(poses) > 3 else len(poses)):
        expected = looked_at_everything(field, body, field.heading[body] + bearing, reach + RADIUS, 0.0) - RADIUS
        assert field.cast(body, bearing, reach) == pytest.approx(max(0.0, expected), abs=1e-9)
        room = looked_at_everything(field, body, field.heading[body], reach, RADIUS)
        assert field.free_distance(body, 1.0, reach) == pytest.approx(room, abs=1e-9)
        room = looked_at_everything(field, body, field.heading[body], reach, RADIUS, -1.0)
        assert field.free_distance(body, -1.0, reach) == pytest.approx(room, abs=1e-9)


@given(
    st.lists(places, min_size=2, max_size=25),
    st.lists(st.floats(-pi, pi), min_size=1, max_size=6),
    st.floats(0.05, 7.0),
    st.sampled_from([0.0, 0.2]),
    st.lists(st.sampled_from([0.0, 0.3, -0.3]), min_size=6, max_size=6) | st.just([]),
)
def test_ways_that_are_looked_at_together_are_as_free_as_one_by_one(
    poses: list[tuple[float, float, float]], bearings: list[float], reach: float, beside: float, asides: list[float]
) -> None:
    field = field_with(poses)
    own = asides[: len(bearings)] if asides else [0.0] * len(bearings)
    found = field.free_ways(0, bearings, reach, beside, own if asides else ())
    assert found == [
        field.free_ways(0, [bearing], reach, beside, [aside])[0] for bearing, aside in zip(bearings, own, strict=True)
    ]
    if not any(own):
        for bearing, way in zip(bearings, found, strict=True):
            expected = looked_at_everything(field, 0, field.heading[0] + bearing, reach, RADIUS + beside)
            assert way == pytest.approx(expected, abs=1e-9)


@given(
    st.lists(places, min_size=2, max_size=8), st.lists(st.tuples(st.integers(0, 7), st.floats(-1.0, 1.0)), max_size=20)
)
def test_bodies_are_found_where_they_have_moved(
    poses: list[tuple[float, float, float]], moves: list[tuple[int, float]]
) -> None:
    field = field_with(poses, ())
    for body, distance in moves:
        field.advance(body % len(poses), distance)
    fresh = field_with(list(zip(field.x, field.y, field.heading, strict=True)), ())
    for body in range(len(poses)):
        assert field.cast(body, 0.0, 2.0) == fresh.cast(body, 0.0, 2.0)


def test_an_obstacle_of_any_size_is_entered_in_no_time() -> None:
    field = field_with([(1.0, 1.0, 0.0)], (box(2e6 + 2.0, 0.0, 4e6, 4e6), Circle(1.0, 3.0, 0.5)))
    assert field.cast(0, 0.0, 2.0) == pytest.approx(0.9)
    assert field.cast(0, pi / 2, 2.0) == pytest.approx(1.4)


def test_a_beam_reads_from_the_edge_of_the_body() -> None:
    field = field_with([(1.0, 1.0, 0.0), (1.5, 1.0, 0.0)], ())
    assert field.cast(0, 0.0, 0.6) == pytest.approx(0.3, abs=1e-12)
    assert field.cast(1, pi, 0.6) == pytest.approx(0.3, abs=1e-12)
    assert field.cast(0, 0.0, 0.29) == inf
    assert field.cast(0, pi, 0.9) == pytest.approx(0.9, abs=1e-12)


def test_headings_stay_within_half_a_turn() -> None:
    field = field_with([(1.0, 1.0, 3.0)], ())
    field.turn(0, 1.0)
    assert field.heading[0] == pytest.approx(4.0 - 2 * pi)


def test_clearance_is_the_distance_to_the_nearest_thing() -> None:
    field = field_with([(3.0, 3.0, 0.0), (1.0, 1.0, 0.0)])
    assert field.clearance(0) == pytest.approx(1.0 - 0.4 - RADIUS)
    assert field_with([(1.0, 1.0, 0.0), (1.15, 1.0, 0.0)]).clearance(0) == pytest.approx(-0.05)


def test_what_a_look_costs_does_not_grow_with_the_robots() -> None:
    """Counted in bodies that are looked at, in a line of robots half a metre apart."""
    assert bodies_looked_at(1000) == bodies_looked_at(10)


def bodies_looked_at(robots: int) -> int:
    field = Field(robots / 2 + 2, 4.0, (), cell=0.4)
    for robot in range(robots):
        field.add_body(1.0 + robot / 2, 2.0, 0.0, RADIUS)
    looked_at = 0
    grid_bodies = field._grid.bodies

    def counting(bounds: tuple[float, float, float, float]) -> list[list[int]]:
        nonlocal looked_at
        found = list(grid_bodies(bounds))
        looked_at += sum(map(len, found))
        return found

    field._grid.bodies = counting  # type: ignore[method-assign]
    field.cast(4, 0.0, 0.6)
    return looked_at


def test_a_body_that_is_turned_or_moved_by_hand_stands_still_then() -> None:
    field = Field(WIDTH, HEIGHT)
    body = field.add_body(1.0, 1.0, 0.0, RADIUS)
    field.go(body, 0.1, 0.0)
    field.now = 2.0
    field.turn(body, pi / 2.0)
    for field.now in (2.0, 7.0):
        assert field.pose(body) == (near(1.2), near(1.0), near(pi / 2.0))
    field.go(body, 0.1, 0.0)
    field.now = 9.0
    field.advance(body, -0.5)
    for field.now in (9.0, 14.0):
        assert field.pose(body) == (near(1.2), near(0.7), near(pi / 2.0))
    assert (field.bodies.speed[body], field.bodies.turn_rate[body]) == (0.0, 0.0)
    assert field.bodies.travel(body, field.now) == (near(0.2 + 0.2 - 0.5), near(pi / 2.0))


def test_a_body_that_rotates_stands_still_when_it_is_turned_by_hand() -> None:
    field = Field(WIDTH, HEIGHT)
    body = field.add_body(1.0, 1.0, 0.0, RADIUS)
    field.go(body, 0.0, 1.0)
    field.now = 0.5
    field.turn(body, 0.0)
    field.now = 9.0
    assert field.pose(body) == (1.0, 1.0, near(0.5))


def test_a_body_passes_what_is_carried_and_a_ray_does_not() -> None:
    field = Field(WIDTH, HEIGHT, walled=False)
    for x in (1.0, 2.0, 3.0):
        field.add_body(x, 1.0, 0.0, RADIUS)
    assert field.free_distance(0, 1.0, 5.0) == near(0.8)
    assert field.cast(0, 0.0, 5.0) == near(0.8)
    field.carry(1, 2, -1.0, 0.0, 0.0)
    assert field.free_distance(0, 1.0, 5.0) == near(1.8)
    assert field.cast(0, 0.0, 5.0) == near(0.8)
    assert field.clearance(0) == near(1.8)


def test_ways_are_as_broad_as_the_body_unless_more_is_wanted() -> None:
    field = Field(WIDTH, HEIGHT, [Circle(2.0, 1.0 + 0.2 + RADIUS + 0.01, 0.2)], walled=False)
    field.add_body(1.0, 1.0, 0.0, RADIUS)
    assert field.free_ways(0, [0.0], 5.0) == field.free_ways(0, [0.0], 5.0, beside=0.0) == [inf]
    (free,) = field.free_ways(0, [0.0], 5.0, beside=0.02)
    assert 0.5 < free < 1.0
    assert field.free_ways(0, [0.0], 5.0, beside=0.0, asides=[0.02])[0] < 1.0
    assert field.free_ways(0, [0.0], 5.0, beside=0.0, asides=[-0.02]) == [inf]
