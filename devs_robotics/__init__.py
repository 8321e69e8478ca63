"""DEVS models of robots: the formalism, and how it runs.

A decision model is written once and taken unchanged from fast simulation to real execution; see `activity` for
how that works.
"""

from devs_robotics.activity import Activity, Actuator, Exchange, Sensor, Service, equip, expose
from devs_robotics.equipment import Motor, RangeSensor, Whiskers
from devs_robotics.errors import DevsRoboticsError, ModelError
from devs_robotics.messages import Drive, Driven, Ranges, Sense, Touch
from devs_robotics.model import Atomic, Coupled
from devs_robotics.ports import In, Out, Port
from devs_robotics.simulator import Simulator
from devs_robotics.streams import Stream
from devs_robotics.version import __version__

__all__ = [
    "Activity",
    "Actuator",
    "Atomic",
    "Coupled",
    "DevsRoboticsError",
    "Drive",
    "Driven",
    "Exchange",
    "In",
    "ModelError",
    "Motor",
    "Out",
    "Port",
    "RangeSensor",
    "Ranges",
    "Sense",
    "Sensor",
    "Service",
    "Simulator",
    "Stream",
    "Touch",
    "Whiskers",
    "__version__",
    "equip",
    "expose",
]
