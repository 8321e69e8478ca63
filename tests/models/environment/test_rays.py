"""What a ray meets first: against shapely, and against looking at everything."""

from __future__ import annotations

import random
from math import cos, hypot, inf, pi, sin, sqrt

import pytest
import shapely

from devs_robotics.core.robots.outside import BOTH, Reality
from devs_robotics.models.environment import Circle, Field, Segment, Traits, box
from devs_robotics.models.environment.rays import (
    FEW,
    NOTHING,
    STRETCH,
    Hit,
    first_hit,
    ray_to_circle,
    ray_to_polygon,
    ray_to_shape,
)
from tests.approximately import near
from tests.models.environment.questions.test_looking import random_field

FAR = 50.0


def test_circles_are_as_far_as_the_quadratic_formula_says() -> None:
    chance, met = random.Random(1), 0
    for _ in range(2000):
        dx, dy, radius, way = (
            *(chance.uniform(-2.0, 2.0) for _ in range(2)),
            chance.uniform(0.01, 1.0),
            chance.uniform(-pi, pi),
        )
        half = dx * cos(way) + dy * sin(way)
        under = half * half - (dx * dx + dy * dy - radius * radius)
        expected = 0.0 if hypot(dx, dy) <= radius else half - sqrt(under) if under >= 0.0 and half > 0.0 else inf
        if abs(under) > 1e-6:
            assert ray_to_circle(dx, dy, cos(way), sin(way), radius) == near(expected)
            met += expected < inf
    assert met > 300


@pytest.mark.parametrize(
    ("dx", "dy", "distance"),
    [
        (0.0, 0.0, 0.0),
        (0.5, 0.0, 0.0),
        (-0.5, 0.0, 0.0),
        (-0.6, 0.0, inf),
        (0.0, 0.6, inf),
        (2.0, 0.5, 2.0),
        (2.0, -0.5, 2.0),
        (2.0, 0.51, inf),
        (2.0, 0.0, 1.5),
    ],
)
def test_a_circle_that_is_just_met_counts_and_one_behind_does_not(dx: float, dy: float, distance: float) -> None:
    assert ray_to_circle(dx, dy, 1.0, 0.0, 0.5) == distance


def test_polygons_are_as_far_as_shapely_says() -> None:
    chance, met, inside = random.Random(2), 0, 0
    for _ in range(2000):
        size = chance.uniform(0.1, 1.5), chance.uniform(0.1, 0.8)
        solid = box(
            chance.uniform(0.0, 4.0), chance.uniform(0.0, 4.0), *size, chance.choice((0.0, chance.uniform(-pi, pi)))
        )
        way = chance.choice((0.0, pi / 2, chance.uniform(-pi, pi)))
        start, body = shapely.Point(2.0, 2.0), shapely.Polygon(solid.corners)
        ray = shapely.LineString([(2.0, 2.0), (2.0 + FAR * cos(way), 2.0 + FAR * sin(way))])
        if min(ray.distance(shapely.Point(corner)) for corner in solid.corners) < 1e-6:
            continue  # it only just meets or misses it
        common = ray.intersection(body)
        expected = inf if common.is_empty else start.distance(common)
        assert ray_to_polygon(solid.corners, 2.0, 2.0, cos(way), sin(way)) == near(expected)
        assert ray_to_shape(solid, 2.0, 2.0, cos(way), sin(way)) == near(expected)
        met += 0.0 < expected < inf
        inside += expected == 0.0
    assert met > 100
    assert inside > 30


def test_other_shapes_are_met_where_they_are_hit_and_at_once_from_inside() -> None:
    assert ray_to_shape(Circle(2.0, 1.0, 0.5), 0.0, 1.0, 1.0, 0.0) == 1.5
    assert ray_to_shape(Circle(2.0, 1.0, 0.5), 1.8, 1.0, 1.0, 0.0) == 0.0
    wall = Segment(1.0, 0.0, 1.0, 2.0)
    assert ray_to_shape(wall, 0.0, 1.0, 1.0, 0.0) == 1.0
    assert ray_to_shape(wall, 1.0, 1.0, 1.0, 0.0) == 0.0
    assert ray_to_shape(wall, 0.0, 1.0, -1.0, 0.0) == inf


def one_by_one(
    field: Field, x: float, y: float, ux: float, uy: float, reach: float, sees: tuple[Reality, ...], but: int
) -> Hit:
    """What is met first, where everything is looked at."""
    found = [(field.free_of_walls(x, y, ux, uy, 0.0), -1, Hit(field.free_of_walls(x, y, ux, uy, 0.0)))]
    for number, (shape, traits) in enumerate(zip(field.obstacles, field.obstacle_traits, strict=True)):
        distance = ray_to_shape(shape, x, y, ux, uy)
        found += [(distance, number, Hit(distance, traits))] if traits.reality in sees else []
    for body, traits in enumerate(field.bodies.traits):
        if body != but and body not in field.bodies.gone and traits.reality in sees:
            other_x, other_y, _ = field.pose(body)
            distance = ray_to_circle(other_x - x, other_y - y, ux, uy, field.radius[body])
            found.append((distance, len(field.obstacles) + body, Hit(distance, traits, body)))
    distance, _, hit = min(found, key=lambda each: each[:2])
    return hit if distance <= reach else NOTHING


@pytest.mark.parametrize("few", [FEW, 0])
def test_the_first_of_all_things_is_met_however_they_are_looked_up(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.models.environment.rays.FEW", few)
    chance = random.Random(3)
    met: set[str] = set()
    for number in range(12):
        field = random_field(chance)
        if number % 2:
            walled = Field(4.0, 4.0, field.obstacles, obstacle_traits=field.obstacle_traits)
            for body in range(8):
                walled.add_body(*field.pose(body), field.radius[body], field.bodies.traits[body])
            field = walled
        for body in range(0, 8, 2):
            field.go(body, 0.3, 0.5)
        field.leave(7)
        field.now = 0.5
        for _ in range(60):
            x, y, way = chance.uniform(0.0, 4.0), chance.uniform(0.0, 4.0), chance.uniform(-pi, pi)
            reach, but = chance.choice((0.3, 2.5 * STRETCH, inf)), chance.choice((-1, 0, 1))
            sees: tuple[Reality, ...] = chance.choice((("real",), ("virtual",), BOTH))
            reach = min(reach, 10.0) if few == 0 else reach
            expected = one_by_one(field, x, y, cos(way), sin(way), reach, sees, but)
            assert first_hit(field, x, y, cos(way), sin(way), reach, sees, but) == expected
            met.add("body" if expected.body >= 0 else "wall" if expected.distance < inf and not expected.traits else "")
    assert met == {"body", "wall", ""}


def test_of_two_bodies_at_one_distance_the_smaller_number_is_met() -> None:
    field = Field(4.0, 4.0, walled=False)
    for _ in range(3):
        field.add_body(2.0, 1.0, 0.0, 0.1)
    assert first_hit(field, 1.0, 1.0, 1.0, 0.0, 5.0).body == 0
    assert first_hit(field, 1.0, 1.0, 1.0, 0.0, 5.0, but=0).body == 1


def test_an_obstacle_at_the_distance_of_a_body_comes_first() -> None:
    field = Field(4.0, 4.0, [Circle(2.0, 1.0, 0.1)], walled=False)
    field.add_body(2.0, 1.0, 0.0, 0.1, Traits("robot", "red"))
    assert first_hit(field, 1.0, 1.0, 1.0, 0.0, 5.0) == Hit(0.9, field.obstacle_traits[0])


@pytest.mark.parametrize(("reach", "seen"), [(0.9, 0.9), (0.89, inf)])
def test_what_is_just_in_reach_is_seen(reach: float, seen: float) -> None:
    field = Field(4.0, 4.0)
    field.add_body(2.0, 1.0, 0.0, 0.1)
    assert first_hit(field, 1.0, 1.0, 1.0, 0.0, reach).distance == seen
