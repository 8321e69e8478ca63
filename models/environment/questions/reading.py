"""Questions of sensors that read the world's answers in a unit of their own."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.world import World

if TYPE_CHECKING:
    from numpy import float64, uint64
    from numpy.typing import NDArray

    from devs_robotics.models.environment.sensing.readings import ReadingsOutlook


class Reader(Protocol):
    """What a sensor makes of the world's answers: readings of its elements, with or without noise.

    Attributes:
        noisy: whether readings change at every tick, be the answer the same or not
    """

    noisy: bool

    def read(self, robot: int, answer: Any, time: float) -> tuple[float, ...]:
        """What a robot's elements read of an answer at a time (s)."""
        ...

    def alike(self) -> Hashable | None:
        """Equal for those whose readings can be made together, by `read_all`; None where they cannot."""
        ...

    def noise_keys(self, robot: int) -> tuple[int, ...]:
        """By what the noise of a robot's elements is drawn; nothing where there is none."""
        ...

    def read_all(self, keys: NDArray[uint64], values: NDArray[float64], time: float) -> NDArray[float64]:
        """What many robots' elements read, as `read` does to the last bit.

        Args:
            keys: by what their noise is drawn, one row per robot
            values: of the answers, one row per robot
            time: at which they are read (s)
        """
        ...


class Readings(Struct, frozen=True):
    """What a robot's sensor reads, one value per element, in its own unit."""

    robot: int
    values: tuple[float, ...]


class Reading(Question, frozen=True):
    """What does the sensor read of the answer to this question?

    Attributes:
        question: to the world
        reader: makes readings of the answer
    """

    question: Question
    reader: Reader

    def answer(self, world: World) -> Readings:
        """The readings now."""
        return Readings(self.robot, self.reader.read(self.robot, self.question.answer(world), world.field.now))

    def outlook(self, world: World) -> ReadingsOutlook:
        """As long as the answer holds, so do the readings."""
        from devs_robotics.models.environment.sensing.readings import ReadingsOutlook  # which is of questions itself

        return ReadingsOutlook(self, world)
