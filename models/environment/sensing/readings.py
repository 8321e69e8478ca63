"""Outlook of readings: they hold as long as the answer does of which they are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from devs_robotics.models.environment.questions.reading import Reading, Readings
from devs_robotics.models.environment.sensing.outlook import Outlook
from devs_robotics.models.environment.world import World


class ReadingsOutlook(Outlook):
    """What a watch of a `Reading` needs: the outlook of the question whose answer is read.

    Attributes:
        inner: that outlook
    """

    question: Reading

    def __init__(self, question: Reading, world: World) -> None:
        super().__init__(question, world)
        self.inner = question.question.outlook(world)
        self.reach = self.inner.reach
        self.holds_at_rest = self.inner.holds_at_rest
        self._quiet = False
        self._last: tuple[Any, Readings] | None = None
        """The last answer, where there is no noise, and what was read of it."""

    def look(self, near: Sequence[int]) -> Readings:
        """What is read of the answer."""
        answer = self.inner.look(near)
        self._quiet = self.inner.is_quiet(answer)
        if self._last is not None and self._last[0] is answer:
            return self._last[1]
        question = self.question
        readings = Readings(question.robot, question.reader.read(question.robot, answer, self.world.field.now))
        if not question.reader.noisy:
            self._last = answer, readings
        return readings

    def is_quiet(self, answer: Any) -> bool:
        """Whether the answer that was looked at last stays."""
        return self._quiet

    def alone(self, until: float) -> float:
        """As the answer's."""
        return self.inner.alone(until)

    def meeting(self, others: Sequence[int], until: float) -> float:
        """As the answer's."""
        return self.inner.meeting(others, until)
