"""The environment model (Hu & Zeigler, Fig. 7): TimeManagers pace motions, the SpaceManager keeps poses."""

from devs_robotics.models.environment.environment import Environment
from devs_robotics.models.environment.field import Field, Pose
from devs_robotics.models.environment.messages import Disturbance, Motion, MotionEnded, PoseChange, Stopped, Twist
from devs_robotics.models.environment.questions import Cast, Distances, Feel, Contact, Probe, Question, Room
from devs_robotics.models.environment.radio import Heard, Radio, Say
from devs_robotics.models.environment.sensing import Forecast, Noticed, Unwatch, Watching
from devs_robotics.models.environment.shapes import Circle, Polygon, Segment, Shape, box
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.time_manager import TimeManager
from devs_robotics.models.environment.world import World
from devs_robotics.models.environment.world_model import WorldModel, answers

__all__ = [
    "World",
    "Watching",
    "Unwatch",
    "Twist",
    "Stopped",
    "Question",
    "Noticed",
    "Forecast",
    "Cast",
    "Circle",
    "Distances",
    "Disturbance",
    "Environment",
    "Feel",
    "Contact",
    "Field",
    "Heard",
    "Motion",
    "MotionEnded",
    "Polygon",
    "Pose",
    "PoseChange",
    "Probe",
    "Radio",
    "Room",
    "Say",
    "Segment",
    "Shape",
    "SpaceManager",
    "TimeManager",
    "WorldModel",
    "answers",
    "box",
]
