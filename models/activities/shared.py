"""One piece of equipment of many robots, as one model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any

from devs_robotics import Atomic, Exchange, ModelError, Service, Watch
from devs_robotics.core.population.population_model import late_until
from devs_robotics.core.population.rows import Rows
from devs_robotics.core.ports import Port, add_port, type_name
from devs_robotics.core.robots.activity import Activity, exchanges_of
from devs_robotics.models.activities.element_readings import VirtualReading, VirtualWatch
from devs_robotics.models.activities.passing import PassingActivity
from devs_robotics.models.activities.virtual import VirtualActivity


class SharedActivity(Atomic):
    """Passes on what many robots ask by one piece of their equipment, and what they are answered, by its own rules.

    It takes the step that a `VirtualActivity` takes, so that all happens in the steps of ordinary models.

    =======  ============  ================================  =======
    state    time advance  output                            next
    =======  ============  ================================  =======
    waiting  ∞                                               asked
    asked    0             world: questions; service:        waiting
                           answers
    =======  ============  ================================  =======

    Ports:
        service_ask, service_answer: what the decision models ask and hear, as `Rows`
        world_ask, world_answer: the same of the world

    Where all pieces are alike, and say how many are asked and answered at once, rows are passed on as they are.

    Args:
        activities: of the robots, by their numbers, ascending; they are no components of any model
        numbers: of the robots, where one piece stands for those of all; None: each has its own

    Attributes:
        on_grid: whether the environment looks on a grid of times, and takes one watch for many robots
        strict: whether watches at exact instants are refused, of which arrays gain nothing
    """

    def __init__(
        self, name: str, activities: Mapping[int, VirtualActivity], numbers: Sequence[int] | None = None
    ) -> None:
        super().__init__(name)
        self.activities = dict(activities)
        self.on_grid = False
        self.strict = True
        first = next(iter(self.activities.values()))
        alike = first.alike()
        same = alike is not None and all(each.alike() == alike for each in self.activities.values())
        self._one = first if same else None
        if numbers is not None and not same:
            raise ModelError(f"robots that are alike share one {name}, and {type(first).__name__} cannot be shared")
        self._for_all = numbers is not None
        self.asks, self.answers = first._other.ask.p_type, first._other.answer.p_type
        self._heard = first._service.answer.p_type
        self.service = Exchange(_port(self, "service_ask", "in"), _port(self, "service_answer", "out"))
        self.world = Exchange(_port(self, "world_ask", "out"), _port(self, "world_answer", "in"))
        self._now = 0.0
        self._questions: list[tuple[int, Any]] = []
        self._answers: list[tuple[int, Any]] = []
        self._asked: list[Rows] = []
        self._answered: list[Rows] = []
        self._singly: dict[int, Port[Any]] = {}

    def late_until(self, port: Port[Any]) -> float:
        """Up to when what is asked may come later than at its time, which its rows then say (s)."""
        return late_until([self.world.ask]) if self.on_grid and self._one is not None else 0.0

    def singly(self, robot: int = 0) -> Port[Any]:
        """A port on which answers are sent one by one, those to one robot, or with 0 those to all; it is made once."""
        if robot not in self._singly:
            made: Port[Any] = Port(self._heard, f"answer_of_{robot or 'each'}")
            add_port(self, made, "out")
            self._singly[robot] = made
        return self._singly[robot]

    def singles(self) -> Iterator[tuple[Port[Any], int]]:
        """The ports that `singly` has made, and of which robot each is; 0: of all."""
        return ((port, robot) for robot, port in self._singly.items())

    def deltext(self, e: float) -> None:
        """Ask the world, or take its answers."""
        self._now += e
        for rows in self.service.ask.values:
            asked = self._one.ask_rows(rows) if self._one is not None and self.on_grid else None
            if asked is not None:
                self._asked.append(asked)
                continue
            self._check_all(rows)
            for robot, question in _each(rows):
                activity = self.activities[robot]
                if self.strict and isinstance(question, Watch) and not question.period:
                    raise ModelError(
                        f"robot {robot} watches {self.name} at exact instants, which arrays gain nothing of: give the "
                        'Watch a period, or take run.population = "models"'
                    )
                self._questions.append((robot, activity.to_other(activity.ask(question))))
        for rows in self.world.answer.values:
            answered = self._one.answer_rows(rows) if self._one is not None and self.on_grid else None
            if answered is not None:
                self._answered.append(answered)
                continue
            self._check_all(rows)
            for robot, told in _each(rows):
                self._take(robot, told)
        some = self._questions or self._answers or self._asked or self._answered
        self.sigma = 0.0 if some else inf

    def lambdaf(self) -> None:
        """Pass questions and answers on."""
        if self._questions:
            self.world.ask.add(Rows.of_messages(self.asks, *_apart(self._questions)))
        for rows in self._asked:
            self.world.ask.add(rows)
        if self._answers:
            self.service.answer.add(Rows.of_messages(self._heard, *_apart(self._answers)))
        for rows in self._answered:
            self.service.answer.add(rows)
        for robot, port in self._singly.items():
            further = (each for rows in self._answered for each in _each(rows))
            for number, answer in (*self._answers, *further):
                if robot in (0, number):
                    port.add(answer)

    def deltint(self) -> None:
        """Wait."""
        for each in (self._questions, self._answers, self._asked, self._answered):
            each.clear()
        self.sigma = inf

    def _check_all(self, rows: Rows) -> None:
        if self._for_all:
            raise ModelError(
                f"{self.name} passes {type_name(rows.kind)} of robots that are alike on at once, and cannot pass this: "
                "leave out alike=True"
            )

    def _take(self, robot: int, told: Any) -> None:
        activity = self.activities[robot]
        if isinstance(activity, VirtualReading):
            activity.time = self._now
        answer = activity.answer(told)
        if isinstance(activity, VirtualWatch):
            self._answers += [(robot, each) for each in answer]
        elif answer is not None:
            self._answers.append((robot, answer))


def why_not_shared(activity: Activity) -> str:
    """Why an activity cannot be one model for many robots; empty if it can."""
    kind = type(activity)
    if not isinstance(activity, VirtualActivity):
        return f"its {activity.name} is no VirtualActivity"
    passing = (PassingActivity.deltext, VirtualWatch.deltext, VirtualReading.deltext)
    usual = kind.lambdaf is PassingActivity.lambdaf and kind.deltint is PassingActivity.deltint
    if kind.deltext not in passing or not usual or len(exchanges_of(activity, Service)) != 1:
        return f"its {activity.name} has transition functions of its own ({kind.__name__})"
    return ""


def _port(model: Atomic, name: str, direction: str) -> Port[Rows]:
    port: Port[Rows] = Port(Rows, name)
    add_port(model, port, direction)
    return port


def _each(rows: Rows) -> zip[tuple[int, Any]]:
    return zip(rows.robots.tolist(), rows.messages, strict=True)


def _apart(said: list[tuple[int, Any]]) -> tuple[list[int], list[Any]]:
    return [robot for robot, _ in said], [message for _, message in said]
