"""The sensors and actuators of an e-puck2 in the environment model, and in the loop."""

from devs_robotics.models.activities.epuck2.camera import VirtualCamera
from devs_robotics.models.activities.epuck2.encoders import VirtualEncoders
from devs_robotics.models.activities.epuck2.ground import VirtualGround, VirtualGroundWatch
from devs_robotics.models.activities.epuck2.inertial import VirtualInertial
from devs_robotics.models.activities.epuck2.leds import VirtualLeds
from devs_robotics.models.activities.epuck2.light import VirtualLight, VirtualLightWatch
from devs_robotics.models.activities.epuck2.proximity import (
    LoopProximity,
    LoopProximityWatch,
    VirtualProximity,
    VirtualProximityWatch,
)
from devs_robotics.models.activities.epuck2.range_and_bearing import VirtualBroadcast, VirtualRangeAndBearing
from devs_robotics.models.activities.epuck2.time_of_flight import VirtualTimeOfFlight, VirtualTimeOfFlightWatch

__all__ = [
    "LoopProximity",
    "LoopProximityWatch",
    "VirtualBroadcast",
    "VirtualCamera",
    "VirtualEncoders",
    "VirtualGround",
    "VirtualGroundWatch",
    "VirtualInertial",
    "VirtualLeds",
    "VirtualLight",
    "VirtualLightWatch",
    "VirtualProximity",
    "VirtualProximityWatch",
    "VirtualRangeAndBearing",
    "VirtualTimeOfFlight",
    "VirtualTimeOfFlightWatch",
]
