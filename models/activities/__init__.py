"""Virtual sensors and actuators, answered by the environment model; real ones, and ones in the loop.

A real sensor is the robot's `Device` itself, which offers the same services.
"""

from devs_robotics.models.activities.continuous_motor import ContinuousMotor
from devs_robotics.models.activities.element_readings import Elements, VirtualReading, VirtualWatch
from devs_robotics.models.activities.guard import Guard
from devs_robotics.models.activities.hardware import HardwareActivity
from devs_robotics.models.activities.infrared import LoopInfrared, VirtualInfrared
from devs_robotics.models.activities.motor import Follows, HardwareMotor, LoopMotor, VirtualMotor
from devs_robotics.models.activities.omniwheels import VirtualOmniwheels
from devs_robotics.models.activities.positioning import OwnPose, VirtualPositioning
from devs_robotics.models.activities.radio import VirtualRadio
from devs_robotics.models.activities.ramp_motor import RampMotor
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.activities.real_omniwheels import HardwareOmniwheels
from devs_robotics.models.activities.shared_infrared import SharedInfrared
from devs_robotics.models.activities.sonar import AskWays, VirtualSonar, Ways
from devs_robotics.models.activities.transceiver import VirtualTransceiver
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.activities.wheels import HardwareWheels, VirtualWheels
from devs_robotics.models.activities.whiskers import VirtualWhiskers

__all__ = [
    "AskWays",
    "ContinuousMotor",
    "Elements",
    "Follows",
    "Guard",
    "HardwareActivity",
    "HardwareMotor",
    "HardwareOmniwheels",
    "HardwareWheels",
    "LoopInfrared",
    "LoopMotor",
    "OwnPose",
    "RampMotor",
    "ReadingNoise",
    "SharedInfrared",
    "VirtualActivity",
    "VirtualInfrared",
    "VirtualMotor",
    "VirtualOmniwheels",
    "VirtualPositioning",
    "VirtualRadio",
    "VirtualReading",
    "VirtualSonar",
    "VirtualTransceiver",
    "VirtualWatch",
    "VirtualWheels",
    "VirtualWhiskers",
    "Ways",
]
