"""What questions are answered from: the field with its bodies, and what is known of the robots' sensors and motors."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.followed import FollowedBodies
from devs_robotics.models.environment.motion.trajectory import Pose
from devs_robotics.models.environment.things import Things
from devs_robotics.models.environment.time_manager import Pace


class World:
    """The state of the world, as questions see it; they change nothing.

    Args:
        field: with one body for each robot, robot k being body k - 1
        whisker_reach: how far whiskers stick out ahead of a body (m)
        pace: of virtual motors, for those who ask how long a motion takes; without it, none does
        own: pace of robots that move at another one, by their numbers

    Attributes:
        robots: number of the bodies that were there at the beginning
        followed: counterparts of real robots, which tell where they have gone
        touching: whether the whiskers of each robot touch something, robot 1 first
    """

    def __init__(
        self,
        field: Field,
        whisker_reach: float,
        pace: Pace | None = None,
        own: Mapping[int, Pace] = MappingProxyType({}),
    ) -> None:
        self.field = field
        self.whisker_reach = whisker_reach
        self.pace = pace
        self.own = dict(own)
        self.robots = len(field.x)
        self.followed = FollowedBodies()
        self.touching = [False] * len(field.x)

    @property
    def things(self) -> Things:
        """What there is beside bodies and obstacles, by its type."""
        return self.field.things

    def pose(self, robot: int) -> Pose:
        """Where a robot is now."""
        return self.field.pose(robot - 1)

    def pace_of(self, robot: int) -> Pace | None:
        """How fast a robot's virtual motor moves it; None where that is not known."""
        return self.own.get(robot, self.pace)
