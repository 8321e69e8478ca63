"""The e-puck's eight light sensors in the environment model: what they see of lamps; asked, or watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, sin
from typing import Any

from msgspec import Struct

from devs_robotics import Light, Sense, Sensor, Service
from devs_robotics.core.robots.epuck2.light import REACH
from devs_robotics.core.robots.epuck2.ring import DEFAULT_RING, RINGS, RingName
from devs_robotics.core.robots.epuck2.sensing.light import reading
from devs_robotics.models.activities.element_readings import Elements, VirtualReading, VirtualWatch
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.environment.lamps import Lamp
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.sensing import Outlook
from devs_robotics.models.environment.sight import in_sight
from devs_robotics.models.environment.world import World

SeenLamp = tuple[float, float]
"""Intensity of a lamp, and its distance from the sensor (m)."""


class Lamplight(Struct, frozen=True):
    """The answer to `LampsInSight`: of each sensor, the lamps that nothing hides from it."""

    robot: int
    values: tuple[tuple[SeenLamp, ...], ...]


class LampsInSight(Question, frozen=True):
    """Which lamps do sensors on the edge of the body see? The body itself hides what is behind a sensor.

    Attributes:
        bearings: of the sensors, from the robot's heading (rad)
        reach: beyond which a lamp is not seen (m)
    """

    bearings: tuple[float, ...]
    reach: float

    def answer(self, world: World) -> Lamplight:
        """One line of sight per sensor and lamp that is in reach, on its side of the body."""
        x, y, heading = world.pose(self.robot)
        radius = world.field.radius[self.robot - 1]
        reach = self.reach + radius
        lamps = [lamp for lamp in world.things.of(Lamp) if hypot(lamp.x - x, lamp.y - y) <= reach]
        if not lamps:
            return Lamplight(self.robot, ((),) * len(self.bearings))
        directions = [(cos(heading + bearing), sin(heading + bearing)) for bearing in self.bearings]
        return Lamplight(
            self.robot,
            tuple([tuple(self._seen(world, x + radius * c, y + radius * s, c, s, lamps)) for c, s in directions]),
        )

    def _seen(self, world: World, x: float, y: float, c: float, s: float, lamps: list[Lamp]) -> Iterator[SeenLamp]:
        own = (self.robot - 1,)
        for lamp in lamps:
            if (lamp.x - x) * c + (lamp.y - y) * s >= 0.0:
                distance = hypot(lamp.x - x, lamp.y - y, lamp.height)
                if distance <= self.reach and in_sight(world.field, x, y, lamp.x, lamp.y, own):
                    yield lamp.intensity, distance

    def outlook(self, world: World) -> LampsOutlook:
        """How long it stays dark."""
        return LampsOutlook(self, world)


class LampsOutlook(Outlook):
    """What a watch of light needs: it stays dark until the robot can have come near enough to a lamp."""

    question: LampsInSight
    holds_at_rest = True

    def __init__(self, question: LampsInSight, world: World) -> None:
        super().__init__(question, world)
        field = world.field
        self._body = question.robot - 1
        self._far = question.reach + field.radius[self._body]
        self.reach = self._far + field.largest

    def is_quiet(self, answer: Lamplight) -> bool:
        """Whether no lamp is near enough to be seen, whatever may hide it."""
        return self._way() > 0.0

    def alone(self, until: float) -> float:
        """When it can have come near enough to a lamp."""
        field = self.world.field
        speed = abs(field.bodies.speed[self._body])
        return min(until, field.now + max(0.0, self._way()) / speed) if speed else until

    def _way(self) -> float:
        """To the nearest place from which a lamp may be seen (m)."""
        x, y, _ = self.world.field.pose(self._body)
        lamps = self.world.things.of(Lamp)
        return min((hypot(lamp.x - x, lamp.y - y) for lamp in lamps), default=float("inf")) - self._far


class LightSensors(Elements):
    """Eight light sensors, where the proximity sensors are; 0 is saturated, 4095 dark.

    Args:
        ring: where the sensors look
        noise: of their readings
    """

    kind = "light"

    def __init__(self, ring: RingName = DEFAULT_RING, noise: ReadingNoise | None = None) -> None:
        self.bearings = RINGS[ring].bearings
        super().__init__(len(self.bearings), noise)

    def question(self, robot: int) -> LampsInSight:
        """Which lamps they see."""
        return LampsInSight(robot, self.bearings, REACH)

    def readings(self, answer: Any, errors: Sequence[float]) -> tuple[float, ...]:
        """By the published curve."""
        return tuple([float(reading(*each)) for each in zip(answer.values, errors, strict=True)])


class VirtualLight(VirtualReading):
    """Light sensors round the body, asked one time at a time.

    Its states are those of a `VirtualActivity`.

    Ports:
        light: a question, and the readings (0: saturated, 4095: dark)
        world: which lamps they see

    Args:
        ring: where the sensors look
        noise: of their readings
    """

    light = Service(Sense, Light)
    world = Sensor(LampsInSight, Lamplight)

    def __init__(self, name: str, ring: RingName = DEFAULT_RING, noise: ReadingNoise | None = None) -> None:
        super().__init__(name, LightSensors(ring, noise))

    def answer(self, answer: Lamplight) -> Light:
        """What the sensors read."""
        return Light(self.read(answer))


class VirtualLightWatch(VirtualWatch):
    """The same sensors, which tell by themselves when what they read has changed.

    Its states and ports are those of a `VirtualWatch`.

    Args:
        ring: where the sensors look
        noise: of their readings
    """

    def __init__(self, name: str, ring: RingName = DEFAULT_RING, noise: ReadingNoise | None = None) -> None:
        super().__init__(name, LightSensors(ring, noise))
