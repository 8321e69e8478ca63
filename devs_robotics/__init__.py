"""DEVS models of robots: the formalism, and how it runs.

A decision model is written once and taken unchanged from fast simulation to real execution; see `activity` for
how that works.
"""

import logging

from devs_robotics.core.errors import DevsRoboticsError, ModelError
from devs_robotics.core.model import Atomic, Coupled
from devs_robotics.core.ports import In, Out, Port
from devs_robotics.core.realtime.bridge import Bridge
from devs_robotics.core.realtime.clock import Clock, FastClock, HandClock, WallClock
from devs_robotics.core.realtime.lateness import Lateness, LatenessError
from devs_robotics.core.realtime.run import Run
from devs_robotics.core.realtime.transport import Arrival, HeldLink, Link, Loopback, LostLink, Packet, Post, Transport
from devs_robotics.core.robots.activity import Activity, Actuator, Exchange, Sensor, Service, equip, expose
from devs_robotics.core.robots.device import Device, Fault
from devs_robotics.core.robots.equipment import Motor, RangeSensor, Whiskers
from devs_robotics.core.robots.messages import (
    Answered,
    AskCharge,
    Asked,
    Charge,
    Crossed,
    Drive,
    Driven,
    Encoders,
    Fix,
    Glide,
    Glided,
    Ground,
    Inertial,
    Light,
    Obstructed,
    PoseChange,
    Proximity,
    Ranges,
    Rolled,
    Sense,
    TimeOfFlight,
    Touch,
    TrackChange,
    Watch,
    Wheels,
)
from devs_robotics.core.simulator import Simulator
from devs_robotics.core.streams import Stream
from devs_robotics.version import __version__

__all__ = [
    "Activity",
    "Actuator",
    "Answered",
    "Arrival",
    "AskCharge",
    "Asked",
    "Atomic",
    "Bridge",
    "Charge",
    "Clock",
    "Coupled",
    "Crossed",
    "Device",
    "DevsRoboticsError",
    "Drive",
    "Driven",
    "Encoders",
    "Exchange",
    "FastClock",
    "Fault",
    "Fix",
    "Glide",
    "Glided",
    "Ground",
    "HandClock",
    "HeldLink",
    "In",
    "Inertial",
    "Lateness",
    "LatenessError",
    "Light",
    "Link",
    "Loopback",
    "LostLink",
    "ModelError",
    "Motor",
    "Obstructed",
    "Out",
    "Packet",
    "Port",
    "PoseChange",
    "Post",
    "Proximity",
    "RangeSensor",
    "Ranges",
    "Rolled",
    "Run",
    "Sense",
    "Sensor",
    "Service",
    "Simulator",
    "Stream",
    "TimeOfFlight",
    "Touch",
    "TrackChange",
    "Transport",
    "WallClock",
    "Watch",
    "Wheels",
    "Whiskers",
    "__version__",
    "equip",
    "expose",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())  # who imports this decides where logs go
