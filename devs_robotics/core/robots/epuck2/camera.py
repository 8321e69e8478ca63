"""The camera of an e-puck2: what its pictures are, and how much of the world is in them."""

from __future__ import annotations

from math import radians
from typing import Literal, TypeAlias

WIDTH, HEIGHT = 160, 120
"""Width and height of a picture as the robot takes it (pixels)."""

ARRAY_WIDTH, ARRAY_HEIGHT = 640, 480
"""Width and height of the camera's sensor (pixels)."""

AHEAD, ABOVE = 0.03, 0.028
"""How far the camera is ahead of the middle of the robot, and its height above the floor (m), as in Webots."""

RANGE = 1.0
"""Distance along the axis from which on LEDs are too small to be seen (m)."""

ViewName: TypeAlias = Literal["paper", "webots", "stand-in"]

VIEWS: dict[ViewName, float] = {
    # Stolfi and Danoy: their Table 4 reads as the full angle only, 2 atan(y / 2x); the default
    "paper": radians(30.0),
    # the e-puck of Webots (E-puck.proto)
    "webots": 0.84,
    # what the laboratory shows
    "stand-in": radians(56.0),
}
"""Horizontal angle that a picture shows, from its left edge to its right one (rad)."""

DEFAULT_VIEW: ViewName = "paper"
"""The view that models have where none is named."""
