"""A tracking system, such as a camera above the field, as the models see it."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite

import msgspec

from devs_robotics import Atomic, Fix, In, Link, Out, Packet, Port, TrackChange
from devs_robotics.core.ports import add_port
from devs_robotics.core.robots.track_gate import TrackGate
from devs_robotics.hil import robot_protocol

_decoder = msgspec.json.Decoder(robot_protocol.Fix)


class Tracker(Atomic):
    """Turns the packets of a tracking system into fixes; what is no fix of one of its robots is counted and dropped.

    All fixes leave through `fix`, for whoever observes them, and each through its robot's own port, so that a fix costs
    nothing to the other robots. A fix that says its age has the time of its exposure.

    ========  ============================  =========================  ========
    phase     time advance                  output                     next
    ========  ============================  =========================  ========
    passive   until a robot is lost         track                      passive
    active    0                             fix, fix_of..., track      passive
    ========  ============================  =========================  ========

    Args:
        robots: numbers of the robots whose fixes are wanted
        speeds: how fast they can drive (m/s), where a jump beyond that is to be doubted
        lost: time without a fix after which a robot is lost (s); infinite: never

    Ports:
        track: which robots are lost, and found again

    Attributes:
        fix_of: a port for each robot's fixes, by its number
        dropped: packets that were none, by what was wrong
        losses: how often each robot was lost, of those that were
    """

    incoming: In[Packet | Link] = In(Packet | Link)
    fix = Out(Fix)
    track = Out(TrackChange)

    def __init__(
        self, name: str, robots: frozenset[int], speeds: Mapping[int, float] | None = None, lost: float = inf
    ) -> None:
        super().__init__(name)
        self.robots = robots
        self.fix_of: dict[int, Port[Fix]] = {robot: Port(Fix, f"fix_of_robot{robot}") for robot in sorted(robots)}
        for port in self.fix_of.values():
            add_port(self, port, "out")
        self.dropped: dict[str, int] = {}
        self.losses: dict[int, int] = {}
        self._gate = TrackGate({robot: (speeds or {}).get(robot, inf) for robot in sorted(robots)}, lost)
        self._time = 0.0
        self._fixes: list[Fix] = []
        self._found: list[TrackChange] = []

    def initialize(self) -> None:
        """Wait for the first fix."""
        self.passivate()

    def deltext(self, e: float) -> None:
        """Take what has come."""
        self._time += e
        for content in self.incoming.values:
            if isinstance(content, Packet):
                self._take(content.data)
        self._wait()

    def lambdaf(self) -> None:
        """Hand the fixes on, and tell who is lost."""
        for fix in self._fixes:
            self.fix.add(fix)
            self.fix_of[fix.robot].add(fix)
        for change in (*self._found, *self._gate.losing(self._due)):
            self.track.add(change)

    def deltint(self) -> None:
        """Wait for the next."""
        self._time = self._due
        for change in self._gate.lose(self._time):
            self.losses[change.robot] = self.losses.get(change.robot, 0) + 1
        self._fixes.clear()
        self._found.clear()
        self._wait()

    @property
    def _due(self) -> float:
        """When the next internal event is (s)."""
        return self._time if self._fixes else max(self._time, self._gate.next_loss)

    def _wait(self) -> None:
        if self._fixes:
            self.activate()
        else:
            self.hold_in("passive", self._due - self._time)

    def _take(self, data: bytes) -> None:
        if len(data) > robot_protocol.LARGEST:
            return self._drop("too long")
        try:
            said = _decoder.decode(data)
        except robot_protocol.UNREADABLE:
            return self._drop("no fix")
        if said.robot not in self.robots:
            return self._drop("another robot's")
        if not all(map(isfinite, (said.x, said.y, said.heading))):
            return self._drop("no fix")
        exposed = None if said.age is None else self._time - said.age
        fix = Fix(said.robot, said.x, said.y, said.heading, exposed)
        if why := self._gate.judge(fix, self._time):
            return self._drop(why)
        self._fixes.append(fix)
        if (change := self._gate.found(fix.robot)) is not None:
            self._found.append(change)
        return None

    def _drop(self, why: str) -> None:
        self.dropped[why] = self.dropped.get(why, 0) + 1
