"""The sensors and actuators of a convoy robot, as one set that can be exchanged for another."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics import Exchange, Motor, RangeSensor, Whiskers
from models.activities import VirtualInfrared, VirtualMotor, VirtualWhiskers


class Equipment(Struct, frozen=True):
    """The activities of one robot, of whichever kind.

    Attributes:
        motor: two services, for the layer below and the layer above
        infrared: range sensors
        whiskers: contact sensors
        worlds: what has to be coupled outside the robot, by the environment's name for it
    """

    motor: Motor
    infrared: RangeSensor
    whiskers: Whiskers
    worlds: dict[str, Exchange[Any, Any]]


def virtual_equipment(robot: int, bearings: tuple[float, ...], reach: float, resolution: float) -> Equipment:
    """Activities that are answered by the environment model.

    Args:
        robot: number of the robot
        bearings: of the infrared beams, from left to right (rad)
        reach: of the infrared sensors (m)
        resolution: of their readings (m)
    """
    motor = VirtualMotor("motor", robot)
    infrared = VirtualInfrared("infrared", robot, bearings, reach, resolution)
    whiskers = VirtualWhiskers("whiskers", robot)
    worlds: dict[str, Exchange[Any, Any]] = {
        "motor": motor.world,
        "ranging": infrared.world,
        "whiskers": whiskers.world,
    }
    return Equipment(motor, infrared, whiskers, worlds)
