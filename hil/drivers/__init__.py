"""Drivers: DEVS models that speak with real robots, each in its protocol."""

from devs_robotics.hil.drivers.driver import Driver
from devs_robotics.hil.drivers.lines import Lines
from devs_robotics.hil.drivers.naming import driver_for
from devs_robotics.hil.drivers.settings import DriverSettings

__all__ = ["Driver", "DriverSettings", "Lines", "driver_for"]
