"""The robot convoy (Hu & Zeigler, section 4): a line of robots that follow one another by local means alone."""

from models.convoy.avoid import Avoid
from models.convoy.equipment import Equipment, Kinds, Optics, equipment, virtual_equipment
from models.convoy.follower import Follower, FollowerRules, Start
from models.convoy.leader import Leader, LeaderRules
from models.convoy.messages import CaughtUp, Lost, RoundDone, Sync
from models.convoy.robot import ConvoyRobot, RealRobot
from models.convoy.system import ConvoySystem

__all__ = [
    "Avoid",
    "CaughtUp",
    "ConvoyRobot",
    "ConvoySystem",
    "Equipment",
    "Follower",
    "FollowerRules",
    "Kinds",
    "Leader",
    "LeaderRules",
    "Lost",
    "Optics",
    "RealRobot",
    "RoundDone",
    "Start",
    "Sync",
    "equipment",
    "virtual_equipment",
]
