"""What can be asked of the world, one class per kind of question."""

from devs_robotics.models.environment.questions.calling import Call, Heeded
from devs_robotics.models.environment.questions.locating import Locate, Whereabouts
from devs_robotics.models.environment.questions.looking import Look, Seen
from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.questions.ranging import Cast, Distances
from devs_robotics.models.environment.questions.reading import Reader, Reading, Readings
from devs_robotics.models.environment.questions.room import Probe, ProbeAside, Room
from devs_robotics.models.environment.questions.touch import Contact, Feel

__all__ = [
    "Call",
    "Cast",
    "Contact",
    "Distances",
    "Feel",
    "Heeded",
    "Locate",
    "Look",
    "Probe",
    "ProbeAside",
    "Question",
    "Reader",
    "Reading",
    "Readings",
    "Room",
    "Seen",
    "Whereabouts",
]
