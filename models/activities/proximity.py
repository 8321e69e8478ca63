"""The e-puck's eight proximity sensors in the environment model: asked, or watched."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from devs_robotics import Crossed, Sense, Sensor, Service, Watch
from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE, RESPONSES, ResponseName
from devs_robotics.core.robots.epuck2.ring import DEFAULT_RING, RINGS, RingName
from devs_robotics.core.robots.epuck2.sensing.proximity import farthest, level_distance, reading
from devs_robotics.core.robots.messages import Proximity
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Cast, Distances
from devs_robotics.models.environment.sensing import Noticed, Watching

HALF = 0.5
"""Half of a step of a reading: it is at least n where the response is at least n less this, before rounding."""


class VirtualProximity(VirtualActivity):
    """Infrared proximity sensors round the body, asked one time at a time.

    Its states are those of a `VirtualActivity`.

    Ports:
        proximity: a question, and the readings (0: nothing, 4095: touching)
        world: ray casts in the environment

    Args:
        ring: where the sensors look
        response: what they read at which distance
    """

    proximity = Service(Sense, Proximity)
    world = Sensor(Cast, Distances)

    def __init__(self, name: str, ring: RingName = DEFAULT_RING, response: ResponseName = DEFAULT_RESPONSE) -> None:
        super().__init__(name)
        self.bearings = RINGS[ring].bearings
        self.reads = _reads(response)
        self.reach = farthest(RESPONSES[response])

    def ask(self, question: Sense) -> Cast:
        """One ray per sensor."""
        return Cast(self.robot, self.bearings, self.reach, sensor=self.name)

    def answer(self, answer: Distances) -> Proximity:
        """What the sensors read at these distances."""
        reads = self.reads
        return Proximity(tuple([0.0 if distance == inf else reads(distance) for distance in answer.values]))


class VirtualProximityWatch(VirtualActivity):
    """The same sensors, which tell by themselves when what they read has changed.

    Its states are those of a `VirtualActivity`.

    Ports:
        watch: which changes are told, and the readings (0: nothing, 4095: touching)
        world: a watch of ray casts in the environment

    Args:
        ring: where the sensors look
        response: what they read at which distance
    """

    watch = Service(Watch, Crossed)
    world = Sensor(Watching, Noticed)

    def __init__(self, name: str, ring: RingName = DEFAULT_RING, response: ResponseName = DEFAULT_RESPONSE) -> None:
        super().__init__(name)
        self.bearings = RINGS[ring].bearings
        self.response = RESPONSES[response]
        self.reads = _reads(response)
        self.reach = farthest(self.response)
        self._levels: dict[float, float] = {}
        """By distance (m) the level that the decision model has asked for."""

    def ask(self, question: Watch) -> Watching:
        """A watch of distances: the nearer, the larger the reading."""
        self._levels = {level_distance(self.response, level - HALF): level for level in question.levels}
        return Watching(
            Cast(self.robot, self.bearings, self.reach, sensor=self.name),
            tuple(sorted(self._levels)),
            question.period,
            question.offset,
        )

    def answer(self, answer: Noticed) -> Crossed:
        """What the sensors read now, and what has crossed which level."""
        reads = self.reads
        values = tuple([0.0 if distance == inf else reads(distance) for distance in answer.answer.values])
        if answer.element < 0:
            return Crossed(values)
        return Crossed(values, answer.element, self._levels[answer.level], not answer.rising)


def _reads(response: ResponseName) -> Callable[[float], float]:
    """What a sensor reads at a distance (m)."""
    curve = RESPONSES[response]
    return lambda distance: float(reading(curve, distance))
