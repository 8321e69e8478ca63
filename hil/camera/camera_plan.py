"""What is known of a camera above a field, and of the markers below it, as data."""

from __future__ import annotations

from collections.abc import Collection
from math import hypot, radians
from typing import Annotated

from msgspec import Meta, Struct

FAMILIES = {"4x4": "DICT_4X4_50", "5x5": "DICT_5X5_250", "6x6": "DICT_6X6_250", "7x7": "DICT_7X7_250"}
"""Families of ArUco markers by the cells of their codes; large cells are seen from farther away."""


def id_count(family: str) -> int:
    """How many markers a family has; their ids count from 0."""
    return int(FAMILIES[family].rpartition("_")[2])


MOST_PIXELS = 8192
"""Largest width and height of pictures."""

LONGEST_FOCAL = 1e6
"""Longest focal length (pixels)."""

RIM = 1
"""Cells of white that are around a marker."""

CORNER_SIZE = 0.12
"""Side of a corner marker, without its rim (m)."""

CORNER_IDS = (40, 41, 42, 43)
"""Of the corner markers, from the corner at (0, 0) counter-clockwise."""

CORNER_INSET = 0.1
"""How far the middles of corner markers are from the edges of the field (m)."""

MARKER_SIZE, MARKER_HEIGHT = 0.08, 0.10
"""Side of a robot's marker, without its rim, and its height above the floor (m)."""

Pixels = Annotated[int, Meta(ge=1, le=MOST_PIXELS)]
Focal = Annotated[float, Meta(gt=0.0, le=LONGEST_FOCAL)]

Place = tuple[float, float, float]
"""x, y (m) and heading (rad): where the middle of a marker is, and whereto its code's right side looks."""


class Lens(Struct, frozen=True):
    """How a camera maps directions to pixels: a pinhole, and what its lens bends (Brown's model, as OpenCV has it).

    Attributes:
        width, height: of its pictures (pixels)
        fx, fy: focal lengths (pixels)
        cx, cy: where its axis meets the picture, from the middle of the upper left pixel
        distortion: k1, k2, p1, p2, k3
        error: of the calibration that found this (pixels, root mean square); 0: nobody knows
    """

    width: Pixels
    height: Pixels
    fx: Focal
    fy: Focal
    cx: float
    cy: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    error: float = 0.0

    @classmethod
    def plain(cls, width: int, height: int, focal: float) -> Lens:
        """One that bends nothing."""
        return cls(width, height, focal, focal, 0.5 * (width - 1), 0.5 * (height - 1))


class MarkerPlan(Struct, frozen=True):
    """Which markers there are.

    Attributes:
        robots: number of the robot that carries a marker, by the marker's id
        corners: where each corner marker lies on the floor, by its id
        family: of all of them (`FAMILIES`)
        size: side of a robot's marker, without its rim (m)
        height: of it above the floor (m)
        corner_size: side of a corner marker (m)
    """

    robots: dict[int, int]
    corners: dict[int, Place]
    family: str = "4x4"
    size: float = MARKER_SIZE
    height: float = MARKER_HEIGHT
    corner_size: float = CORNER_SIZE


class Mounting(Struct, frozen=True):
    """Where a camera is: its axis looks straight down, and is then tilted.

    Attributes:
        x, y, height: of its middle (m); the floor is at height 0
        tilt: by how much its axis leaves the vertical, towards the upper edge of its pictures (rad)
        turn: counter-clockwise turn of the camera, seen from above (rad); 0: the field's x goes right in its pictures
    """

    x: float
    y: float
    height: float = 2.3
    tilt: float = radians(5.0)
    turn: float = 0.0


WIDTH_OF_LINE = 0.05
"""Corner markers that are spread so much less across than along lie on a line."""


def on_a_line(places: Collection[Place]) -> bool:
    """Whether the middles of markers lie on one line, or nearly, so that a camera's place cannot be told by them."""
    count = max(1, len(places))
    middle_x, middle_y = sum(place[0] for place in places) / count, sum(place[1] for place in places) / count
    along = sum((place[0] - middle_x) ** 2 for place in places)
    up = sum((place[1] - middle_y) ** 2 for place in places)
    both = sum((place[0] - middle_x) * (place[1] - middle_y) for place in places)
    mean, apart = 0.5 * (along + up), hypot(0.5 * (along - up), both)
    return mean - apart <= WIDTH_OF_LINE**2 * (mean + apart)


def corner_places(width: float, height: float, inset: float = CORNER_INSET) -> dict[int, Place]:
    """Where corner markers lie in a field of a size (m), all turned alike."""
    right, top = width - inset, height - inset
    points = ((inset, inset), (right, inset), (right, top), (inset, top))
    return {marker: (x, y, 0.0) for marker, (x, y) in zip(CORNER_IDS, points, strict=True)}
