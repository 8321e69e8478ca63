"""From the name of a protocol, as a scenario gives it, to the driver that speaks it."""

from __future__ import annotations

import importlib
from difflib import get_close_matches

from devs_robotics import DevsRoboticsError
from hil.drivers.driver import Driver

DRIVERS = {
    "json": "hil.drivers.json_robot:JsonRobot",
    "epuck-ascii": "hil.drivers.epuck:EpuckAscii",
    "epuck-binary": "hil.drivers.epuck:EpuckBinary",
    "epuck2-wifi": "hil.drivers.epuck2_wifi:Epuck2Wifi",
}
"""The protocols that are known by a name, and where their drivers are."""


def driver_for(protocol: str) -> type[Driver]:
    """The driver of a protocol: a name in `DRIVERS`, or ``module:Class`` of a driver of one's own.

    Raises:
        DevsRoboticsError: there is none
    """
    target = DRIVERS.get(protocol, protocol)
    if ":" not in target:
        near = get_close_matches(protocol, DRIVERS, n=1, cutoff=0.4)
        hint = f"did you mean {near[0]!r}" if near else f"there are {', '.join(DRIVERS)}"
        raise DevsRoboticsError(f"there is no protocol {protocol!r}: {hint}; a driver of your own is 'module:Class'")
    found = load_class(target, "driver")
    if not issubclass(found, Driver):
        raise DevsRoboticsError(f"{target!r} is no driver: derive it from hil.drivers.Driver (docs/add-a-robot.md)")
    return found


def load_class(target: str, what: str) -> type:
    """A class by ``module:Class``.

    Args:
        what: it is, for people

    Raises:
        DevsRoboticsError: it is not there
    """
    module_name, _, name = target.partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), name)):
        raise DevsRoboticsError(f"{target!r} can name no {what}: write module:Class")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module_name == error.name or module_name.startswith(f"{error.name}.")):
            raise  # a module that this one imports is missing: that is for its author
        raise DevsRoboticsError(
            f"the {what} {target!r} is not there: no module {error.name!r} can be imported; check the name, and that "
            "its folder is in PYTHONPATH"
        ) from None
    found = getattr(module, name, None)
    if not isinstance(found, type):
        raise DevsRoboticsError(f"the {what} {target!r} is not there: {module_name} has no class {name!r}")
    return found
