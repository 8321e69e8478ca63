"""Sensors with cones: the nearest point in a sector, against shapely and against many rays."""

from __future__ import annotations

import random
from math import cos, hypot, inf, pi, radians, sin, tan

import pytest
import shapely

from devs_robotics.core.robots.outside import BOTH
from devs_robotics.models.environment import Circle, Field, Look, Polygon, Segment, World, box
from devs_robotics.models.environment.cones import Cone
from devs_robotics.models.environment.rays import FEW, ray_to_circle
from tests.approximately import near
from tests.models.environment.questions.test_looking import RADIUS, look, random_field

FAR = 20.0


def sector(cone: Cone) -> shapely.Polygon:
    """All of a cone that is not farther than anything here."""
    ends = [
        (cone.x + FAR * cos(cone.direction + off), cone.y + FAR * sin(cone.direction + off))
        for off in (-cone.half_angle, cone.half_angle)
    ]
    return shapely.Polygon([(cone.x, cone.y), *ends])


def random_cone(chance: random.Random, x: float, y: float) -> Cone:
    return Cone(x, y, chance.choice((pi, -pi, chance.uniform(-9.0, 9.0))), radians(chance.uniform(0.5, 80.0)))


def test_polygons_are_as_far_in_a_cone_as_shapely_says() -> None:
    chance, met = random.Random(25), 0
    for _ in range(2000):
        size = chance.uniform(0.02, 1.5), chance.uniform(0.02, 0.5)
        solid = box(chance.uniform(0.0, 4.0), chance.uniform(0.0, 4.0), *size, chance.uniform(-pi, pi))
        cone = random_cone(chance, 2.0, 2.0)
        common = shapely.Polygon(solid.corners).intersection(sector(cone))
        expected = inf if common.is_empty else shapely.Point(2.0, 2.0).distance(common)
        if expected < inf and common.area < 1e-9:
            continue  # it is only just met
        assert cone.to_polygon(solid.corners) == near(expected)
        met += expected < inf
    assert met > 500


def test_circles_are_as_far_in_a_cone_as_the_nearest_of_many_rays() -> None:
    chance, met = random.Random(26), 0
    for _ in range(400):
        x, y, radius = chance.uniform(-2.0, 2.0), chance.uniform(-2.0, 2.0), chance.uniform(0.02, 0.5)
        cone = random_cone(chance, 0.0, 0.0)
        bearings = [cone.direction + cone.half_angle * (step / 200.0) for step in range(-200, 201)]
        rays = min(ray_to_circle(x, y, cos(each), sin(each), radius) for each in bearings)
        exact = cone.to_circle(x, y, radius)
        assert exact <= rays + 1e-12
        if rays < inf:
            assert rays - exact < 0.02 + radius * 0.1
            met += 1
    assert met > 100


def test_the_nearest_of_all_things_counts_as_for_rays() -> None:
    """A cone sees nothing farther than any ray in it, and what it sees is in it."""
    chance = random.Random(27)
    for _ in range(20):
        field = random_field(chance)
        world = World(field, 0.03)
        for robot in range(1, 9):
            half_angle = radians(chance.uniform(1.0, 30.0))
            sees = chance.choice((("real",), ("virtual",), BOTH))
            cone = Look(robot, (0.7,), sees, half_angle=half_angle).answer(world).sightings[0]
            rays = look(field, *(0.7 + half_angle * step / 40 for step in range(-40, 41)), sees=sees, robot=robot)
            nearest = min(ray.distance for ray in rays)
            assert cone.distance <= nearest + 1e-12
            if nearest - cone.distance < 1e-6 and nearest > 0.0:
                assert cone.colour in [ray.colour for ray in rays if ray.distance == nearest]


def test_the_same_is_seen_however_things_are_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    field = random_field(random.Random(28))
    seen = []
    for few in (FEW, 0):
        monkeypatch.setattr("devs_robotics.models.environment.cones.FEW", few)
        world = World(field, 0.03)
        seen.append([Look(robot, (0.0, 2.0, 4.0), half_angle=0.2).answer(world) for robot in range(1, 9)])
    assert seen[0] == seen[1]


def test_the_walls_round_a_field() -> None:
    for direction, distance in ((pi, 1.0), (0.0, 3.0), (-pi / 2.0, 2.0), (pi / 2.0, 2.5)):
        assert Cone(1.0, 2.0, direction + 0.1, radians(10.0)).to_walls(Field(4.0, 4.5)) == distance
    field = Field(4.0, 4.0)
    assert Cone(1.0, 2.0, pi + radians(20.0), radians(10.0)).to_walls(field) == near(1.0 / cos(radians(10.0)))
    assert Cone(1.0, 2.0, 0.0, radians(10.0)).to_walls(Field(4.0, 4.0, walled=False)) == inf


def test_a_wall_of_no_thickness() -> None:
    wall = Segment(1.0, 0.5, 1.0, 2.0)
    assert Cone(0.0, 0.0, 0.0, radians(45.0)).to_shape(wall) == near(hypot(1.0, 0.5))
    assert Cone(0.0, 0.0, radians(45.0), radians(10.0)).to_shape(wall) == near(hypot(1.0, tan(radians(35.0))))
    assert Cone(0.0, 0.0, 0.0, radians(20.0)).to_shape(wall) == inf


@pytest.mark.parametrize(("aside", "seen"), [(0.0, 0.5), (12.0, 0.5), (25.0, inf)])
def test_a_cone_sees_what_is_beside_the_ray(aside: float, seen: float) -> None:
    field = Field(4.0, 4.0, walled=False)
    field.add_body(1.0, 1.0, radians(aside), RADIUS)
    field.add_body(1.56, 1.0, 0.0, RADIUS)
    answer = Look(1, half_angle=radians(12.5)).answer(World(field, 0.03))
    assert answer.sightings[0].distance == near(seen)


def test_what_is_no_shape_is_told() -> None:
    with pytest.raises(TypeError, match="a cone can meet circles, polygons and segments"):
        Cone(0.0, 0.0, 0.0, 0.1).to_shape("circle")  # type: ignore[arg-type]
    assert isinstance(box(0.0, 0.0, 1.0, 1.0), Polygon)
    assert Cone(0.0, 0.0, 0.0, 0.1).to_shape(Circle(0.05, 0.0, 0.1)) == 0.0
