"""What else is in the world, beside bodies and obstacles: items, doors, smells, whatever answers robots' questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any, TypeVar

from devs_robotics import Atomic, Exchange, In, ModelError, Port
from devs_robotics.core.ports import add_port, type_name
from devs_robotics.models.environment.messages import PoseChange

Method = TypeVar("Method", bound=Callable[..., Any])


def answers(question: type, answer: type) -> Callable[[Method], Method]:
    """Declares a method of a `WorldModel` the answer to a kind of question.

    The method takes the number of the robot that asks, and the question; it returns the answer, or None for none now.

    Args:
        question: type of the questions
        answer: type of the answers
    """

    def declare(method: Method) -> Method:
        method._answers = (question, answer)  # type: ignore[attr-defined]
        return method

    return declare


class WorldModel(Atomic):
    """Something in the world that answers robots' questions, one method per kind of question.

    =========  ============  ===============================  ==============================================
    phase      time advance  output                           next phase
    =========  ============  ===============================  ==============================================
    passive    ∞                                              answering, if there is something to be said
    answering  0             answers, to those that they are  passive
    =========  ============  ===============================  ==============================================

    A subclass declares its answers with `answers`, and may override `moved`. What comes at one instant is handled in
    the order pose changes, questions, and each in the order of the robots' numbers.

    A pose is told when a robot's motion changes, and not while it goes on: a robot that is on its way at every instant
    (`RobotKind.continuous`, wheels) is further by the time that it asks. A subclass that has to know where declares
    ``trajectory_change = In(TrajectoryChange)``, too, and takes its values before ``super().deltext(e)``.

    Ports:
        pose_change: where a robot is when its motion changes
        and two per robot and kind of question, which `offer` makes

    Attributes:
        time: of the last event (s)
    """

    pose_change = In(PoseChange)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.time = 0.0
        self._asked: dict[Port[Any], tuple[int, str, Port[Any]]] = {}
        """By the port on which a robot asks: its number, the method that answers, and the port for the answer."""
        self._saying: list[tuple[Port[Any], Any]] = []

    def moved(self, change: PoseChange) -> None:
        """A robot's motion has changed: it begins there, or the robot stands there now."""

    def say(self, robot: int, answer: object) -> None:
        """Tell a robot something that it has not asked for, when the next event comes; nobody hears where none can.

        Args:
            robot: its number
            answer: of a type that is an answer to one of its questions; all equipment with such questions hears it
        """
        for asking, _, reply in self._asked.values():
            if asking == robot and isinstance(answer, reply.p_type or object):
                self._saying.append((reply, answer))

    def send(self, port: Port[Any], value: object) -> None:
        """Send a value through an output port of a subclass's own, for frames to observe, together with the answers."""
        self._saying.append((port, value))

    def offer(self, robot: int, question: object, answer: object) -> Exchange[Any, Any] | None:
        """The two ports on which a robot's equipment asks such questions; None where they are not answered here.

        Each call makes two: a robot may have the same equipment twice.
        """
        for name, kinds in self._kinds():
            if kinds != (question, answer):
                continue
            before = sum((robot, name) == (asking, method) for asking, method, _ in self._asked.values())
            own = f"{name}{robot}_{before + 1}" if before else f"{name}{robot}"
            ask: Port[Any] = Port(kinds[0], f"{own}_ask")
            reply: Port[Any] = Port(kinds[1], f"{own}_answer")
            add_port(self, ask, "in")
            add_port(self, reply, "out")
            self._asked[ask] = robot, name, reply
            return Exchange(ask, reply)
        return None

    def deltext(self, e: float) -> None:
        """Hear where robots are, and answer their questions."""
        self.time += e
        for change in sorted(self.pose_change.values, key=lambda each: each.robot):
            self.moved(change)
        for ask, (robot, name, reply) in self._asked.items():
            for question in ask.values:
                self._answer(robot, name, reply, question)
        if self._saying:
            self.activate("answering")
        else:
            self.passivate()

    def lambdaf(self) -> None:
        """Send what is to be said."""
        for port, answer in self._saying:
            port.add(answer)

    def deltint(self) -> None:
        """Wait."""
        self.time += self.sigma if self.sigma < inf else 0.0
        self._saying.clear()
        self.passivate()

    def _answer(self, robot: int, name: str, reply: Port[Any], question: object) -> None:
        answer = getattr(self, name)(robot, question)
        if answer is None:
            return
        wanted = type_name(reply.p_type)
        if not isinstance(answer, reply.p_type or object):
            raise ModelError(f"{type(self).__name__}.{name} must return {wanted} or None, not {answer!r}")
        self._saying.append((reply, answer))

    def _kinds(self) -> Iterator[tuple[str, tuple[type, type]]]:
        """The methods that answer, with the types of their questions and answers."""
        seen: dict[str, tuple[type, type]] = {}
        for cls in reversed(type(self).__mro__):
            for name, member in vars(cls).items():
                kinds = getattr(member, "_answers", None)
                if isinstance(kinds, tuple):
                    seen[name] = kinds
        yield from seen.items()
