"""What equipment of anybody's has in common, virtual or real: it passes on at once what has come."""

from __future__ import annotations

from math import inf
from typing import Any

from devs_robotics import Activity, Exchange


class PassingActivity(Activity):
    """Passes questions of a decision model on, and what is answered back; a subclass says to whom.

    It waits, and passes on at once what has come.

    Attributes:
        _service: what decision models ask
        _other: whom it asks itself
    """

    _service: Exchange[Any, Any]
    _other: Exchange[Any, Any]

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._questions: list[Any] = []
        self._answers: list[Any] = []

    def ask(self, question: Any) -> Any:
        """What the other side is asked when a decision model asks `question`; by default the same."""
        return question

    def answer(self, answer: Any) -> Any:
        """What a decision model hears when the other side says `answer`; by default the same; None: nothing."""
        return answer

    def to_other(self, question: Any) -> Any:
        """What `ask` has made, as it goes to the other side."""
        return question

    def deltext(self, e: float) -> None:
        """Ask the other side, or take its answer."""
        for question in self._service.ask.values:
            self._questions.append(self.to_other(self.ask(question)))
        for told in self._other.answer.values:
            answer = self.answer(told)
            if answer is not None:
                self._answers.append(answer)
        self.sigma = 0.0 if self._questions or self._answers else inf

    def lambdaf(self) -> None:
        """Pass questions on, or answers back."""
        for question in self._questions:
            self._other.ask.add(question)
        for answer in self._answers:
            self._service.answer.add(answer)

    def deltint(self) -> None:
        """Wait."""
        self._questions.clear()
        self._answers.clear()
        self.sigma = inf
