"""The e-puck's eight proximity sensors, asked or watched: in the environment model, and in the loop."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import inf

from devs_robotics import Answered, Asked, Crossed, Sense, Sensor, Service, Watch
from devs_robotics.core.robots.crossings import Values, crossings
from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE, RESPONSES, ResponseName
from devs_robotics.core.robots.epuck2.ring import DEFAULT_RING, RINGS, RingName
from devs_robotics.core.robots.epuck2.sensing.proximity import farthest, level_distance, reading
from devs_robotics.core.robots.messages import Proximity
from devs_robotics.models.activities.hardware import HardwareActivity
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

    def hardware(self, *, both: bool = False) -> HardwareActivity | None:
        """A real robot's, or the nearer of what that and the model see."""
        return LoopProximity(self) if both else None


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
            self.world.ask.add(self._modelled.ask(Sense()))


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
            self._virtual = self._modelled.answer(noticed).values
        self._answers += self._crossed()
        if self._answers:
            self.sigma = 0.0

    def lambdaf(self) -> None:
        """Begin a watch of both, or tell."""
        super().lambdaf()
        self._modelled.robot = self.robot
        for asked in self._questions:
            self.world.ask.add(self._modelled.ask(asked.question))

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


def _reads(response: ResponseName) -> Callable[[float], float]:
    """What a sensor reads at a distance (m)."""
    curve = RESPONSES[response]
    return lambda distance: float(reading(curve, distance))
