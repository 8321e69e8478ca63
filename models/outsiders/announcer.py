"""Robots that are models live among those whose programs are outside: these, and viewers, are told where they are."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from msgspec import Struct

from devs_robotics import Atomic, In, Link, ModelError, Out, Sensor
from devs_robotics.core.robots.outside import OwnJoined, OwnMoved, Portrait, Pose, Reality, ToOutside
from devs_robotics.models.environment.questions import Locate, Whereabouts

PERIOD = 0.5
"""Time between two looks (s): so often published programs say where they are."""


class OwnRobot(Struct, frozen=True):
    """A robot that is a model, as it is known outside.

    Attributes:
        robot: its number there
        reality: real or virtual
        radius: of its body (m)
    """

    robot: int
    reality: Reality
    radius: float


class Announcer(Atomic):
    """Tells all outside that robots which are models are there, each time that the broker is, and then where they are.

    =======  =================  ==============================================  ====================
    phase    time advance       output                                          next phase
    =======  =================  ==============================================  ====================
    away     ∞                                                                  looking, on a link
    looking  0                  world: where they are                           waiting
    waiting  until it is time   none                                            looking, or telling
             for the next look
    telling  0                  told: who is there, or is elsewhere now; moved  waiting
    =======  =================  ==============================================  ====================

    Ports:
        linked: word of the link to the broker
        world: asks the environment where they are
        told: what is told outside
        moved: the same, for who keeps it

    Args:
        own: the robots, by the numbers of their bodies
        period: between two looks (s)

    Raises:
        ModelError: the period is not above 0
    """

    linked = In(Link)
    world = Sensor(Locate, Whereabouts)
    told: Out[ToOutside] = Out(ToOutside)
    moved = Out(OwnMoved)

    def __init__(self, name: str, own: Mapping[int, OwnRobot], period: float = PERIOD) -> None:
        super().__init__(name)
        if not 0.0 < period < inf:
            raise ModelError(f"announcer {name!r}: its period must be above 0 s, not {period:g}")
        self.own = dict(own)
        self.period = period
        self._known: dict[int, Pose] = {}
        """Where the robots are by what was told last, by the numbers of their bodies."""
        self._joined: list[Portrait] = []
        self._elsewhere: list[Portrait] = []

    def initialize(self) -> None:
        """Wait for the broker."""
        self.passivate("away")

    def deltext(self, e: float) -> None:
        """The broker is there, or gone; or the world says where the robots are."""
        self.continuef(e)
        for link in self.linked.values:
            self._known.clear()
            if link.up:
                self.activate("looking")
            else:
                self.passivate("away")
        for located in self.world.answer.values:
            if self.phase != "away":
                self._compare(located)

    def lambdaf(self) -> None:
        """Look, or tell."""
        if self.phase == "telling":
            for portrait in self._joined:
                self.told.add(OwnJoined(portrait))
            if self._elsewhere:
                moved = OwnMoved(tuple(self._elsewhere))
                self.told.add(moved)
                self.moved.add(moved)
        elif self.phase == "looking":
            self.world.ask.add(Locate(0, sensor=self.name, bodies=tuple(sorted(self.own))))

    def deltint(self) -> None:
        """Wait for the answer, or for the next look."""
        if self.phase == "waiting":
            self.activate("looking")
            return
        self._joined.clear()
        self._elsewhere.clear()
        self.hold_in("waiting", self.period)

    def _compare(self, located: Whereabouts) -> None:
        for body, *pose in located.poses:
            own, (x, y, heading) = self.own[body], pose
            if self._known.get(body) == (x, y, heading):
                continue
            portrait = Portrait(own.robot, own.reality, (x, y, heading), 0.0, own.radius)
            if body not in self._known:
                self._joined.append(portrait)
            self._elsewhere.append(portrait)
            self._known[body] = x, y, heading
        if self._elsewhere:
            self.activate("telling")
