"""Virtual equipment of anybody's: an activity that asks the world, and makes an answer of what the world says."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from devs_robotics import Actuator, Exchange, ModelError, Sensor, Service
from devs_robotics.core.robots.activity import exchanges_of
from devs_robotics.models.activities.hardware import HardwareActivity
from devs_robotics.models.activities.passing import PassingActivity
from devs_robotics.models.environment.actions import Action
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.sensing import Watching

if TYPE_CHECKING:
    from devs_robotics.core.population.rows import Rows


class VirtualActivity(PassingActivity):
    """A sensor or an actuator that the world answers; the paper's abstractActivity.

    A subclass declares one service for decision models, as ``smell = Service(Sense, Smell)``, and what it asks the
    world, as ``world = Sensor(Sniff, Scent)``, and says in `ask` and `answer` what becomes of one and the other.

    Its phase says nothing; it waits, and passes on at once what has come:

    ========  ============  ==========================  =====================================
    state     time advance  output                      next state
    ========  ============  ==========================  =====================================
    waiting   ∞                                         asked, or answered
    asked     0             world: questions            waiting
    answered  0             the service: answers        waiting
    ========  ============  ==========================  =====================================

    Attributes:
        robot: its number, once it is a robot's equipment
    """

    robot: int = 0

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._service = self._the_one((Service,), "Service(Sense, Smell)")
        self._other = self._the_one((Sensor, Actuator), "Sensor(Sniff, Scent)")

    def hardware(self, *, both: bool = False) -> HardwareActivity | None:
        """What takes its place where it is real; None: a `HardwareActivity` with the same service.

        Args:
            both: whether it is to sense what is modelled, too, if it can
        """
        return None

    def alike(self) -> Hashable | None:
        """Equal for equipment of which one piece can stand for those of many robots; None, as by default: it cannot."""
        return None

    def ask_rows(self, rows: Rows) -> Rows | None:
        """What `ask` makes of what many robots ask, of which `alike` says the same; None: let them ask one by one."""
        return None

    def answer_rows(self, rows: Rows) -> Rows | None:
        """What `answer` makes of what many robots are told; None: let them be told one by one."""
        return None

    def to_other(self, question: Any) -> Any:
        """A question to the world says which of a robot's equipment asks, so that each hears its own answers."""
        if isinstance(question, Question | Action) and not question.sensor:
            return replace(question, sensor=self.name)
        if isinstance(question, Watching):
            return replace(question, question=self.to_other(question.question))
        return question

    def _the_one(self, kinds: tuple[type, ...], example: str) -> Exchange[Any, Any]:
        found = exchanges_of(self, *kinds)
        if len(found) != 1:
            raise ModelError(
                f"{type(self).__name__} must declare one {kinds[0].__name__} and has {', '.join(found) or 'none'}: "
                f"write {example}"
            )
        return next(iter(found.values()))
