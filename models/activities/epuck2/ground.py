"""The e-puck's three ground sensors in the environment model: how bright the floor is below; asked, or watched."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, sin
from typing import Any

from msgspec import Struct

from devs_robotics import Ground, ModelError, Sense, Sensor, Service
from devs_robotics.core.robots.epuck2.ground import PLACES
from devs_robotics.core.robots.epuck2.sensing.ground import reading
from devs_robotics.models.activities.element_readings import Elements, VirtualReading, VirtualWatch
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.environment.floor import Floor
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.sensing import Outlook
from devs_robotics.models.environment.world import World

Place = tuple[float, float]
"""Ahead and to the left of the robot's middle (m)."""

ALIKE = (1.0, 1.0, 1.0)
"""Gains of sensors that read the same of the same floor."""

WHITE_FLOOR = Floor()
"""What there is where no floor was added."""


class Greys(Struct, frozen=True):
    """The answer to `FloorBelow`: how bright the floor is below each sensor, from 0 (black) to 1."""

    robot: int
    values: tuple[float, ...]


class FloorBelow(Question, frozen=True):
    """How bright is the floor below?

    Attributes:
        places: of the sensors, in the robot's frame
    """

    places: tuple[Place, ...]

    def answer(self, world: World) -> Greys:
        """Of the floor that was added, or of a white one."""
        floor = floor_of(world)
        return Greys(self.robot, tuple([floor.grey(x, y) for x, y in self.points(world)]))

    def points(self, world: World) -> list[tuple[float, float]]:
        """Where the sensors are now (m)."""
        x, y, heading = world.pose(self.robot)
        c, s = cos(heading), sin(heading)
        return [(x + ahead * c - left * s, y + ahead * s + left * c) for ahead, left in self.places]

    def outlook(self, world: World) -> FloorOutlook:
        """How long it stays as bright."""
        return FloorOutlook(self, world)


class FloorOutlook(Outlook):
    """What a watch of the floor needs: nothing changes before a sensor can have come to the edge of its piece."""

    question: FloorBelow
    holds_at_rest = True

    def is_quiet(self, answer: Greys) -> bool:
        """Other bodies do not matter."""
        return True

    def alone(self, until: float) -> float:
        """When a sensor can have come to an edge."""
        question, field, body = self.question, self.world.field, self.question.robot - 1
        speed, rate = abs(field.bodies.speed[body]), abs(field.bodies.turn_rate[body])
        if not speed and not rate:
            return until
        floor, first = floor_of(self.world), inf
        for (x, y), place in zip(question.points(self.world), question.places, strict=True):
            first = min(first, floor.margin(x, y) / (speed + rate * hypot(*place)))
        return min(until, field.now + first)


def floor_of(world: World) -> Floor:
    """The floor of a world; a white one, where none was added.

    Raises:
        ModelError: there are several
    """
    floors = world.things.of(Floor)
    if len(floors) > 1:
        raise ModelError(f"the world has {len(floors)} floors: add one, with the patterns of all")
    return floors[0] if floors else WHITE_FLOOR


class GroundSensors(Elements):
    """Three ground sensors ahead of the axle: left, centre and right; 0 is black, 1023 white.

    Args:
        black: what each reads of black
        gain: how much more each reads of white, as a share of the largest reading
        noise: of their readings
    """

    kind = "ground"

    def __init__(
        self, black: Sequence[float] = (0.0, 0.0, 0.0), gain: Sequence[float] = ALIKE, noise: ReadingNoise | None = None
    ) -> None:
        super().__init__(len(PLACES), noise)
        if len(black) != len(PLACES) or len(gain) != len(PLACES):
            raise ModelError(
                f"an e-puck2 has {len(PLACES)} ground sensors: give black and gain as many numbers, left, centre, right"
            )
        self.black, self.gain = tuple(black), tuple(gain)

    def question(self, robot: int) -> FloorBelow:
        """How bright it is below each."""
        return FloorBelow(robot, PLACES)

    def readings(self, answer: Any, errors: Sequence[float]) -> tuple[float, ...]:
        """By each sensor's black and gain."""
        each = zip(answer.values, self.black, self.gain, errors, strict=True)
        return tuple([float(reading(*values)) for values in each])


class VirtualGround(VirtualReading):
    """Ground sensors, asked one time at a time.

    Its states are those of a `VirtualActivity`.

    Ports:
        ground: a question, and the readings (0: black, 1023: white), from left to right
        world: how bright the floor is below

    Args:
        black, gain, noise: as of `GroundSensors`
    """

    ground = Service(Sense, Ground)
    world = Sensor(FloorBelow, Greys)

    def __init__(
        self,
        name: str,
        black: Sequence[float] = (0.0, 0.0, 0.0),
        gain: Sequence[float] = ALIKE,
        noise: ReadingNoise | None = None,
    ) -> None:
        super().__init__(name, GroundSensors(black, gain, noise))

    def answer(self, answer: Greys) -> Ground:
        """What the sensors read."""
        return Ground(self.read(answer))


class VirtualGroundWatch(VirtualWatch):
    """The same sensors, which tell by themselves when what they read has changed.

    Its states and ports are those of a `VirtualWatch`.

    Args:
        black, gain, noise: as of `GroundSensors`
    """

    def __init__(
        self,
        name: str,
        black: Sequence[float] = (0.0, 0.0, 0.0),
        gain: Sequence[float] = ALIKE,
        noise: ReadingNoise | None = None,
    ) -> None:
        super().__init__(name, GroundSensors(black, gain, noise))
