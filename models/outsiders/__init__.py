"""Robots whose programs are outside: who of them is there, and what they sense in the world."""

from devs_robotics.models.outsiders.airwaves import Airwaves
from devs_robotics.models.outsiders.announcer import Announcer, OwnRobot
from devs_robotics.models.outsiders.doubles import Doubled
from devs_robotics.models.outsiders.presence import Presence
from devs_robotics.models.outsiders.rules import USUAL, Rules
from devs_robotics.models.outsiders.starting import Starter

__all__ = ["USUAL", "Airwaves", "Announcer", "Doubled", "OwnRobot", "Presence", "Rules", "Starter"]
