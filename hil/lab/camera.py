"""The camera of an e-puck2: a picture of the arena as it is now, seen from the robot's front."""

from __future__ import annotations

from math import cos, sin, tan

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from devs_robotics.core.robots.epuck2.body import HEIGHT as ROBOT
from devs_robotics.core.robots.epuck2.camera import ABOVE, AHEAD, ARRAY_HEIGHT, ARRAY_WIDTH, VIEWS
from devs_robotics.hil.lab.arena import Arena, RoundBody

WALL = 0.2
"""Height of walls and obstacles (m)."""

CEILING, FLOOR, OBSTACLE = (0.15, 0.15, 0.2), (0.45, 0.42, 0.38), (0.9, 0.75, 0.6)
"""What is seen above and below the horizon, and of obstacles (red, green and blue from 0 to 1)."""

WALL_COLOUR = (0.95, 0.95, 0.95)
"""The same of the field's walls."""

ROBOT_COLOUR = (0.25, 0.25, 0.3)
"""The same of a robot whose lights are off."""

Pixels = NDArray[np.float64]
"""Red, green and blue from 0 to 1, by row from the top and column from the left."""

_Floats = NDArray[np.float64]


class ReadoutWindow(Struct, frozen=True):
    """Which part of the sensor is read.

    Attributes:
        width, height: of the picture (pixels)
        zoom: so many pixels of the sensor, either way, are one of the picture
        x, y: left and upper edge on the sensor; None for the middle
    """

    width: int
    height: int
    zoom: int
    x: int | None = None
    y: int | None = None


class Camera:
    """A pinhole near the front of the robot that looks straight ahead.

    Walls, obstacles and robots are upright and even in colour, darker the further away; a robot glows in its lights.
    Nothing else is shown: no shadows, no texture, no noise.

    Args:
        arena: that is seen
        body: of the robot
        view: horizontal angle that the whole sensor sees (rad)
    """

    def __init__(self, arena: Arena, body: RoundBody, view: float = VIEWS["stand-in"]) -> None:
        self._arena = arena
        self._body = body
        self._focal = 0.5 * ARRAY_WIDTH / tan(0.5 * view)
        """Its focal length (pixels of the sensor)."""

    def picture(self, window: ReadoutWindow) -> Pixels:
        """What it sees now; one row and one column per pixel of the window."""
        x = 0.5 * (ARRAY_WIDTH - window.width * window.zoom) if window.x is None else window.x
        y = 0.5 * (ARRAY_HEIGHT - window.height * window.zoom) if window.y is None else window.y
        right = x + (np.arange(window.width, dtype=np.float64) + 0.5) * window.zoom - 0.5 * ARRAY_WIDTH
        down = y + (np.arange(window.height, dtype=np.float64) + 0.5) * window.zoom - 0.5 * ARRAY_HEIGHT
        right, down = right / self._focal, down / self._focal
        scene = _Scene(self._arena, self._body, right)
        picture = np.where((down > 0.0)[:, None, None], FLOOR, CEILING) * np.ones((1, window.width, 1))
        _paint(picture, down, scene.walls, scene.wall_colours, WALL)
        hidden = scene.robots > scene.walls
        _paint(picture, down, np.where(hidden, np.inf, scene.robots), scene.robot_colours, ROBOT)
        return picture


def _paint(picture: Pixels, down: _Floats, depths: _Floats, colours: _Floats, height: float) -> None:
    """Put the nearest thing of each column over what is behind it; `depths` along the axis of the camera (m)."""
    with np.errstate(divide="ignore"):
        top, bottom = (ABOVE - height) / depths, ABOVE / depths
    seen = (down[:, None] >= top) & (down[:, None] < bottom) & np.isfinite(depths)
    shaded = colours / (1.0 + depths[:, None])
    picture[seen] = np.broadcast_to(shaded, picture.shape)[seen]


class _Scene:
    """The nearest wall or obstacle, and the nearest robot, in each column: how deep (m) and in which colour.

    All walls and obstacles are of one height, so that the nearest hides those behind it, and so are all robots.
    """

    def __init__(self, arena: Arena, body: RoundBody, right: _Floats) -> None:
        ahead_x, ahead_y = cos(body.heading), sin(body.heading)
        self._x, self._y = body.x + AHEAD * ahead_x, body.y + AHEAD * ahead_y
        # the way of each column's ray in the arena while it comes one metre along the axis
        self._dx, self._dy = ahead_x + right * ahead_y, ahead_y - right * ahead_x
        self.walls = self._to_walls(arena)
        self.wall_colours = np.tile(np.array(WALL_COLOUR), (len(right), 1))
        self.robots = np.full(len(right), np.inf)
        self.robot_colours = np.zeros((len(right), 3))
        for disc in arena.discs:
            self._nearer(self._to_disc(disc.x, disc.y, disc.radius))
        for edge in arena.edges:
            self._nearer(self._to_edge(*edge))
        for other in arena.bodies:
            if other is not body:
                self._see(other)

    def _nearer(self, depths: _Floats) -> None:
        nearer = depths < self.walls
        self.walls[nearer] = depths[nearer]
        self.wall_colours[nearer] = OBSTACLE

    def _see(self, other: RoundBody) -> None:
        depths = self._to_disc(other.x, other.y, other.radius)
        nearer = depths < self.robots
        self.robots[nearer] = depths[nearer]
        self.robot_colours[nearer] = np.minimum(1.0, np.add(ROBOT_COLOUR, other.glow))

    def _to_walls(self, arena: Arena) -> _Floats:
        if not arena.walled:
            return np.full(len(self._dx), np.inf)
        with np.errstate(divide="ignore"):
            sideways = np.where(self._dx > 0.0, arena.width - self._x, -self._x) / self._dx
            along = np.where(self._dy > 0.0, arena.height - self._y, -self._y) / self._dy
        ways = np.minimum(np.where(self._dx == 0.0, np.inf, sideways), np.where(self._dy == 0.0, np.inf, along))
        return np.maximum(ways, 1e-6)

    def _to_disc(self, x: float, y: float, radius: float) -> _Floats:
        """From the camera to a disc; infinite where it is not hit."""
        x, y = x - self._x, y - self._y
        square = self._dx**2 + self._dy**2
        along = x * self._dx + y * self._dy
        under = along**2 - square * (x * x + y * y - radius * radius)
        depths = (along - np.sqrt(np.maximum(under, 0.0))) / square
        return np.where((under > 0.0) & (depths > 0.0), depths, np.inf)

    def _to_edge(self, ax: float, ay: float, bx: float, by: float) -> _Floats:
        """From the camera to a segment; infinite where it is not hit."""
        ax, ay, ex, ey = ax - self._x, ay - self._y, bx - ax, by - ay
        across = self._dx * ey - self._dy * ex
        with np.errstate(divide="ignore", invalid="ignore"):
            depths = (ax * ey - ay * ex) / across
            shares = (ax * self._dy - ay * self._dx) / across
        hit = (across != 0.0) & (depths > 0.0) & (shares >= 0.0) & (shares <= 1.0)
        return np.where(hit, depths, np.inf)


def rgb565(picture: Pixels) -> bytes:
    """Two bytes per pixel: five bits of red, six of green, five of blue, the high byte first."""
    red, green, blue = (np.rint(picture[..., number] * most) for number, most in enumerate((31, 63, 31)))
    return bytes((red * 2048 + green * 32 + blue).astype(">u2").tobytes())


def grey(picture: Pixels) -> bytes:
    """One byte per pixel."""
    return bytes(np.rint(255 * (picture @ (0.299, 0.587, 0.114))).astype(np.uint8).tobytes())
