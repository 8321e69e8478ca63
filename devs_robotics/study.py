"""What the author of a case study needs: one class, its settings' types, kinds of robot, and parts of a frame.

A case study is a class in a file of one's own; every command takes it, and `run` in a script or a notebook.
"""

from devs_robotics.core.robots.fix_quality import FixQuality
from devs_robotics.experimental_frames.frame import Acceptor, Frame, TimedTransducer, Transducer, Verdict, metric
from devs_robotics.experimental_frames.instruments.safety import Allowance
from devs_robotics.models import batteries, robots
from devs_robotics.models.activities import VirtualActivity, VirtualRadio
from devs_robotics.models.batteries import AskCharge, Battery, Charge, Charger, Recharge, WheelSpeed
from devs_robotics.models.environment import (
    Action,
    Floor,
    Heard,
    Lamp,
    PoseChange,
    Question,
    Radio,
    Say,
    Thing,
    World,
    WorldModel,
    answers,
)
from devs_robotics.models.robots import CaseSystem, Robot, RobotKind
from devs_robotics.models.tracking import OverheadCamera
from devs_robotics.scenarios.case_study.case_study import CaseStudy
from devs_robotics.scenarios.case_study.run import run
from devs_robotics.scenarios.case_study.telling import Transient
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.settings.quantities import Angle, Duration, Factor, Length, Speed, TurnRate
from devs_robotics.scenarios.settings.tables import Count, SettingsTable
from devs_robotics.view import scene as shapes
from devs_robotics.view.marks import Shown
from devs_robotics.view.scene import Mark

__all__ = [
    "Acceptor",
    "Action",
    "Allowance",
    "Angle",
    "AskCharge",
    "Battery",
    "CaseStudy",
    "CaseSystem",
    "Charge",
    "Charger",
    "Count",
    "Duration",
    "Factor",
    "FixQuality",
    "Floor",
    "Frame",
    "Heard",
    "Lamp",
    "Length",
    "Mark",
    "Means",
    "OverheadCamera",
    "PoseChange",
    "Question",
    "Radio",
    "Recharge",
    "Robot",
    "RobotKind",
    "Say",
    "SettingsTable",
    "Shown",
    "Speed",
    "Thing",
    "TimedTransducer",
    "Transducer",
    "Transient",
    "TurnRate",
    "Verdict",
    "VirtualActivity",
    "VirtualRadio",
    "WheelSpeed",
    "World",
    "WorldModel",
    "answers",
    "batteries",
    "metric",
    "robots",
    "run",
    "shapes",
]
