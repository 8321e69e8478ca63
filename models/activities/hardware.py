"""Real equipment of anybody's: an activity in the place of a virtual one, with the same service."""

from __future__ import annotations

from math import inf
from typing import Any

from msgspec import Struct

from devs_robotics import Activity, Actuator, Answered, Asked, Exchange, Service


class HardwareActivity(Activity):
    """Equipment of a real robot's own; the paper's RTActivity.

    It offers the service that a virtual activity of the same name would, so that no decision model learns which one is
    there. The robot's device speaks for its other side, and sees to it that answers are of the service's type.

    Its phase says nothing; it waits, and passes on at once what has come:

    ========  ============  ==========================  =====================================
    state     time advance  output                      next state
    ========  ============  ==========================  =====================================
    waiting   ∞                                         asked, or answered
    asked     0             device: questions           waiting
    answered  0             the service: answers        waiting
    ========  ============  ==========================  =====================================

    Ports, besides those of its service:
        device: questions to the robot, and what it tells, of all its own equipment

    Args:
        name: of the equipment
        service: its name
        asks, answers: types of its questions and answers
    """

    device = Actuator(Asked, Answered)

    def __init__(self, name: str, service: str, asks: type[Struct], answers: type[Struct]) -> None:
        super().__init__(name)
        offered: Service[Any, Any] = Service(asks, answers)
        offered.__set_name__(type(self), service)
        offered.bind(self)
        self._declared = {**type(self)._declared, service: offered}  # type: ignore[misc]
        self._service: Exchange[Any, Any] = self.__dict__[service]
        self._questions: list[Any] = []
        self._answers: list[Any] = []

    def deltext(self, e: float) -> None:
        """Ask the robot, or take what it tells of this equipment."""
        self._questions += self._service.ask.values
        self._answers += [told.answer for told in self.device.answer.values if told.name == self.name]
        self.sigma = 0.0 if self._questions or self._answers else inf

    def lambdaf(self) -> None:
        """Pass questions on, or answers back."""
        for question in self._questions:
            self.device.ask.add(Asked(self.name, question))
        for answer in self._answers:
            self._service.answer.add(answer)

    def deltint(self) -> None:
        """Wait."""
        self._questions.clear()
        self._answers.clear()
        self.sigma = inf
