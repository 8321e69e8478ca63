"""What virtual sensors of several elements have in common: asked, or watched; their readings, with noise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from devs_robotics import Crossed, ModelError, Sensor, Service, Watch
from devs_robotics.core.robots.crossings import crossings
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.sensing import Noticed, Watching


class Elements(ABC):
    """A sensor: what it asks of the world, and what it reads of the answer; whoever asks or watches it.

    A sensor of one's own is one subclass, and two services over it: a `VirtualReading` and a `VirtualWatch`.

    Args:
        count: number of its elements
        noise: of its readings

    Attributes:
        kind: what is measured; noise of each kind has numbers of its own
    """

    kind: ClassVar[str]

    def __init__(self, count: int, noise: ReadingNoise | None = None) -> None:
        self.count = count
        self.noise = noise

    @abstractmethod
    def question(self, robot: int) -> Question:
        """What a robot asks of the world."""

    @abstractmethod
    def readings(self, answer: Any, errors: tuple[float, ...]) -> tuple[float, ...]:
        """What the elements read.

        Args:
            answer: of the world
            errors: that noise adds to each, as a share of the largest reading
        """


class _Reading(VirtualActivity):
    """What is common to asking and watching: errors by the present time."""

    def __init__(self, name: str, elements: Elements) -> None:
        super().__init__(name)
        self.elements = elements
        self.time = 0.0
        self._keys: tuple[int, ...] = ()
        self._exact = (0.0,) * elements.count

    def deltext(self, e: float) -> None:
        """Count time, and ask or take answers."""
        self.time += e
        super().deltext(e)

    def read(self, answer: Any) -> tuple[float, ...]:
        """The readings that an answer means now."""
        noise = self.elements.noise
        if noise is None:
            return self.elements.readings(answer, self._exact)
        if not self._keys:
            self._keys = noise.keys(self.robot, self.elements.kind, self.elements.count)
        return self.elements.readings(answer, noise.errors(self._keys, self.time))


class VirtualReading(_Reading):
    """A sensor that is asked one time at a time; a subclass declares its service, and says what message it answers.

    Its states are those of a `VirtualActivity`.
    """

    def ask(self, question: Any) -> Question:
        """What the sensor asks of the world."""
        return self.elements.question(self.robot)


class VirtualWatch(_Reading):
    """A sensor that tells by itself when what it reads has changed, on a raster in time.

    Its states are those of a `VirtualActivity`.

    Ports:
        watch: which changes are told, and the readings
        world: a watch in the environment
    """

    watch = Service(Watch, Crossed)
    world = Sensor(Watching, Noticed)

    def __init__(self, name: str, elements: Elements) -> None:
        super().__init__(name, elements)
        self._levels: tuple[float, ...] = ()
        self._told: tuple[float, ...] | None = None

    def ask(self, question: Watch) -> Watching:
        """A watch on the raster that is wanted; with noise, of each of its points."""
        if not question.period:
            raise ModelError(
                f"robot {self.robot}'s {self.name} is watched at instants, and can be on a raster in time only: give "
                "the Watch a period"
            )
        self._levels, self._told = tuple(sorted(question.levels)), None
        every = self.elements.noise is not None
        return Watching(self.elements.question(self.robot), (), question.period, question.offset, every)

    def deltext(self, e: float) -> None:
        """Begin a watch, or tell what has changed; of what is noticed at one instant, each level that is crossed."""
        super().deltext(e)
        self._answers = [crossed for crossings in self._answers for crossed in crossings]

    def answer(self, answer: Noticed) -> Iterable[Crossed] | None:
        """What has changed since it was told last."""
        before, values = self._told, self.read(answer.answer)
        self._told = values
        if before is None:
            return (Crossed(values),)
        return tuple(crossings(self._levels, before, values)) or None
