"""The e-puck's eight proximity sensors in the environment model: asked, or watched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

from devs_robotics import Crossed, Proximity, Sense, Sensor, Service, Watch
from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE, RESPONSES, ResponseName
from devs_robotics.core.robots.epuck2.ring import DEFAULT_RING, RINGS, RingName
from devs_robotics.core.robots.epuck2.sensing.proximity import farthest, level_distance, reading
from devs_robotics.models.activities.reading import Elements, VirtualReading, VirtualWatch
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.environment.questions import Cast, Distances
from devs_robotics.models.environment.sensing import Noticed, Watching

HALF = 0.5
"""Half of a step of a reading: it is at least n where the response is at least n less this, before rounding."""


class ProximitySensors(Elements):
    """Eight infrared proximity sensors round the body; 0 is nothing, 4095 touching.

    Args:
        ring: where the sensors look
        response: what they read at which distance
        noise: of their readings
    """

    kind = "proximity"

    def __init__(
        self,
        ring: RingName = DEFAULT_RING,
        response: ResponseName = DEFAULT_RESPONSE,
        noise: ReadingNoise | None = None,
    ) -> None:
        self.bearings = RINGS[ring].bearings
        super().__init__(len(self.bearings), noise)
        self.response = RESPONSES[response]
        self.reach = farthest(self.response)

    def question(self, robot: int) -> Cast:
        """One ray per sensor."""
        return Cast(robot, self.bearings, self.reach)

    def readings(self, answer: Any, errors: Sequence[float]) -> tuple[float, ...]:
        """By the response."""
        response = self.response
        if self.noise is None:
            return tuple([0.0 if each == inf else float(reading(response, each)) for each in answer.values])
        return tuple([float(reading(response, *each)) for each in zip(answer.values, errors, strict=True)])


class VirtualProximity(VirtualReading):
    """Infrared proximity sensors round the body, asked one time at a time.

    Its states are those of a `VirtualActivity`.

    Ports:
        proximity: a question, and the readings (0: nothing, 4095: touching)
        world: ray casts in the environment

    Args:
        ring: where the sensors look
        response: what they read at which distance
        noise: of their readings
    """

    proximity = Service(Sense, Proximity)
    world = Sensor(Cast, Distances)

    def __init__(
        self,
        name: str,
        ring: RingName = DEFAULT_RING,
        response: ResponseName = DEFAULT_RESPONSE,
        noise: ReadingNoise | None = None,
    ) -> None:
        super().__init__(name, ProximitySensors(ring, response, noise))

    def answer(self, answer: Distances) -> Proximity:
        """What the sensors read at these distances."""
        return Proximity(self.read(answer))


class VirtualProximityWatch(VirtualWatch):
    """The same sensors, which tell by themselves when what they read has changed.

    Levels may be watched at their instants, too, if there is no noise: by a `Watch` without a period.

    Its states and ports are those of a `VirtualWatch`.

    Args:
        ring: where the sensors look
        response: what they read at which distance
        noise: of their readings
    """

    def __init__(
        self,
        name: str,
        ring: RingName = DEFAULT_RING,
        response: ResponseName = DEFAULT_RESPONSE,
        noise: ReadingNoise | None = None,
    ) -> None:
        self._sensors = ProximitySensors(ring, response, noise)
        super().__init__(name, self._sensors)
        self._by_distance: dict[float, float] = {}
        """By distance (m) the level that the decision model has asked for, where the world looks for it."""

    def ask(self, question: Watch) -> Watching:
        """A watch of distances: the nearer, the larger the reading."""
        self._by_distance = {}
        if self._sensors.noise is not None or not question.levels:
            return super().ask(question)
        response = self._sensors.response
        self._by_distance = {level_distance(response, level - HALF): level for level in question.levels}
        levels = tuple(sorted(self._by_distance))
        return Watching(self._sensors.question(self.robot), levels, question.period, question.offset)

    def answer(self, answer: Noticed) -> Iterable[Crossed] | None:
        """What the sensors read now, and what has crossed which level."""
        if not self._by_distance:
            return super().answer(answer)
        values = self.read(answer.answer)
        if answer.element < 0:
            return (Crossed(values),)
        return (Crossed(values, answer.element, self._by_distance[answer.level], not answer.rising),)
