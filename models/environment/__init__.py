"""The environment model (Hu & Zeigler, Fig. 7): TimeManagers pace motions, the SpaceManager keeps poses."""

from devs_robotics.models.environment.actions import Action
from devs_robotics.models.environment.air import Air, Reception, Transmit
from devs_robotics.models.environment.environment import Environment
from devs_robotics.models.environment.field import Field, Pose
from devs_robotics.models.environment.floor import Floor, FloorPattern, Line, Patch, Picture, Sectors, Stripes
from devs_robotics.models.environment.lamps import Lamp
from devs_robotics.models.environment.messages import (
    ArcMotion,
    Become,
    BodyChange,
    BodyMotion,
    Carry,
    Disturbance,
    Follow,
    GlideMotion,
    Halted,
    Join,
    Leave,
    Motion,
    MotionEnded,
    PoseChange,
    PutDown,
    TrajectoryChange,
    Twist,
)
from devs_robotics.models.environment.questions import (
    Call,
    Cast,
    Contact,
    Distances,
    Feel,
    Heeded,
    Look,
    Probe,
    ProbeAside,
    Question,
    Reading,
    Readings,
    Room,
    Seen,
)
from devs_robotics.models.environment.radio import Heard, Radio, Say
from devs_robotics.models.environment.sensing import Noticed, Outlook, Unwatch, Watching
from devs_robotics.models.environment.shapes import Circle, Polygon, Segment, Shape, box
from devs_robotics.models.environment.space_manager import SpaceManager
from devs_robotics.models.environment.things import Thing, Things
from devs_robotics.models.environment.time_manager import TimeManager
from devs_robotics.models.environment.traits import Traits
from devs_robotics.models.environment.world import World
from devs_robotics.models.environment.world_model import WorldModel, answers

__all__ = [
    "Action",
    "Air",
    "ArcMotion",
    "Become",
    "BodyChange",
    "BodyMotion",
    "Call",
    "Carry",
    "Cast",
    "Circle",
    "Contact",
    "Distances",
    "Disturbance",
    "Environment",
    "Feel",
    "Field",
    "Floor",
    "FloorPattern",
    "Follow",
    "GlideMotion",
    "Halted",
    "Heard",
    "Heeded",
    "Join",
    "Lamp",
    "Leave",
    "Line",
    "Look",
    "Motion",
    "MotionEnded",
    "Noticed",
    "Outlook",
    "Patch",
    "Picture",
    "Polygon",
    "Pose",
    "PoseChange",
    "Probe",
    "ProbeAside",
    "PutDown",
    "Question",
    "Radio",
    "Reading",
    "Readings",
    "Reception",
    "Room",
    "Say",
    "Sectors",
    "Seen",
    "Segment",
    "Shape",
    "SpaceManager",
    "Stripes",
    "Thing",
    "Things",
    "TimeManager",
    "Traits",
    "TrajectoryChange",
    "Transmit",
    "Twist",
    "Unwatch",
    "Watching",
    "World",
    "WorldModel",
    "answers",
    "box",
]
