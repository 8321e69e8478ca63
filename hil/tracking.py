"""A tracking system, such as a camera above the field, as the models see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, inf, isfinite, sin
from typing import Protocol

import msgspec
from msgspec import Struct

from devs_robotics import Atomic, Fix, In, Link, Out, Packet, Port, TrackChange
from devs_robotics.core.ports import add_port
from devs_robotics.core.robots.track_gate import TrackGate
from devs_robotics.hil import robot_protocol

_decoder = msgspec.json.Decoder(robot_protocol.Fix)


class UnreadableFixError(Exception):
    """A packet is no fix; the text says what is wrong with it, in few words."""


class FixReader(Protocol):
    """Makes fixes of packets, whatever speaks."""

    def read(self, data: bytes, time: float) -> Sequence[robot_protocol.Fix]:
        """The fixes that a packet tells, which came at a time (s), as its sender sees the field.

        Raises:
            UnreadableFixError: it is none
        """


class JsonFixes:
    """Reads fixes of the project's own protocol."""

    def read(self, data: bytes, time: float) -> Sequence[robot_protocol.Fix]:
        """The fix that a packet is."""
        if len(data) > robot_protocol.LARGEST:
            raise UnreadableFixError("too long")
        try:
            return (_decoder.decode(data),)
        except robot_protocol.UNREADABLE:
            raise UnreadableFixError("no fix") from None


class TrackingFrame(Struct, frozen=True):
    """Where the origin of a tracking system's map lies in the field (m, m), and how its x is turned there (rad)."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0

    def laid(self, fix: robot_protocol.Fix) -> tuple[float, float, float]:
        """A pose on the map, in the field."""
        across, up = cos(self.heading), sin(self.heading)
        return (
            self.x + across * fix.x - up * fix.y,
            self.y + up * fix.x + across * fix.y,
            fix.heading + self.heading,
        )


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
        frame: lays the system's map onto the field
        reader: understands its packets; None: they are of the project's own protocol

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
        self,
        name: str,
        robots: frozenset[int],
        speeds: Mapping[int, float] | None = None,
        lost: float = inf,
        frame: TrackingFrame | None = None,
        reader: FixReader | None = None,
    ) -> None:
        super().__init__(name)
        self.robots = robots
        self.fix_of: dict[int, Port[Fix]] = {robot: Port(Fix, f"fix_of_robot{robot}") for robot in sorted(robots)}
        for port in self.fix_of.values():
            add_port(self, port, "out")
        self.dropped: dict[str, int] = {}
        self.losses: dict[int, int] = {}
        self._frame = frame
        self._reader = JsonFixes() if reader is None else reader
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
        try:
            found = self._reader.read(data, self._time)
        except UnreadableFixError as wrong:
            return self._drop(str(wrong))
        for said in found:
            self._see(said)
        return None

    def _see(self, said: robot_protocol.Fix) -> None:
        """Hand a fix on, if it is one that is wanted, and believed."""
        if said.robot not in self.robots:
            return self._drop("another robot's")
        pose = (said.x, said.y, said.heading) if self._frame is None else self._frame.laid(said)
        if not all(map(isfinite, pose)):
            return self._drop("no fix")
        exposed = None if said.age is None else self._time - said.age
        fix = Fix(said.robot, *pose, exposed)
        if why := self._gate.judge(fix, self._time):
            return self._drop(why)
        self._fixes.append(fix)
        if (change := self._gate.found(fix.robot)) is not None:
            self._found.append(change)
        return None

    def _drop(self, why: str) -> None:
        self.dropped[why] = self.dropped.get(why, 0) + 1
