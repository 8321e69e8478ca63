"""The rules of the published server, which are kept for comparison: what was read of them, worked out by hand."""

from __future__ import annotations

from math import atan2, hypot, inf, pi, radians

import pytest

from devs_robotics.core.robots.outside import Sighting
from devs_robotics.models.environment import Circle, Field, Look, Shape, Traits, World, box
from devs_robotics.models.environment.questions.original import LookAsPublished, middle_line
from tests.approximately import near

RED = Traits("obstacle", "#FF0000")
RADIUS = 0.06


def wall(ax: float, ay: float, bx: float, by: float) -> Shape:
    """Between two points (cm)."""
    middle, length = (0.5 * (ax + bx), 0.5 * (ay + by)), hypot(bx - ax, by - ay)
    return box(middle[0] / 100, middle[1] / 100, length / 100, 0.02, atan2(by - ay, bx - ax))


def seen(*obstacles: Shape, heading: float = 0.0, bearing: float = 0.0, reach: float = 0.3) -> Sighting:
    field = Field(4.0, 4.0, obstacles, walled=False, obstacle_traits=[RED] * len(obstacles))
    field.add_body(0.0, 0.0, heading, RADIUS)
    (sighting,) = LookAsPublished(1, bearings=(bearing,), colour_reach=reach).answer(World(field, 0.03)).sightings
    return sighting


def test_a_wall_behind_counts() -> None:
    behind = wall(5, 40, -40, -30)
    assert seen(behind).distance == 0.2071
    field = Field(4.0, 4.0, [behind], walled=False)
    field.add_body(0.0, 0.0, 0.0, RADIUS)
    assert Look(1).answer(World(field, 0.03)).sightings[0].distance == inf, "which the exact ray does not meet"


@pytest.mark.parametrize(("end", "distance"), [(-5.9, 0.5), (-6.1, inf), (1.0, 0.5)])
def test_a_wall_is_six_centimetres_longer_at_either_end(end: float, distance: float) -> None:
    assert seen(wall(50, -60, 50, end)).distance == near(distance)
    assert seen(wall(50, -end, 50, 60)).distance == near(distance)


def test_along_a_wall_nothing_is_divided_by_zero() -> None:
    assert seen(wall(50, 0, 90, 0)).distance == inf


@pytest.mark.parametrize(("away", "half_angle"), [(0.58, 9.8), (0.20, 26.6)])
def test_a_cylinder_is_seen_in_a_cone_of_its_own(away: float, half_angle: float) -> None:
    pillar = Circle(away, 0.0, 0.15)
    assert seen(pillar, bearing=radians(half_angle - 0.1)).distance == near(away - 0.15)
    assert seen(pillar, bearing=radians(half_angle + 0.1)).distance == inf


def test_cones_break_off_at_half_a_turn() -> None:
    pillar = Circle(-0.58, -1e-6, 0.15)
    assert seen(pillar, heading=radians(-179.0)).distance == near(0.43)
    assert seen(pillar, heading=radians(179.0)).distance == inf


def test_boxes_are_never_seen() -> None:
    assert seen(box(0.3, 0.0, 0.1, 0.1)).distance == inf
    assert middle_line(box(0.3, 0.0, 0.1, 0.1)) is None


def test_robots_are_seen_in_a_cone_wider_than_they_are_and_3_cm_nearer() -> None:
    field = Field(4.0, 4.0, walled=False)
    field.add_body(0.0, 0.0, 0.0, RADIUS)
    field.add_body(0.4, 0.0, 0.0, RADIUS)
    world = World(field, 0.03)

    def at(degree: float) -> float:
        return LookAsPublished(1, bearings=(radians(degree),)).answer(world).sightings[0].distance

    assert at(16.2) == at(-16.2) == near(0.37)
    assert at(16.4) == at(-16.4) == inf


def test_a_colour_is_that_of_the_nearest_obstacle_whatever_stands_before_it() -> None:
    field = Field(4.0, 4.0, [wall(28, -20, 28, 20)], walled=False, obstacle_traits=[RED])
    field.add_body(0.0, 0.0, 0.0, RADIUS)
    field.add_body(0.15, 0.0, 0.0, RADIUS)
    answer = LookAsPublished(1).answer(World(field, 0.03))
    assert answer.sightings == (Sighting(near(0.12), (255, 0, 0)),)
    assert seen(wall(31, -20, 31, 20)).colour is None
    assert seen(wall(28, -20, 28, 20), reach=0.2).colour is None
    assert seen(wall(-20, 28, 20, 28), bearing=pi / 2).colour == (255, 0, 0)
