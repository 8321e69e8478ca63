"""Drivers: DEVS models that speak with real robots, each in its protocol."""

from hil.drivers.driver import Driver
from hil.drivers.lines import Lines
from hil.drivers.naming import driver_for
from hil.drivers.settings import DriverSettings

__all__ = ["Driver", "DriverSettings", "Lines", "driver_for"]
