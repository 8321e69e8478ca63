"""From the name of a protocol, as a scenario gives it, to its class."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.naming import load_class
from devs_robotics.hil.protocols.protocol import Protocol

PROTOCOLS = {
    "json": "devs_robotics.hil.protocols.json_robot:JsonRobot",
    "epuck-ascii": "devs_robotics.hil.protocols.epuck_ascii:EpuckAscii",
    "epuck-binary": "devs_robotics.hil.protocols.epuck_binary:EpuckBinary",
    "epuck2-wifi": "devs_robotics.hil.protocols.epuck2_wifi:Epuck2Wifi",
    "ros2": "devs_robotics.hil.protocols.ros2.robot:Ros2Robot",
}
"""The protocols that are known by a name, and where they are."""


def protocol_for(protocol: str) -> type[Protocol]:
    """The class of a protocol: a name in `PROTOCOLS`, or ``module:Class`` of a protocol of one's own.

    Raises:
        DevsRoboticsError: there is none
    """
    target = PROTOCOLS.get(protocol, protocol)
    if ":" not in target:
        near = get_close_matches(protocol, PROTOCOLS, cutoff=0.4)
        known = f"there are {', '.join(PROTOCOLS)}"
        hint = f"did you mean {near[0]!r}? {known[0].upper()}{known[1:]}" if near else known
        raise DevsRoboticsError(f"there is no protocol {protocol!r}: {hint}; a protocol of your own is 'module:Class'")
    found = load_class(target, "protocol")
    if not issubclass(found, Protocol):
        raise DevsRoboticsError(
            f"{target!r} is no protocol: derive it from devs_robotics.hil.protocols.Protocol (docs/add-a-robot.md)"
        )
    missing = sorted(getattr(found, "__abstractmethods__", ()))
    if missing:
        raise DevsRoboticsError(f"{target!r} has no {' and no '.join(missing)}: write it (docs/add-a-robot.md)")
    schemes: object = found.schemes
    if not isinstance(schemes, tuple):
        raise DevsRoboticsError(f"{target!r} has schemes = {schemes!r}: make it a tuple of texts, such as ('serial',)")
    equipment: object = found.equipment
    if equipment is not None and not isinstance(equipment, Mapping):
        raise DevsRoboticsError(
            f"{target!r} has equipment = {equipment!r}: make it a dictionary of names and types, such as "
            "{'gripper': (Grip, Gripped)}, or None for whatever is wanted"
        )
    return found
