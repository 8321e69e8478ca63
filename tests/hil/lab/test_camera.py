"""What the camera shows: where things stand in a picture, and how far away they are."""

from __future__ import annotations

from math import atan, cos, hypot, pi, sin, tan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.camera import VIEWS, ViewName
from devs_robotics.core.robots.epuck2.sensing.camera import blob
from devs_robotics.hil.lab.arena import Arena
from devs_robotics.hil.lab.camera import (
    CEILING,
    FLOOR,
    OBSTACLE,
    ROBOT_COLOUR,
    WALL_COLOUR,
    Camera,
    Pixels,
    ReadoutWindow,
    grey,
    rgb565,
)
from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.physics import Body
from devs_robotics.hil.lab.plan import LabDisc
from tests.approximately import near
from tests.hil.lab.scenes import HEIGHT, WIDTH, arenas

WHOLE = ReadoutWindow(160, 120, 4)
FOCAL = 80.0 / tan(pi * 28.0 / 180.0)
"""Of a picture of 160 pixels that shows 56 degrees."""

COLOURS = {"wall": WALL_COLOUR, "obstacle": OBSTACLE, "robot": ROBOT_COLOUR}


def robot(x: float, y: float, heading: float = 0.0) -> Body:
    return Body(Pose(x, y, heading), 0.035)


def seen_in(pixel: Pixels) -> tuple[str, float]:
    """What kind of thing a pixel shows, and how deep it is."""
    for kind, colour in COLOURS.items():
        ratios = np.divide(colour, pixel)
        if ratios.min() == near(float(ratios.max()), 1e-9):
            return kind, float(ratios[0]) - 1.0
    raise AssertionError(pixel)


def test_a_wall_stands_between_floor_and_ceiling() -> None:
    body = robot(1.0, 1.0)
    picture = Camera(Arena(2.03, 2.0, bodies=[body]), body).picture(WHOLE)  # one metre from camera to wall
    assert picture.shape == (120, 160, 3)
    bottom, top = 60 + 0.028 * FOCAL, 60 - (0.2 - 0.028) * FOCAL  # 64.2 and 34.1
    column = picture[:, 80]
    assert (column[: int(top)] == CEILING).all()
    assert (column[int(bottom) + 1 :] == FLOOR).all()
    wall = column[int(top) + 1 : int(bottom)]
    assert np.abs(wall - np.divide(WALL_COLOUR, 2.0)).max() < 1e-9
    assert len(wall) == 29


def test_what_is_on_the_left_is_shown_on_the_left() -> None:
    body = robot(0.97, 1.0)  # its camera is at (1, 1)
    arena = Arena(4.0, 3.0, [LabDisc(2.0, 1.25, 0.05)], [], [body])
    kinds = [seen_in(pixel)[0] for pixel in Camera(arena, body).picture(WHOLE)[59]]
    first, last = kinds.index("obstacle"), 159 - kinds[::-1].index("obstacle")
    assert set(kinds[first : last + 1]) == {"obstacle"}
    assert 0.5 * (first + last + 1) == near(80.0 - FOCAL * 0.25, 1.0)
    assert last + 1 - first == near(2.0 * FOCAL * 0.05 / cos(atan(0.25)), 1.6)


@pytest.mark.parametrize("view", VIEWS)
def test_a_picture_is_as_wide_as_its_view(view: ViewName) -> None:
    """And what stands in it is where a model of the camera has a blob."""
    body = robot(0.97, 1.0)  # its camera is at (1, 1)
    arena = Arena(4.0, 3.0, [LabDisc(1.9, 1.0 + 0.9 * 0.25, 0.01)], [], [body])
    kinds = [seen_in(pixel)[0] for pixel in Camera(arena, body, VIEWS[view]).picture(WHOLE)[59]]
    columns = [column for column, kind in enumerate(kinds) if kind == "obstacle"]
    seen = blob((0.93, 0.9 * 0.25, 0.028), (1.0, 0.0, 0.0), VIEWS[view])
    assert seen is not None
    assert 0.5 * (columns[0] + columns[-1]) == near(seen.column, 1.0)
    assert seen.column == {"paper": 5, "webots": 35, "stand-in": 42}[view]


def test_an_obstacle_ends_at_its_corners() -> None:
    body = robot(0.97, 1.0)
    corners = ((2.0, 0.8), (3.0, 0.2), (3.0, 1.8), (2.0, 1.3))  # its sides, drawn on, would be seen beside it
    arena = Arena(4.0, 3.0, [], [corners], [body])
    kinds = [seen_in(pixel)[0] for pixel in Camera(arena, body).picture(WHOLE)[59]]
    left, right = 80.0 - FOCAL * 0.8 / 2.0, 80.0 + FOCAL * 0.8 / 2.0
    assert kinds == ["obstacle" if left < column + 0.5 < right else "wall" for column in range(160)]


def test_a_robot_is_lower_than_a_wall_and_glows_in_its_lights() -> None:
    body, other = robot(0.97, 1.0), robot(1.535, 1.0)
    picture = Camera(Arena(3.0, 2.0, bodies=[body, other]), body).picture(WHOLE)
    column = picture[:, 80]
    top = 60 - (0.045 - 0.028) / 0.5 * FOCAL  # 54.9
    assert seen_in(column[int(top) - 1]) == ("wall", near(2.0))
    kind, depth = seen_in(column[int(top) + 1])
    assert (kind, depth) == ("robot", near(0.5, 1e-4))
    other.glow = (0.0, 1.0, 0.5)
    red, green, blue = Camera(Arena(3.0, 2.0, bodies=[body, other]), body).picture(WHOLE)[58, 80] * (1.0 + depth)
    assert (red, green, blue) == (near(0.25), near(1.0), near(0.8))


@pytest.mark.parametrize("order", [1, -1])
def test_the_nearest_of_each_kind_hides_those_behind_it(order: int) -> None:
    body, first, second = robot(0.97, 1.0), robot(1.535, 1.0), robot(2.035, 1.0)
    first.glow, second.glow = (0.0, 0.0, 0.0), (0.5, 0.0, 0.0)
    discs = [LabDisc(2.6, 1.0, 0.1), LabDisc(3.1, 1.0, 0.1)]
    arena = Arena(4.0, 2.0, discs[::order], [], [body, first, second][::order])
    column = Camera(arena, body).picture(WHOLE)[:, 80]
    assert seen_in(column[59]) == ("robot", near(0.5, 1e-4))
    assert seen_in(column[50]) == ("obstacle", near(1.5, 1e-3))
    discs = [LabDisc(1.35, 1.0, 0.1), LabDisc(3.1, 1.0, 0.1)]  # one that hides the robots
    hidden = Camera(Arena(4.0, 2.0, discs, [], [body, first, second]), body).picture(WHOLE)[59, 80]
    assert seen_in(hidden) == ("obstacle", near(0.25, 1e-3))


@given(arenas(), st.integers(0, 39))
def test_a_column_shows_what_a_ray_hits_first(scene: tuple[Arena, list[Body]], column: int) -> None:
    arena, bodies = scene
    assume(bodies)
    body, others = bodies[0], bodies[1:]
    eye = Body(Pose(body.x + 0.03 * cos(body.heading), body.y + 0.03 * sin(body.heading), body.heading), 0.0)
    window = ReadoutWindow(
        40, 29, 16
    )  # its middle row is at the height of the camera, and shows robots however far away
    bearing = -atan((column + 0.5 - 20.0) / 20.0 * tan(pi * 28.0 / 180.0))
    kind, depth = seen_in(Camera(arena, body).picture(window)[14, column])
    expected = Arena(WIDTH, HEIGHT, arena.discs, arena.polygons, others).cast(eye, bearing, hypot(WIDTH, HEIGHT))
    assert depth / cos(bearing) == near(expected, 1e-6)
    without_robots = Arena(WIDTH, HEIGHT, arena.discs, arena.polygons).cast(eye, bearing, hypot(WIDTH, HEIGHT))
    bare = Arena(WIDTH, HEIGHT).cast(eye, bearing, hypot(WIDTH, HEIGHT))
    assert kind == ("robot" if expected < without_robots else "obstacle" if without_robots < bare else "wall")


def test_a_window_is_read_from_where_it_lies() -> None:
    body = robot(0.5, 0.7, 0.3)
    camera = Camera(Arena(2.0, 1.5, [LabDisc(1.3, 0.9, 0.1)], [], [body]), body)
    whole = camera.picture(ReadoutWindow(640, 480, 1))
    assert (camera.picture(ReadoutWindow(5, 4, 1, 100, 300)) == whole[300:304, 100:105]).all()
    assert (camera.picture(ReadoutWindow(5, 4, 2)) == camera.picture(ReadoutWindow(5, 4, 2, 315, 236))).all()


def test_pixels_go_over_the_wire_as_five_six_and_five_bits_with_the_high_byte_first() -> None:
    picture = np.array([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1 / 63, 0.0]]])
    assert rgb565(picture) == b"\xf8\x00\x07\xe0\x00\x1f\xff\xff\x00\x20"
    assert grey(picture) == bytes((76, 150, 29, 255, 2))


def test_without_walls_floor_meets_ceiling() -> None:
    body = robot(1.0, 1.0)
    column = Camera(Arena(2.03, 2.0, bodies=[body], walled=False), body).picture(WHOLE)[:, 80]
    assert (column[:60] == CEILING).all()
    assert (column[60:] == FLOOR).all()
