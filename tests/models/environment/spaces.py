"""SpaceManagers on their own, which tell all usual answers."""

from __future__ import annotations

from devs_robotics.models.environment import Contact, Distances, Field, Halted, MotionEnded, Room, SpaceManager, World
from devs_robotics.models.environment.time_manager import Pace


def space_manager(field: Field, whisker_reach: float = 0.03, pace: Pace | None = None) -> SpaceManager:
    """A SpaceManager of a field whose bodies are there, with ports for the answers of each robot."""
    space = SpaceManager("space", World(field, whisker_reach, pace))
    for robot in range(1, len(field.x) + 1):
        for answer in (MotionEnded, Distances, Contact, Room, Halted):
            space.offer(answer, robot)
    return space
