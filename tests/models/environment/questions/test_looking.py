"""Distance and colour from one exact ray: against shapely, by reality, in all directions."""

from __future__ import annotations

import random
from math import cos, inf, pi, radians, sin, sqrt

import pytest
import shapely

from devs_robotics.core.robots.outside import BOTH, Realities, Reality, Sighting
from devs_robotics.models.environment import (
    Circle,
    Field,
    Leave,
    Look,
    Polygon,
    Seen,
    Shape,
    SpaceManager,
    Traits,
    box,
    rays,
)
from devs_robotics.models.environment import World as TheWorld
from tests.approximately import near
from tests.conftest import at_length
from tests.models.play import tell

R, V = Traits("obstacle", "red", "real"), Traits("obstacle", "blue", "virtual")
RED, BLUE = (255, 0, 0), (0, 0, 255)
RADIUS = 0.06
WALL = 0.02


def look(field: Field, *bearings: float, sees: Realities | None = BOTH, robot: int = 1) -> tuple[Sighting, ...]:
    answer = Look(robot, bearings or (0.0,), sees).answer(TheWorld(field, 0.03))
    assert isinstance(answer, Seen)
    return answer.sightings


def open_field(*obstacles: tuple[Shape, Traits]) -> Field:
    shapes, traits = [shape for shape, _ in obstacles], [each for _, each in obstacles]
    return Field(4.0, 4.0, shapes, walled=False, obstacle_traits=traits)


def random_field(chance: random.Random) -> Field:
    obstacles: list[tuple[Shape, Traits]] = []
    for _ in range(6):
        x, y, traits = chance.uniform(0.0, 4.0), chance.uniform(0.0, 4.0), chance.choice((R, V))
        turned = chance.choice((0.0, pi / 2, -pi, chance.uniform(-pi, pi)))
        obstacles += [
            (box(x, y, chance.uniform(0.1, 1.5), WALL, turned), traits),
            (box(y, x, chance.uniform(0.05, 0.4), chance.uniform(0.05, 0.4), turned), traits),
            (Circle(4.0 - x, y, chance.uniform(0.02, 0.3)), traits),
        ]
    field = open_field(*obstacles)
    for _ in range(8):
        heading = chance.choice((pi, -pi, radians(179.999), radians(-179.999), chance.uniform(-pi, pi)))
        reality: Reality = chance.choice(("real", "virtual"))
        traits = Traits(reality=reality)
        field.add_body(chance.uniform(0.0, 4.0), chance.uniform(0.0, 4.0), heading, RADIUS, traits)
    return field


def independently(field: Field, robot: int, bearing: float, sees: Realities) -> float | None:
    """The same by shapely; None where the ray only just meets or misses something, and rounding decides."""
    x, y, heading = field.pose(robot - 1)
    direction = heading + bearing
    start, far = shapely.Point(x, y), (x + 12.0 * cos(direction), y + 12.0 * sin(direction))
    ray = shapely.LineString([(x, y), far])
    nearest = inf
    circles = [(each.x, each.y, each.radius, traits) for each, traits in _shapes(field) if isinstance(each, Circle)]
    for body in range(len(field.x)):
        if body != robot - 1:
            circles.append((*field.pose(body)[:2], field.radius[body], field.bodies.traits[body]))
    for circle_x, circle_y, radius, traits in circles:
        if traits.reality in sees:
            middle = shapely.Point(circle_x, circle_y)
            aside = ray.distance(middle)
            if abs(aside - radius) < 1e-6 or abs(start.distance(middle) - radius) < 1e-6:
                return None
            if start.distance(middle) < radius:
                nearest = 0.0
            elif aside < radius:
                nearest = min(nearest, ray.project(middle) - sqrt(radius**2 - aside**2))
    for shape, traits in _shapes(field):
        if isinstance(shape, Polygon) and traits.reality in sees:
            solid = shapely.Polygon(shape.corners)
            if min(ray.distance(shapely.Point(corner)) for corner in shape.corners) < 1e-6:
                return None
            if ray.intersects(solid):
                nearest = min(nearest, start.distance(ray.intersection(solid)))
    return nearest


def _shapes(field: Field) -> list[tuple[Shape, Traits]]:
    return list(zip(field.obstacles, field.obstacle_traits, strict=True))


def test_thousands_of_rays_are_as_long_as_shapely_says() -> None:
    wanted = 10_000 if at_length() else 3000
    chance = random.Random(16)
    compared = met = inside = 0
    while compared < wanted:
        field = random_field(chance)
        for robot in range(1, 9):
            for _ in range(16):
                bearing = chance.choice((0.0, pi, -pi / 2, chance.uniform(-pi, pi)))
                sees: Realities = chance.choice((("real",), ("virtual",), BOTH))
                expected = independently(field, robot, bearing, sees)
                if expected is None:
                    continue
                (seen,) = look(field, bearing, sees=sees, robot=robot)
                assert seen.distance == expected or abs(seen.distance - expected) <= 1e-9
                compared += 1
                met += expected < inf
                inside += expected == 0.0
    assert met > 0.3 * wanted, "the others meet nothing"
    assert inside > 0.01 * wanted


@pytest.mark.parametrize(("first", "second"), [(R, V), (V, R)])
def test_a_wall_of_the_wrong_reality_is_looked_through(first: Traits, second: Traits) -> None:
    """Their surfaces are 30 and 60 cm from the middle of the robot."""
    walls = [(box(1.31, 1.0, WALL, 1.0), first), (box(1.61, 1.0, WALL, 1.0), second)]
    field = open_field(*walls)
    field.add_body(1.0, 1.0, 0.0, RADIUS)
    colour = {"real": RED, "virtual": BLUE}
    assert look(field, sees=(first.reality,)) == (Sighting(near(0.3), colour[first.reality]),)
    assert look(field, sees=(second.reality,)) == (Sighting(near(0.6), colour[second.reality]),)
    assert look(field, sees=BOTH) == (Sighting(near(0.3), colour[first.reality]),)


def test_by_default_a_real_robot_is_shown_what_is_virtual_and_a_virtual_one_everything() -> None:
    field = open_field((box(1.31, 1.0, WALL, 1.0), R), (box(1.61, 1.0, WALL, 1.0), V))
    field.add_body(1.0, 1.0, 0.0, RADIUS, Traits(reality="real"))
    field.add_body(1.0, 1.3, 0.0, RADIUS, Traits(reality="virtual"))
    assert look(field, sees=None, robot=1)[0].distance == near(0.6)
    assert look(field, sees=None, robot=2)[0].distance == near(0.3)


def test_robots_are_seen_by_their_reality_and_nobody_sees_itself() -> None:
    field = open_field()
    field.add_body(1.0, 1.0, 0.0, RADIUS, Traits(reality="virtual"))
    field.add_body(1.5, 1.0, 0.0, RADIUS, Traits(reality="real", colour="#00FF00"))
    field.add_body(1.0, 1.0, 0.0, RADIUS, Traits(reality="virtual"))
    assert look(field, sees=("real",)) == (Sighting(near(0.44), (0, 255, 0)),)
    assert look(field, sees=("virtual",)) == (Sighting(0.0),), "another one in the same place is another one"
    assert look(field, pi, sees=("real",)) == (Sighting(inf),)


def test_nothing_ahead_is_no_distance_and_no_colour() -> None:
    field = open_field()
    field.add_body(1.0, 1.0, 0.0, RADIUS)
    assert look(field, 0.0, 1.0) == (Sighting(inf), Sighting(inf))


def test_the_walls_round_a_field_are_seen_whatever_is_asked_for() -> None:
    field = Field(4.0, 4.0)
    field.add_body(1.0, 1.0, 0.0, RADIUS)
    assert look(field, 0.0, sees=("real",)) == look(field, 0.0, sees=("virtual",)) == (Sighting(3.0),)


def test_a_robot_that_has_left_is_not_seen() -> None:
    field = open_field()
    field.add_body(1.0, 1.0, 0.0, RADIUS)
    field.add_body(1.5, 1.0, 0.0, RADIUS)
    space = SpaceManager("space", TheWorld(field, 0.03))
    assert look(field)[0].distance == near(0.44)
    tell(space, (space.body_change, Leave(2)))
    assert look(field) == (Sighting(inf),)


def test_an_obstacle_without_traits_is_virtual_and_has_no_colour() -> None:
    field = Field(4.0, 4.0, [Circle(2.0, 1.0, 0.5)], walled=False)
    field.add_body(1.0, 1.0, 0.0, RADIUS)
    assert look(field, sees=("virtual",)) == (Sighting(0.5),)
    assert look(field, sees=("real",)) == (Sighting(inf),)


@pytest.mark.parametrize("degree", [-180.0, -179.9, 179.9, 180.0, 540.0])
def test_a_ray_near_half_a_turn_sees_as_any_other(degree: float) -> None:
    field = open_field((Circle(1.0, 1.0, 0.15), R))
    field.add_body(1.58, 1.0, radians(degree), RADIUS)
    aside = radians(180.0 - degree)
    assert look(field, aside) == (Sighting(near(0.43), RED),)
    for half_angle, seen in ((14.98, True), (15.0, False)):  # asin(15 / 58) is 14.99 degrees
        left, right = look(field, aside + radians(half_angle), aside - radians(half_angle))
        assert (left.distance < inf) == (right.distance < inf) == seen


@pytest.mark.parametrize("speed", [0.0, 0.3])
def test_the_same_is_seen_however_things_are_looked_up(speed: float, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(4)
    for _ in range(5):
        field = random_field(chance)
        for body in range(0, 8, 2):
            field.go(body, speed, 0.5)
        field.now = 0.4
        bearings = [chance.uniform(-pi, pi) for _ in range(50)]
        seen: list[list[tuple[Sighting, ...]]] = []
        for few in (rays.FEW, 0):
            monkeypatch.setattr(rays, "FEW", few)
            seen.append([look(field, *bearings, robot=robot) for robot in range(1, 9)])
        monkeypatch.undo()
        assert seen[0] == seen[1]
