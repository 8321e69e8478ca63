"""A tracking system of ROS 2, as the models see it: transforms or poses, which become fixes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from devs_robotics.hil import robot_protocol
from devs_robotics.hil.protocols.ros2.fixes import FixSource, FixTopic, RobotFixes
from devs_robotics.hil.protocols.ros2.type_store import MessageError
from devs_robotics.hil.tracking import UnreadableFixError


class Ros2Fixes:
    """Reads fixes of ROS 2 for a `Tracker`.

    Args:
        source: where they come from
        robots: namespaces of the robots, by their numbers; None: it has none that is known

    Raises:
        Ros2Error: nothing tells what a robot's frame is called, or two robots would have one pose
    """

    def __init__(self, source: FixSource, robots: Mapping[int, str | None]) -> None:
        self._fixes = RobotFixes(source, robots)

    @property
    def topics(self) -> tuple[FixTopic, ...]:
        """What is to be read."""
        return self._fixes.topics

    def read(self, data: bytes, time: float) -> Sequence[robot_protocol.Fix]:
        """The fixes that a packet makes known."""
        try:
            found = self._fixes.read(data, time)
        except MessageError:
            raise UnreadableFixError("no message of its topic") from None
        return [robot_protocol.Fix(robot=each.robot, x=each.x, y=each.y, heading=each.heading) for each in found]
