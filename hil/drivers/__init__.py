"""Drivers: DEVS models that speak with real robots, each by the protocol that it has."""

from devs_robotics.hil.drivers.driver import Driver, driver_for
from devs_robotics.hil.protocols.settings import DriverSettings

__all__ = ["Driver", "DriverSettings", "driver_for"]
