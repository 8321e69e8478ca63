"""The sensors and actuators of a convoy robot, as one set that can be exchanged for another."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics import Activity, Drive, Driven, Exchange, Ranges, Sense, Touch
from models.activities import VirtualInfrared, VirtualMotor, VirtualWhiskers


class Equipment(Struct, frozen=True):
    """The activities of one robot and the services that they offer, whichever kind of activity they are.

    Attributes:
        activities: the models themselves
        drive: the motor, for the layer below
        override: the motor, for the layer above
        ranging: the infrared sensors
        touch: the whiskers
        worlds: what has to be coupled outside the robot, by name
    """

    activities: tuple[Activity, ...]
    drive: Exchange[Drive, Driven]
    override: Exchange[Drive, Driven]
    ranging: Exchange[Sense, Ranges]
    touch: Exchange[Sense, Touch]
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
    return Equipment(
        activities=(motor, infrared, whiskers),
        drive=motor.drive,
        override=motor.override,
        ranging=infrared.ranging,
        touch=whiskers.touch,
        worlds={"motor": motor.world, "ranging": infrared.world, "whiskers": whiskers.world},
    )
