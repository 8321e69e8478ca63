"""What range sensors see along the beams that are wanted, from the scan of a lidar."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, degrees, inf, isnan, pi, sin, sqrt

from devs_robotics.hil.protocols.ros2.fixes import Pose
from devs_robotics.hil.protocols.ros2.messages import LidarScan, RangeReading
from devs_robotics.hil.protocols.ros2.mounts import MIDDLE
from devs_robotics.hil.protocols.ros2.type_store import MessageError

NEXT = 1e-3
"""Share of a step by which a beam may be off a reading and still be that reading only."""


def along(scan: LidarScan, bearings: Sequence[float], radius: float, mount: Pose = MIDDLE) -> tuple[float, ...]:
    """Distance from the edge of a round body to the nearest thing along each bearing (m); infinite for nothing.

    Args:
        scan: of a lidar
        bearings: (rad)
        radius: of the body (m)
        mount: of the lidar, in the frame of the body (m, m, rad)

    Raises:
        MessageError: the scan does not reach so far round, or knows nothing there
    """
    return tuple([_from_the_edge(scan, bearing, radius, mount) for bearing in bearings])


def ahead(scan: LidarScan, half: float, radius: float, mount: Pose = MIDDLE) -> float:
    """Distance from the edge of the body to the nearest thing within an angle of straight ahead, either way (m)."""
    step = abs(scan.step)
    near = inf
    for number in range(-int(half / step), int(half / step) + 1):
        try:
            near = min(near, _from_the_edge(scan, number * step, radius, mount))
        except MessageError:
            continue
    return near


def _from_the_edge(scan: LidarScan, bearing: float, radius: float, mount: Pose) -> float:
    """What a lidar reads in a direction of the body, less the way of that ray through the body (m)."""
    x, y, yaw = mount
    along_it = x * cos(bearing) + y * sin(bearing)
    inside = radius**2 - x**2 - y**2 + along_it**2
    within = max(0.0, sqrt(inside) - along_it) if inside > 0.0 else 0.0
    return max(0.0, _reading(scan, bearing - yaw) - within)


def of_range(reading: RangeReading) -> float:
    """What a single sensor sees (m from its face); infinite for nothing."""
    return _meaning(reading.range, reading.nearest, reading.farthest)


def _reading(scan: LidarScan, bearing: float) -> float:
    """The least of the readings whose part of the circle the bearing is in."""
    count = len(scan.ranges)
    place = (bearing - scan.first) / scan.step
    turn = 2.0 * pi / abs(scan.step)
    closed = count >= turn - 1.5
    whole = round(turn)
    if not closed:
        place %= turn
        if place > count - 0.5:
            place -= turn
    low = int(place // 1.0)
    share = place - low
    numbers = {low + round(share)} if abs(share - 0.5) > NEXT else {low, low + 1}
    found = []
    for number in numbers:
        inside = number % whole if closed else number
        if 0 <= inside < count:
            value = _meaning(float(scan.ranges[inside]), scan.nearest, scan.farthest)
            if not isnan(value):
                found.append(value)
    if not found:
        raise MessageError(f"a scan says nothing of the bearing of {degrees(bearing):g} degrees")
    return min(found)


def _meaning(value: float, nearest: float, farthest: float) -> float:
    """A reading by REP 117; 0, which some drivers write, is nothing."""
    if isnan(value):
        return value
    if value == 0.0 or value > farthest:
        return inf
    return 0.0 if value < nearest else value
