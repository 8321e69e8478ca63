"""What the errors of localisation come to."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from devs_robotics.experimental_frames.instruments.localisation.localisation import Localisation

ERRORS = ("odom_error_m", "odom_heading_error_rad", "map_error_m", "map_heading_error_rad")
"""Columns of the table, in the order of the fields of `RobotErrors`."""


class Errors(Struct, frozen=True):
    """An error over the fixes of a robot, without its sign.

    Attributes:
        end: at the last fix
    """

    mean: float
    maximum: float
    end: float


class RobotErrors(Struct, frozen=True):
    """How well a robot was localised; positions in metres, headings in radians.

    Attributes:
        fixes: that were compared
        odom_position_m, odom_heading_rad: of dead reckoning
        map_position_m, map_heading_rad: of its counterpart in the environment model
    """

    fixes: int
    odom_position_m: Errors
    odom_heading_rad: Errors
    map_position_m: Errors
    map_heading_rad: Errors


def measure_localisation(localisation: Localisation) -> dict[int, RobotErrors]:
    """The errors of each robot that a tracking system has seen, by its number."""
    sizes: dict[int, dict[str, Sizes]] = {}
    for block in localisation.rows.blocks():
        for robot in np.unique(block["robot"]).tolist():
            own = block[block["robot"] == robot]
            for name, column in sizes.setdefault(robot, {name: Sizes() for name in ERRORS}).items():
                column.add(np.abs(own[name]).tolist())
    return {
        robot: RobotErrors(found["odom_error_m"].count, *(column.errors() for column in found.values()))
        for robot, found in sorted(sizes.items())
    }


class Sizes:
    """Errors without their signs, taken in one after the other."""

    def __init__(self) -> None:
        self.count = 0
        self._total = 0.0
        self._largest = 0.0
        self._last = 0.0

    def add(self, sizes: list[float]) -> None:
        """Take in some, one at least."""
        self.count += len(sizes)
        self._total = sum(sizes, start=self._total)
        self._largest = max(self._largest, *sizes)
        self._last = sizes[-1]

    def errors(self) -> Errors:
        """What they come to."""
        return Errors(self._total / self.count, self._largest, self._last)
