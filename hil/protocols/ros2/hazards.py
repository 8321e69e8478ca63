"""Hazards that a Create 3 tells of (irobot_create_msgs): its bumper."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics.hil.protocols.ros2.names import HAZARDS
from devs_robotics.hil.protocols.ros2.type_store import read, type_store, write

BUMP = 1
"""The kind of hazard that the bumper has met something."""


def write_hazards(kinds: Sequence[int]) -> bytes:
    """An irobot_create_msgs/HazardDetectionVector of hazards of these kinds."""
    types = type_store().types
    header = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](0, 0), "base_link")
    one = types["irobot_create_msgs/msg/HazardDetection"]
    return write(HAZARDS, types[HAZARDS](header, [one(header=header, type=kind) for kind in kinds]))


def bumps(data: bytes) -> bool:
    """Whether an irobot_create_msgs/HazardDetectionVector tells of the bumper.

    Raises:
        MessageError: it is none
    """
    return any(each.type == BUMP for each in read(HAZARDS, data).detections)
