"""The e-puck's eight proximity sensors, asked or watched: in the environment model, and in the loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from devs_robotics import Answered, Asked, Crossed, Proximity, Sense, Sensor, Service, Watch
from devs_robotics.core.robots.crossings import Values, crossings
from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE, RESPONSES, ResponseName
from devs_robotics.core.robots.epuck2.ring import DEFAULT_RING, RINGS, RingName
from devs_robotics.core.robots.epuck2.sensing.proximity import farthest, level_distance, reading, readings
from devs_robotics.models.activities.element_readings import Elements, VirtualReading, VirtualWatch
from devs_robotics.models.activities.hardware import HardwareActivity
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.environment.questions import Cast, Distances
from devs_robotics.models.environment.sensing import Noticed, Watching

if TYPE_CHECKING:
    from numpy import float64, uint64
    from numpy.typing import NDArray

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

    def readings(self, answer: Any, errors: Sequence[float]) -> Values:
        """By the response."""
        response = self.response
        if self.noise is None:
            return tuple([0.0 if each == inf else float(reading(response, each)) for each in answer.values])
        return tuple([float(reading(response, *each)) for each in zip(answer.values, errors, strict=True)])

    def alike(self) -> Hashable:
        """Sensors of one response and noise."""
        return self.kind, self.response, self.noise

    def read_all(self, keys: NDArray[uint64], values: NDArray[float64], time: float) -> NDArray[float64]:
        """By the response."""
        errors = 0.0 if self.noise is None else self.noise.errors_of_all(keys, time)
        return readings(self.response, values, errors).astype(float)


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

    def hardware(self, *, both: bool = False) -> HardwareActivity | None:
        """A real robot's, or the nearer of what that and the model see."""
        return LoopProximity(self) if both else None


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

    def ask(self, question: Watch) -> Watching:
        """A watch of distances: the nearer, the larger the reading."""
        self._looked_for = {}
        if self._sensors.noise is not None or not question.levels:
            return super().ask(question)
        response = self._sensors.response
        self._looked_for = {level_distance(response, level - HALF): level for level in question.levels}
        levels = tuple(sorted(self._looked_for))
        return Watching(self._sensors.question(self.robot), levels, question.period, question.offset)

    def crossed(self, noticed: Noticed) -> Crossed:
        """The nearer, the larger the reading: it rises where the distance falls."""
        return super().crossed(replace(noticed, rising=not noticed.rising))

    def hardware(self, *, both: bool = False) -> HardwareActivity | None:
        """A real robot's, or the nearer of what that and the model see."""
        return LoopProximityWatch(self) if both else None


class LoopProximity(HardwareActivity):
    """Proximity sensors that see what is real and what is modelled: of each the larger reading.

    Its states are those of a `HardwareActivity`; it answers when both have.

    Ports, besides those of a `HardwareActivity`:
        world: ray casts in the environment

    Args:
        modelled: the sensors in the environment model
    """

    world = Sensor(Cast, Distances)

    robot: int = 0

    def __init__(self, modelled: VirtualProximity) -> None:
        super().__init__(modelled.name, "proximity", Sense, Proximity)
        self._modelled = modelled
        self._seen: tuple[deque[Values], deque[Values]] = deque(), deque()
        """What the robot, and the model, have answered; either answers each question once, in order."""

    def deltext(self, e: float) -> None:
        """Ask both, or take their answers."""
        real, modelled = self._seen
        for told in self.device.answer.values:
            if told.name == self.name and isinstance(told.answer, Proximity):
                real.append(told.answer.values)
        self._modelled.time += e
        modelled += [self._modelled.answer(distances).values for distances in self.world.answer.values]
        super().deltext(e)
        while real and modelled:
            self._answers.append(Proximity(_larger(real.popleft(), modelled.popleft())))
            self.sigma = 0.0

    def answer(self, answer: Answered) -> None:
        """Nothing, before the model has answered too."""

    def lambdaf(self) -> None:
        """Ask both, or answer."""
        super().lambdaf()
        self._modelled.robot = self.robot
        for _ in self._questions:
            question = self._modelled.to_other(self._modelled.ask(Sense()))
            assert isinstance(question, Cast)
            self.world.ask.add(question)


class LoopProximityWatch(HardwareActivity):
    """The same sensors, watched: what is told is what the larger readings do.

    Its states are those of a `HardwareActivity`; the first answer comes when both have told theirs.

    Ports, besides those of a `HardwareActivity`:
        world: a watch of ray casts in the environment

    Args:
        modelled: the sensors in the environment model
    """

    world = Sensor(Watching, Noticed)

    robot: int = 0

    def __init__(self, modelled: VirtualProximityWatch) -> None:
        super().__init__(modelled.name, "watch", Watch, Crossed)
        self._modelled = modelled
        self._watch = Watch()
        self._real: Values | None = None
        self._virtual: Values | None = None
        self._told: Values | None = None

    def ask(self, question: Watch) -> Asked:
        """A new watch, of both."""
        self._watch = question
        self._real = self._virtual = self._told = None
        return Asked(self.name, question)

    def answer(self, answer: Answered) -> None:
        """Nothing, before it is held against what the model tells."""

    def deltext(self, e: float) -> None:
        """Begin a watch, or take what either tells."""
        super().deltext(e)
        for told in self.device.answer.values:
            if told.name == self.name and isinstance(told.answer, Crossed):
                self._real = told.answer.values
        for noticed in self.world.answer.values:
            self._virtual = self._modelled.values(noticed)
        self._answers += self._crossed()
        if self._answers:
            self.sigma = 0.0

    def lambdaf(self) -> None:
        """Begin a watch of both, or tell."""
        super().lambdaf()
        self._modelled.robot = self.robot
        for asked in self._questions:
            self.world.ask.add(self._modelled.to_other(self._modelled.ask(asked.question)))

    def _crossed(self) -> Iterator[Crossed]:
        """What is new of the larger readings."""
        if self._real is None or self._virtual is None:
            return
        before, now = self._told, _larger(self._real, self._virtual)
        self._told = now
        if before is None:
            yield Crossed(now)
        else:
            yield from crossings(self._watch.levels, before, now)


def _larger(one: Values, other: Values) -> Values:
    return tuple(map(max, one, other))
