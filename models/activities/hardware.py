"""Real equipment of anybody's: an activity in the place of a virtual one, with the same service."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics import Actuator, Answered, Asked, Service
from devs_robotics.models.activities.passing import PassingActivity


class HardwareActivity(PassingActivity):
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
        self._service = self.__dict__[service]
        self._other = self.device

    def ask(self, question: Any) -> Asked:
        """The question, with the name of the equipment."""
        return Asked(self.name, question)

    def answer(self, answer: Answered) -> Any:
        """What the robot tells of this equipment; nothing where it is of another."""
        return answer.answer if answer.name == self.name else None
