"""A tracking system, such as a camera above the field, as the models see it."""

from __future__ import annotations

from math import inf, isfinite

import msgspec

from devs_robotics import Atomic, Fix, In, Link, Out, Packet, Port
from devs_robotics.core.ports import add_port
from devs_robotics.hil import robot_protocol

_decoder = msgspec.json.Decoder(robot_protocol.Fix)


class Tracker(Atomic):
    """Turns the packets of a tracking system into fixes; what is no fix of one of its robots is counted and dropped.

    All fixes leave through `fix`, for whoever observes them, and each through its robot's own port, so that a fix costs
    nothing to the other robots.

    Args:
        robots: numbers of the robots whose fixes are wanted

    Attributes:
        fix_of: a port for each robot's fixes, by its number
        dropped: packets that were none, by what was wrong
    """

    incoming: In[Packet | Link] = In(Packet | Link)
    fix = Out(Fix)

    def __init__(self, name: str, robots: frozenset[int]) -> None:
        super().__init__(name)
        self.robots = robots
        self.fix_of: dict[int, Port[Fix]] = {robot: Port(Fix, f"fix_of_robot{robot}") for robot in sorted(robots)}
        for port in self.fix_of.values():
            add_port(self, port, "out")
        self.dropped: dict[str, int] = {}
        self._fixes: list[Fix] = []

    def deltext(self, e: float) -> None:
        """Take what has come."""
        for content in self.incoming.values:
            if isinstance(content, Packet):
                self._take(content.data)
        self.sigma = 0.0 if self._fixes else inf

    def lambdaf(self) -> None:
        """Hand the fixes on."""
        for fix in self._fixes:
            self.fix.add(fix)
            self.fix_of[fix.robot].add(fix)

    def deltint(self) -> None:
        """Wait for the next."""
        self._fixes.clear()
        self.sigma = inf

    def _take(self, data: bytes) -> None:
        if len(data) > robot_protocol.LARGEST:
            return self._drop("too long")
        try:
            fix = _decoder.decode(data)
        except robot_protocol.UNREADABLE:
            return self._drop("no fix")
        if fix.robot not in self.robots:
            return self._drop("another robot's")
        if not all(map(isfinite, (fix.x, fix.y, fix.heading))):
            return self._drop("no fix")
        self._fixes.append(Fix(fix.robot, fix.x, fix.y, fix.heading))
        return None

    def _drop(self, why: str) -> None:
        self.dropped[why] = self.dropped.get(why, 0) + 1
