"""From the name of a protocol, as a scenario gives it, to the driver that speaks it."""

from __future__ import annotations

from difflib import get_close_matches

from devs_robotics import DevsRoboticsError
from devs_robotics.core.naming import load_class
from devs_robotics.hil.drivers.driver import Driver

DRIVERS = {
    "json": "devs_robotics.hil.drivers.json_robot:JsonRobot",
    "epuck-ascii": "devs_robotics.hil.drivers.epuck:EpuckAscii",
    "epuck-binary": "devs_robotics.hil.drivers.epuck:EpuckBinary",
    "epuck2-wifi": "devs_robotics.hil.drivers.epuck2_wifi:Epuck2Wifi",
}
"""The protocols that are known by a name, and where their drivers are."""


def driver_for(protocol: str) -> type[Driver]:
    """The driver of a protocol: a name in `DRIVERS`, or ``module:Class`` of a driver of one's own.

    Raises:
        DevsRoboticsError: there is none
    """
    target = DRIVERS.get(protocol, protocol)
    if ":" not in target:
        near = get_close_matches(protocol, DRIVERS, cutoff=0.4)
        hint = f"did you mean {near[0]!r}" if near else f"there are {', '.join(DRIVERS)}"
        raise DevsRoboticsError(f"there is no protocol {protocol!r}: {hint}; a driver of your own is 'module:Class'")
    found = load_class(target, "driver")
    if not issubclass(found, Driver):
        raise DevsRoboticsError(
            f"{target!r} is no driver: derive it from devs_robotics.hil.drivers.Driver (docs/add-a-robot.md)"
        )
    return found
