"""What virtual sensors of several elements have in common: asked, or watched; their readings, with noise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from devs_robotics import Crossed, ModelError, Sensor, Service, Watch
from devs_robotics.core.population.rows import Rows
from devs_robotics.core.robots.crossings import Values, crossings
from devs_robotics.models.activities.reading_noise import ReadingNoise
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.questions import Question, Reading, Readings
from devs_robotics.models.environment.sensing import Noticed, Watching

if TYPE_CHECKING:
    from numpy import float64, uint64
    from numpy.typing import NDArray


class Elements(ABC):
    """A sensor: what it asks of the world, and what it reads of the answer; whoever asks or watches it.

    A sensor of one's own is one subclass, and two services over it: a `VirtualReading` and a `VirtualWatch`.

    Args:
        count: number of its elements
        noise: of its readings

    Attributes:
        kind: what is measured; noise of each kind has numbers of its own
        noisy: whether its readings change at every tick
    """

    kind: ClassVar[str]

    def __init__(self, count: int, noise: ReadingNoise | None = None) -> None:
        self.count = count
        self.noise = noise
        self.noisy = noise is not None
        self._exact = (0.0,) * count
        self._keys: dict[int, tuple[int, ...]] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(count={self.count}, noise={self.noise!r})"

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

    def read(self, robot: int, answer: Any, time: float) -> tuple[float, ...]:
        """The readings that an answer means at a time (s)."""
        if self.noise is None:
            return self.readings(answer, self._exact)
        return self.readings(answer, self.noise.errors(self.noise_keys(robot), time))

    def noise_keys(self, robot: int) -> tuple[int, ...]:
        """By what the noise of a robot's elements is drawn; nothing where there is none."""
        if self.noise is None:
            return ()
        if robot not in self._keys:
            self._keys[robot] = self.noise.keys(robot, self.kind, self.count)
        return self._keys[robot]

    def alike(self) -> Hashable | None:
        """Equal for sensors whose readings can be made together; None, as by default, where they cannot."""
        return None

    def read_all(self, keys: NDArray[uint64], values: NDArray[float64], time: float) -> NDArray[float64]:
        """What the elements of many robots read that are `alike`, one row each, to the last bit as `read` says."""
        raise NotImplementedError(f"{type(self).__name__} is alike to others, and so needs a method read_all")


class VirtualReading(VirtualActivity):
    """A sensor that is asked one time at a time; a subclass declares its service, and says what message it answers.

    Its states are those of a `VirtualActivity`.
    """

    def __init__(self, name: str, elements: Elements) -> None:
        super().__init__(name)
        self.elements = elements
        self.time = 0.0

    def ask(self, question: Any) -> Question:
        """What the sensor asks of the world."""
        return self.elements.question(self.robot)

    def deltext(self, e: float) -> None:
        """Count time, and ask or take answers."""
        self.time += e
        super().deltext(e)

    def read(self, answer: Any) -> Values:
        """The readings that an answer means now."""
        return self.elements.read(self.robot, answer, self.time)


class VirtualWatch(VirtualActivity):
    """A sensor that tells by itself when what it reads has changed, on a raster in time.

    Its states are those of a `VirtualActivity`.

    Ports:
        watch: which changes are told, and the readings
        world: a watch in the environment
    """

    watch = Service(Watch, Crossed)
    world = Sensor(Watching, Noticed)

    def __init__(self, name: str, elements: Elements) -> None:
        super().__init__(name)
        self.elements = elements
        self._levels: tuple[float, ...] = ()
        self._told: Values | None = None
        self._looked_for: dict[float, float] = {}
        """By what the world looks for, where that is to look for levels: the level that is meant."""

    def ask(self, question: Watch) -> Watching:
        """A watch on the raster that is wanted; with noise, of each of its points."""
        if not question.period:
            raise ModelError(
                f"robot {self.robot}'s {self.name} is watched at instants, and can be on a raster in time only: give "
                "the Watch a period"
            )
        self._levels, self._told = tuple(sorted(question.levels)), None
        elements = self.elements
        reading = Reading(self.robot, elements.question(self.robot), elements)
        return Watching(reading, (), question.period, question.offset, elements.noisy)

    def alike(self) -> Hashable | None:
        """Watches of sensors that are alike, and look alike."""
        alike = self.elements.alike()
        return None if alike is None else (type(self), self.name, alike, self.elements.question(1))

    def ask_rows(self, rows: Rows) -> Rows | None:
        """One watch for many robots, if they want the same, without levels."""
        watch = rows.same
        if not isinstance(watch, Watch) or watch.levels or not watch.period:
            return None
        return Rows.of_one(Watching, rows.robots, self.to_other(self.ask(watch)))

    def answer_rows(self, rows: Rows) -> Rows | None:
        """What they read now, where that comes in columns: only what has changed is told."""
        return rows.instead(Crossed, {"values": rows.column("values")}) if rows.kind is Readings else None

    def deltext(self, e: float) -> None:
        """Begin a watch, or tell what has changed; of what is noticed at one instant, each level that is crossed."""
        for question in self.watch.ask.values:
            self._questions.append(self.to_other(self.ask(question)))
        for noticed in self.world.answer.values:
            self._answers += self.answer(noticed)
        self.sigma = 0.0 if self._questions or self._answers else inf

    def answer(self, answer: Noticed) -> Sequence[Crossed]:
        """What has changed since it was told last."""
        if self._looked_for:
            return (self.crossed(answer),)
        before, self._told = self._told, answer.answer.values
        if before is None or not self._levels:
            return () if self._told == before else (Crossed(self._told),)
        return tuple(crossings(self._levels, before, self._told))

    def values(self, noticed: Noticed) -> Values:
        """What the sensor reads; where the world looks for levels, it has told its own answer."""
        values: Values = noticed.answer.values
        return self.elements.read(self.robot, noticed.answer, 0.0) if self._looked_for else values

    def crossed(self, noticed: Noticed) -> Crossed:
        """What is told where the world looks for levels."""
        values = self.values(noticed)
        if noticed.element < 0:
            return Crossed(values)
        return Crossed(values, noticed.element, self._looked_for[noticed.level], noticed.rising)
