"""What a robot has, its equipment, of whichever kinds; and robots in their environment."""

from devs_robotics.models.robots.equipment import Equipment, Kinds, Optics, equipment, virtual_equipment
from devs_robotics.models.robots.system import RealRobot, RobotModel, RobotSystem

__all__ = [
    "Equipment",
    "Kinds",
    "Optics",
    "RealRobot",
    "RobotModel",
    "RobotSystem",
    "equipment",
    "virtual_equipment",
]
