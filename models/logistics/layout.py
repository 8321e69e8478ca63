"""Sizes of the arena, of robots and of carriers, and what follows from them."""

from __future__ import annotations

from math import cos, hypot, radians, sin, sqrt

from msgspec import Struct

RADIUS = 0.125
"""Of a robot (m)."""

SEARCH_SPEED, CARRY_SPEED, FIT_SPEED = 0.5, 0.3, 0.1
"""Speeds of exploring, of carrying and docking (published), and of the last centimetres (m/s)."""

MAP_RANGE = 0.15
"""The marker map under a tray is seen where the robot's centre is so near to the carrier's (m)."""

TAG_RANGE = 1.0
"""A tag is seen from so far, from camera to tag (m)."""

FACING = radians(60.0)
"""Largest angle between a tag's normal and the line to the camera (rad)."""

HALF_VIEW = radians(60.0)
"""Half of a camera's angle of view (rad)."""

CAMERAS = tuple(radians(angle) for angle in (17.0, -17.0, 129.0, -129.0))
"""Bearings of the four cameras around, 0 to 3, from the robot's heading (rad); camera 4 looks up."""

CAMERA_AHEAD = 0.11
"""From the robot's centre to a camera around (m)."""

UP = 4
"""Number of the camera that looks up."""

SIDES = 4

LIFT = 0.052
"""By how much a raised tray is higher (m): robots are 145 mm high, and 197 mm with the lifter up."""

PREDOCK = 0.31
"""From the face of a tag to the robot's centre before docking (m)."""


class CarrierShape(Struct, frozen=True):
    """A square tray on four legs.

    Attributes:
        side: of the tray (m)
        leg: from the tray's middle to a leg's, along either side (m)
        leg_radius: of a leg, which is a disc (m)
    """

    side: float = 0.36
    leg: float = 0.162
    leg_radius: float = 0.018

    @property
    def half(self) -> float:
        """From the middle to a face (m)."""
        return self.side / 2.0

    @property
    def half_diagonal(self) -> float:
        """From the middle to a corner (m)."""
        return self.side / sqrt(2.0)

    @property
    def legs(self) -> tuple[tuple[float, float], ...]:
        """Where the legs are in the carrier's frame (m)."""
        leg = self.leg
        return (leg, leg), (-leg, leg), (-leg, -leg), (leg, -leg)

    @property
    def beside(self) -> float:
        """Room between a robot in the middle and the legs, when it goes in or out (m)."""
        return self.leg - self.leg_radius - RADIUS

    def legs_from(self, x: float, y: float, yaw: float) -> tuple[tuple[float, float], ...]:
        """Where the legs are in a frame in which the carrier has a pose (m, m, rad)."""
        return tuple([(x + dx, y + dy) for dx, dy in (turned(*leg, yaw) for leg in self.legs)])

    @property
    def to_leg(self) -> float:
        """From the edge of a robot in the middle to a leg (m)."""
        return hypot(self.leg, self.leg) - self.leg_radius - RADIUS


SHAPE = CarrierShape()
"""Of 360 mm, as in the published simulator, which was "fixed to reflect reality": 330 mm leave a robot 4 mm a side."""


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    """A vector, turned (rad)."""
    c, s = cos(angle), sin(angle)
    return c * x - s * y, s * x + c * y


class Zones(Struct, frozen=True):
    """The zones of a square arena; its middle is the origin of the map, while the field has it at (0, 0).

    Attributes:
        side: of the arena (m)
        search: carriers are where x is below this (m, in the map)
        drop: they are brought where x is above this (m, in the map)
    """

    side: float = 3.7
    search: float = 0.0
    drop: float = 1.25

    def zone(self, x: float) -> str:
        """The zone of a place by its x (m, in the map): "search", "drop", or "" for what is between them."""
        return "search" if x < self.search else "drop" if x > self.drop else ""
