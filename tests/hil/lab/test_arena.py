"""The arena: distances, against an independent computation."""

from __future__ import annotations

from math import cos, inf, pi, sin

from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.hil.lab.arena import Arena
from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.physics import Body
from devs_robotics.hil.lab.plan import LabDisc
from tests.approximately import near
from tests.hil.lab.scenes import angles, arenas, gap, inside_x, inside_y

SQUARE = ((2.0, 0.5), (3.0, 0.5), (3.0, 1.5), (2.0, 1.5))
SAMPLES = 300


@given(arenas(), inside_x, inside_y)
def test_clearance_is_the_distance_to_the_nearest_thing(scene: tuple[Arena, list[Body]], x: float, y: float) -> None:
    arena, bodies = scene
    assert arena.clearance(Body(Pose(x, y, 0.0), 0.1)) == near(gap(arena, x, y, bodies) - 0.1)


@given(arenas(), angles, st.floats(0.05, 2.0))
def test_a_free_way_is_free_up_to_its_end_and_ends_at_a_contact(
    scene: tuple[Arena, list[Body]], direction: float, reach: float
) -> None:
    arena, bodies = scene
    assume(bodies)
    body, others = bodies[0], bodies[1:]
    way = arena.free_way(body, direction, reach)
    assert way == inf or 0.0 <= way <= reach

    def room(distance: float) -> float:
        x, y = body.x + distance * cos(direction), body.y + distance * sin(direction)
        return gap(arena, x, y, others) - body.radius

    free = min(way, reach)
    assert min(room(free * k / SAMPLES) for k in range(SAMPLES + 1)) > -1e-7
    assert way == inf or abs(room(way)) < 1e-7


@given(arenas(), angles, st.floats(0.05, 2.0))
def test_a_ray_is_free_up_to_its_end_and_ends_at_a_thing(
    scene: tuple[Arena, list[Body]], bearing: float, reach: float
) -> None:
    arena, bodies = scene
    assume(bodies)
    body, others = bodies[0], bodies[1:]
    distance = arena.cast(body, bearing, reach)
    direction = body.heading + bearing

    def room(way: float) -> float:
        x, y = body.x + (body.radius + way) * cos(direction), body.y + (body.radius + way) * sin(direction)
        return gap(arena, x, y, others)

    free = min(distance, reach)
    assert min(room(free * k / SAMPLES) for k in range(SAMPLES + 1)) > -1e-7
    assert distance == inf or abs(room(distance)) < 1e-7


def test_distances_to_each_kind_of_thing() -> None:
    body = Body(Pose(1.0, 1.0, 0.0), 0.1)
    arena = Arena(5.0, 4.0, [LabDisc(1.0, 2.5, 0.5)], [SQUARE], [body, Body(Pose(0.5, 1.0, 0.0), 0.1)])
    assert arena.cast(body, 0.0, 10.0) == near(0.9)  # the square's side
    assert arena.cast(body, pi / 2, 10.0) == near(0.9)  # the disc
    assert arena.cast(body, pi, 10.0) == near(0.3)  # the other body
    assert arena.cast(body, -pi / 2, 10.0) == near(0.9)  # the wall
    assert arena.cast(body, 0.0, 0.89) == inf
    assert arena.free_way(body, 0.0, 10.0) == near(0.9)
    assert arena.free_way(body, pi, 10.0) == near(0.3)


def test_what_touches_stops_what_comes_nearer_and_not_what_leaves() -> None:
    body = Body(Pose(1.9, 1.0, 0.0), 0.1)
    arena = Arena(5.0, 4.0, [], [SQUARE], [body])
    assert arena.free_way(body, 0.0, 0.2) == near(0.0)
    assert arena.free_way(body, pi, 0.2) == inf
    assert arena.free_way(body, pi / 2, 0.2) == inf  # along its side


def test_without_walls_nothing_is_met_but_what_stands_there() -> None:
    body = Body(Pose(1.0, 1.0, 0.0), 0.1)
    arena = Arena(5.0, 4.0, [LabDisc(1.0, 2.5, 0.5)], [], [body], walled=False)
    assert arena.cast(body, pi / 2, 10.0) == near(0.9)  # the disc
    assert [arena.cast(body, bearing, 10.0) for bearing in (0.0, pi, -pi / 2)] == [inf] * 3
    assert arena.clearance(body) == near(0.9)
