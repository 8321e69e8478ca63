"""Sonar: how far the robot could go in any direction before it touches something."""

from __future__ import annotations

from functools import partial
from itertools import repeat
from math import cos, inf, radians, sin

from msgspec import Struct

from devs_robotics import Sensor, Service
from devs_robotics.core.noise_by_tick import key, normal
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.world import World

CONE = radians(22.5)
"""Faces that a sound meets at more than this angle from their normal do not return it (rad): Webots' cone of 45 deg."""

NOISE = ((1.0, 0.03), (4.0, 0.13))
"""Standard deviation of a reading, as a share of it, at two distances (m): Webots' table of a Pioneer 3-DX."""


class AskWays(Struct, frozen=True):
    """A question to a sonar: how far is it free in these directions?

    Attributes:
        bearings: from the heading (rad)
        beside: how much more room than its body needs there must be on either side (m)
        asides: how far to the left of the robot each way begins (m, negative: to the right); empty: where it is
    """

    bearings: tuple[float, ...]
    beside: float = 0.0
    asides: tuple[float, ...] = ()


class Ways(Struct, frozen=True):
    """A sonar's answer: how far the robot could go in each direction (m), at most as far as the sonar reaches."""

    values: tuple[float, ...]


class LookForWays(Question, frozen=True, omit_defaults=True):
    """The same question to the world.

    Attributes:
        bearings: from the heading (rad)
        reach: how far it sees (m)
        beside: how much wider than the body the way must be on either side (m)
        asides: how far to the left of the body each way begins (m, negative: to the right); empty: where it is
        cone: whether faces that are met askew are not seen
    """

    bearings: tuple[float, ...]
    reach: float
    beside: float = 0.0
    asides: tuple[float, ...] = ()
    cone: bool = False

    def answer(self, world: World) -> Ways:
        """One cast of the body for each direction."""
        ways = world.field.free_ways(self.robot - 1, self.bearings, self.reach, self.beside, self.asides)
        asides = self.asides or repeat(0.0)
        return Ways(tuple(map(partial(self._seen, world), self.bearings, asides, ways)))

    def _seen(self, world: World, bearing: float, aside: float, way: float) -> float:
        if way == inf or (self.cone and not self._returns(world, bearing, aside, way)):
            return self.reach
        return way

    def _returns(self, world: World, bearing: float, aside: float, way: float) -> bool:
        """Whether what is met there returns the sound: by the normal of the face, where the body would touch it."""
        x, y, heading = world.pose(self.robot)
        ux, uy = cos(heading + bearing), sin(heading + bearing)
        x, y = x - aside * uy + way * ux, y + aside * ux + way * uy
        nx, ny = world.field.normal_at(x, y, self.robot - 1)
        return -(ux * nx + uy * ny) >= cos(CONE)


class VirtualSonar(VirtualActivity):
    """A sonar in the environment model: it looks in directions, with the width of the body.

    Its states are those of a `VirtualActivity`.

    Ports:
        ways: how far it is free in directions
        world: the same question to the environment model

    Args:
        seed: of the run, for noise
        reach: how far it sees (m)
        noise: by which share of the published noise readings err; 0: they are exact
        cone: whether faces that are met askew are not seen
    """

    ways = Service(AskWays, Ways)
    world = Sensor(LookForWays, Ways)

    def __init__(self, name: str, seed: int, reach: float, noise: float = 0.0, *, cone: bool = False) -> None:
        super().__init__(name)
        self.seed, self.reach, self.noise, self.cone = seed, reach, noise, cone
        self._readings = 0
        self._key = 0

    def ask(self, question: AskWays) -> LookForWays:
        """What the world is asked."""
        return LookForWays(self.robot, question.bearings, self.reach, question.beside, question.asides, self.cone)

    def answer(self, answer: Ways) -> Ways:
        """With noise, each reading is off by a share of it."""
        return Ways(tuple(map(self._noisy, answer.values))) if self.noise else answer

    def _noisy(self, way: float) -> float:
        if way >= self.reach:
            return way
        if not self._readings:
            self._key = key(self.seed, self.robot, f"noise of {self.name}")
        (near, least), (far, most) = NOISE
        share = least + (most - least) * min(1.0, max(0.0, (way - near) / (far - near)))
        off = self.noise * share * normal(self._key, self._readings)
        self._readings += 1
        return min(self.reach, max(0.0, way * (1.0 + off)))
