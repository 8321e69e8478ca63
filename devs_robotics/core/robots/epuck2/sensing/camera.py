"""Where LEDs are in the picture of the camera: coloured blobs, no image."""

from __future__ import annotations

from math import floor, tan

from msgspec import Struct

from devs_robotics.core.robots.epuck2.camera import ABOVE, AHEAD, DEFAULT_VIEW, HEIGHT, RANGE, VIEWS, WIDTH
from devs_robotics.core.robots.epuck2.sensing.leds import Colour


class Blob(Struct, frozen=True):
    """An LED in a picture.

    Attributes:
        column: from the left (0 to 159)
        row: from the top (0 to 119)
        colour: of the LED
    """

    column: int
    row: int
    colour: Colour


def blob(
    place: tuple[float, float, float],
    colour: Colour,
    view: float = VIEWS[DEFAULT_VIEW],
    reach: float = RANGE,
) -> Blob | None:
    """The blob of an LED that no body hides; None if it is not in the picture.

    It is there if it is ahead, nearer than `reach` along the camera's axis, and within the picture's edges. One on the
    left edge is in column 0, one on the right edge in column 159, one straight ahead in column 80.

    Args:
        place: in the robot's frame: ahead, to the left of its middle, and above the floor (m)
        colour: of the LED
        view: horizontal angle of the picture, from edge to edge (rad)
        reach: how far ahead the camera sees LEDs (m)
    """
    x, y, z = place[0] - AHEAD, place[1], place[2] - ABOVE
    if not 0.0 < x < reach:
        return None
    half = 0.5 * WIDTH
    edge = x * tan(0.5 * view)  # of the picture, at this depth; pixels are square
    across, down = half * (y / edge), half * (z / edge)
    if abs(across) > half or abs(down) > 0.5 * HEIGHT:
        return None
    column, row = floor(half - across), floor(0.5 * HEIGHT - down)
    return Blob(min(column, WIDTH - 1), min(row, HEIGHT - 1), colour)
