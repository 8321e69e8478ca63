"""Where robots and carriers are at first: by the run's seed, anywhere in their zones."""

from __future__ import annotations

from math import dist, pi

from devs_robotics import ModelError, Stream
from devs_robotics.models.environment.motion.trajectory import Pose
from devs_robotics.models.logistics.layout import RADIUS, CarrierShape, Zones

TRIES, IN_A_ROW = 1000, 50
"""Number of layouts that are tried, and of places for one robot or carrier in each of them."""

BETWEEN_ROBOTS, BETWEEN_CARRIERS = 0.15, 0.5
"""Least distances between edges (m); that between carriers is that of their middles from walls, too."""

FROM_WALLS = 0.05
"""Least distance of a robot's edge from walls and from the edge of its zone (m)."""

Span = tuple[float, float]


def robots_at_first(seed: int, count: int, zones: Zones) -> list[Pose]:
    """Poses in the drop zone, of any heading, robot 1 first (m, m, rad, in the field)."""
    room = RADIUS + FROM_WALLS
    across = zones.drop + zones.side / 2.0 + room, zones.side - room
    along = room, zones.side - room
    return _anywhere(seed, count, "robot", across, along, 2.0 * RADIUS + BETWEEN_ROBOTS)


def carriers_at_first(seed: int, count: int, zones: Zones, shape: CarrierShape) -> list[Pose]:
    """Poses in the search zone, of any yaw, carrier 1 first (m, m, rad, in the field)."""
    across = BETWEEN_CARRIERS, zones.search + zones.side / 2.0 - shape.half
    along = BETWEEN_CARRIERS, zones.side - BETWEEN_CARRIERS
    return _anywhere(seed, count, "carrier", across, along, shape.side + BETWEEN_CARRIERS)


def _anywhere(seed: int, count: int, what: str, across: Span, along: Span, apart: float) -> list[Pose]:
    streams = [Stream(seed, 0, f"{what} {number}") for number in range(1, count + 1)]
    for _ in range(TRIES):
        found: list[Pose] = []
        for stream in streams:
            pose = _fitting(stream, found, across, along, apart)
            if pose is None:
                break
            found.append(pose)
        if len(found) == count:
            return found
    raise ModelError(
        f"there is no room for {count} {what}s in their zone: make field.width and field.height larger, or take fewer "
        f"by logistics.{what}s"
    )


def _fitting(stream: Stream, found: list[Pose], across: Span, along: Span, apart: float) -> Pose | None:
    """A pose that is apart from those that were found; None: none was, so that all begin anew."""
    for _ in range(IN_A_ROW):
        share_x, share_y, share = ((stream.uniform() + 1.0) / 2.0 for _ in range(3))
        x, y = across[0] + share_x * (across[1] - across[0]), along[0] + share_y * (along[1] - along[0])
        if all(dist((x, y), other[:2]) >= apart for other in found):
            return x, y, pi * (2.0 * share - 1.0)
    return None
