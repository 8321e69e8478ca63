"""How long what a sensor reads stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from devs_robotics import ModelError
from devs_robotics.models.environment.questions.question import Question
from devs_robotics.models.environment.world import World


class Outlook:
    """What a strategy has to know of one question, to look only when its answer may differ.

    This one knows nothing, so the question is asked at every point of its raster. A subclass for a kind of question
    gives times before which nothing can change: too early costs a look, too late would lose a change.

    Args:
        question: that is watched
        world: that answers it

    Attributes:
        reach: distance of centres beyond which another body cannot matter (m)
        holds_at_rest: whether an answer stays as it is while the robot, and all bodies within reach, stand still
    """

    reach = 0.0
    holds_at_rest = False

    def __init__(self, question: Question, world: World) -> None:
        self.question = question
        self.world = world

    def look(self, near: Sequence[int]) -> Any:
        """The answer now, with the bodies that are near."""
        return self.question.answer(self.world)

    def is_quiet(self, answer: Any) -> bool:
        """Whether an answer stays as it is until something comes within reach, so that this can be predicted."""
        return False

    def alone(self, until: float) -> float:
        """A time (s) before which walls, obstacles and the robot's own motion do not change a quiet answer; or `until`.

        Args:
            until: time after which nobody wants to know (s)
        """
        return min(until, self.world.field.now)

    def meeting(self, others: Sequence[int], until: float) -> float:
        """A time (s) before which other bodies do not change a quiet answer; `until` if they do not before that.

        Args:
            others: numbers of the bodies, from 0
            until: time after which nobody wants to know (s)
        """
        return until

    def crossing(self, levels: Sequence[float], near: Sequence[int], until: float) -> float:
        """A time (s) before which no value crosses a level; infinite if none does by `until`.

        Raises:
            ModelError: nothing is known of when this kind of answer crosses a level
        """
        question = self.question
        raise ModelError(
            f"robot {question.robot} watches levels of {type(question).__name__} at their instants, and nothing is "
            "known of when these are crossed: give the watch a period, or its outlook a method crossing"
        )
