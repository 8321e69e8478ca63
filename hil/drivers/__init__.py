"""Drivers: DEVS models that speak with real robots, each by the protocol that it has."""

from typing import NoReturn

from devs_robotics.hil.drivers.driver import Driver, driver_for
from devs_robotics.hil.protocols.settings import DriverSettings

__all__ = ["Driver", "DriverSettings", "driver_for"]


def __getattr__(name: str) -> NoReturn:
    if name == "Lines":  # every driver of somebody's own began with this import
        raise ImportError(
            "devs_robotics.hil.drivers has no Lines any more: a robot of your own is a protocol now, so derive it from "
            "devs_robotics.hil.protocols.Protocol, and import Lines from there (docs/add-a-robot.md)"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
