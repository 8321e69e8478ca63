"""What a robot has, its equipment, of whichever kinds; and robots in their environment."""

from devs_robotics.models.robots.bodies import UsualBody
from devs_robotics.models.robots.case_system import CaseSystem
from devs_robotics.models.robots.equipment import Equipment, Kinds, Optics, equipment, virtual_equipment
from devs_robotics.models.robots.kinds import Inertia, RobotKind, epuck2, round_differential
from devs_robotics.models.robots.own_equipment import OwnEquipment, own_equipment
from devs_robotics.models.robots.robot import Robot
from devs_robotics.models.robots.system import RealRobot, RobotModel, RobotSystem
from devs_robotics.models.robots.team import PopulationChoice, Team
from devs_robotics.models.robots.team_system import NotInArraysError

__all__ = [
    "CaseSystem",
    "Equipment",
    "Inertia",
    "Kinds",
    "NotInArraysError",
    "Optics",
    "OwnEquipment",
    "PopulationChoice",
    "RealRobot",
    "Robot",
    "RobotKind",
    "RobotModel",
    "RobotSystem",
    "Team",
    "UsualBody",
    "epuck2",
    "equipment",
    "own_equipment",
    "round_differential",
    "virtual_equipment",
]
