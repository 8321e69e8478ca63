"""What understands the tracking system of a run: fixes of the project's own protocol, or what ROS 2 tells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from devs_robotics.hil.ros2_fix_addresses import is_ros2, namespaces, parse_fix_address
from devs_robotics.hil.tracking import Tracker, TrackingFrame
from devs_robotics.scenarios.setup.setup import Setup

if TYPE_CHECKING:
    from devs_robotics.hil.ros2_tracking import Ros2Fixes


def tracker(setup: Setup[Any], followed: Iterable[int]) -> Tracker:
    """The model that reads the packets of a tracking system, and wants the fixes of these robots."""
    said, robots = setup.scenario.tracking, frozenset(followed)
    speeds = {robot: setup.robots[robot - 1].speed for robot in robots}
    frame = TrackingFrame(said.frame.x, said.frame.y, said.frame.heading)
    laid = None if frame == TrackingFrame() else frame
    return Tracker("tracker", robots, speeds, said.lost, laid, ros2_fixes(setup, robots))


def ros2_fixes(setup: Setup[Any], followed: Iterable[int]) -> Ros2Fixes | None:
    """What makes fixes of what a tracking system of ROS 2 tells; None where it is another one."""
    address, roles = setup.scenario.tracking.address, setup.real
    if address is None or not is_ros2(address):
        return None
    from devs_robotics.hil.ros2_tracking import Ros2Fixes

    _, source = parse_fix_address(address)
    robots = {robot: roles[robot].robot.address if robot in roles else None for robot in sorted(followed)}
    return Ros2Fixes(source, namespaces(robots))
