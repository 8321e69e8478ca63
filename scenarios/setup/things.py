"""What a laboratory is told of the lamps, the floor and the chargers of a case study."""

from __future__ import annotations

from devs_robotics.hil.lab import floor as lab
from devs_robotics.hil.lab.plan import LabCharger, LabLamp
from devs_robotics.models import batteries, environment
from devs_robotics.models.environment.floor import FloorPattern, Sectors
from devs_robotics.models.environment.things import Things
from devs_robotics.scenarios.errors import BeginError


def lamps_of(things: Things) -> tuple[LabLamp, ...]:
    """Its lamps."""
    return tuple(LabLamp(each.x, each.y, each.intensity, each.height) for each in things.of(environment.Lamp))


def chargers_of(things: Things) -> tuple[LabCharger, ...]:
    """Its chargers."""
    return tuple(LabCharger(each.x, each.y, each.radius, each.rate) for each in things.of(batteries.Charger))


def floor_of(things: Things) -> lab.LabFloor | None:
    """Its floor; None where none was added.

    Raises:
        BeginError: the floor has a pattern that is no data, but a function or a class of somebody's own
    """
    floors = things.of(environment.Floor)
    return lab.LabFloor(tuple(map(_pattern, floors[0].patterns)), floors[0].plain) if floors else None


def _pattern(pattern: FloorPattern) -> lab.Pattern:
    match pattern:
        case environment.Line():
            return lab.LabLine(pattern.points, pattern.width, pattern.level, pattern.closed)
        case environment.Stripes():
            return lab.LabStripes(pattern.width, pattern.greys, pattern.heading, pattern.x, pattern.y)
        case Sectors():
            return lab.LabSectors(pattern.x, pattern.y, pattern.greys, pattern.heading)
        case environment.Patch(shape=environment.Circle() as circle):
            return lab.Spot(circle.x, circle.y, circle.radius, pattern.level)
        case environment.Patch(shape=environment.Polygon() as polygon):
            return lab.Area(polygon.corners, pattern.level)
    raise BeginError(
        f"the floor has a pattern {type(pattern).__name__}, which is no data that a laboratory can be told: make it of "
        "Line, Patch, Stripes and Sectors"
    )
