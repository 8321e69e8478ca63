"""Protocols: how robots are spoken to, without input or output; what drives a robot by one is `hil.drivers`."""

from devs_robotics.core.robots.messages import Rolled
from devs_robotics.hil.protocols.events import (
    Blocked,
    Busy,
    Dropped,
    Event,
    Felt,
    Forget,
    Found,
    GivenUp,
    Lost,
    Moved,
    Output,
    Ranged,
    Remind,
    Stopped,
    Told,
)
from devs_robotics.hil.protocols.lines import Lines
from devs_robotics.hil.protocols.naming import protocol_for
from devs_robotics.hil.protocols.protocol import Protocol, Situation
from devs_robotics.hil.protocols.settings import DriverSettings

__all__ = [
    "Blocked",
    "Busy",
    "DriverSettings",
    "Dropped",
    "Event",
    "Felt",
    "Forget",
    "Found",
    "GivenUp",
    "Lines",
    "Lost",
    "Moved",
    "Output",
    "Protocol",
    "Ranged",
    "Remind",
    "Rolled",
    "Situation",
    "Stopped",
    "Told",
    "protocol_for",
]
