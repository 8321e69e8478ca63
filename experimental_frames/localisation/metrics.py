"""What the errors of localisation come to."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from experimental_frames.localisation.localisation import Localisation


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
    found = {}
    for robot in sorted(localisation.odom):
        rows = [row for row in localisation.rows if row.robot == robot]
        if rows:
            found[robot] = RobotErrors(
                fixes=len(rows),
                odom_position_m=_errors(row.odom_error_m for row in rows),
                odom_heading_rad=_errors(row.odom_heading_error_rad for row in rows),
                map_position_m=_errors(row.map_error_m for row in rows),
                map_heading_rad=_errors(row.map_heading_error_rad for row in rows),
            )
    return found


def _errors(signed: Iterable[float]) -> Errors:
    sizes = [abs(error) for error in signed]
    return Errors(sum(sizes) / len(sizes), max(sizes), sizes[-1])
