"""Trees by chance, and the surroundings in which they are held against each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from py_trees import decorators
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence

from devs_robotics import Actuator, Atomic, Coupled, In, Out, Sensor, Service, Stream, equip
from devs_robotics.models.trees import BehaviourTree, Check, Deliver, Pause, Perform, TimeLimit

Plant = tuple[Any, ...]
"""What a node is: its kind, what it needs, and its children."""


class Answerer(Atomic):
    """Answers each question after some time, in their order."""

    service = Service(int, bool)

    def __init__(self, name: str, delay: float) -> None:
        super().__init__(name)
        self.delay = delay

    def initialize(self) -> None:
        """Nothing was asked."""
        self.waiting: list[int] = []
        self.passivate()

    def deltext(self, e: float) -> None:
        """Put the question behind the others."""
        idle = not self.waiting
        self.waiting += self.service.ask.values
        if idle:
            self.hold_in("answering", self.delay)
        else:
            self.continuef(e)

    def lambdaf(self) -> None:
        """Answer: by the question, so that some are successes."""
        self.service.answer.add(self.waiting[0] % 3 != 0)

    def deltint(self) -> None:
        """Take the next one."""
        del self.waiting[0]
        if self.waiting:
            self.hold_in("answering", self.delay)
        else:
            self.passivate()


class Counter(Behaviour):
    """Counts its ticks, as no quiet leaf may."""

    def __init__(self, name: str, every: int) -> None:
        super().__init__(name)
        self.every, self.count = every, 0

    def update(self) -> Status:
        """Success at some ticks."""
        self.count += 1
        return Status.SUCCESS if self.count % self.every == 0 else Status.RUNNING


class Garden(BehaviourTree):
    """A tree from a description."""

    first = Sensor(int, bool)
    second = Actuator(int, bool)
    sight = In(int)
    warning = In(bool)
    said = Out(str)

    def __init__(self, name: str, plant: Plant, *, tick: float = 0.1, idle_ticks: bool = False) -> None:
        super().__init__(name, tick=tick, idle_ticks=idle_ticks)
        self.plant = plant
        self.stream = Stream(1, 1, "garden")

    def grow(self) -> Behaviour:
        """Grow the plant."""
        self.count = 0
        return self.sprout(self.plant)

    def sprout(self, plant: Plant) -> Behaviour:
        """One node, with what is below it."""
        kind, value, *below = plant
        self.count += 1
        name = f"{kind}{self.count}"
        children = [self.sprout(each) for each in below]
        makers: dict[str, Callable[[], Behaviour]] = {
            "sequence": lambda: Sequence(name, value, children),
            "selector": lambda: Selector(name, value, children),
            "parallel": lambda: Parallel(
                name, ParallelPolicy.SuccessOnOne() if value else ParallelPolicy.SuccessOnAll(True), children
            ),
            "inverter": lambda: decorators.Inverter(name, children[0]),
            "waits": lambda: decorators.FailureIsRunning(name, children[0]),
            "repeat": lambda: decorators.Repeat(name, children[0], 2),
            "retry": lambda: decorators.Retry(name, children[0], 2),
            "limit": lambda: TimeLimit(name, children[0], value),
            "pause": lambda: Pause(name, value),
            "counter": lambda: Counter(name, 3),
            "chance": lambda: Check(name, lambda: self.stream.uniform() > 0.5),
            "sees": lambda: Check(name, lambda: self.board.get("sight", 0) > value),
            "warned": lambda: Check(name, lambda: bool(self.board.get("warning"))),
            "fresh": lambda: Check(name, lambda: self.fresh("sight", value)),
            "asks": lambda: Perform(name, self.first, self.number, accept=bool),
            "acts": lambda: Perform(name, self.second, self.number, accept=bool, cancel=0 if value else None),
            "says": lambda: Deliver(name, self.said, name),
        }
        return makers[kind]()

    def number(self) -> int:
        """A number by chance."""
        return int(100.0 * self.stream.uniform())


class Surroundings(Coupled):
    """A garden, and who answers it."""

    sight = In(int)
    warning = In(bool)
    first = Out(int)
    second = Out(int)
    said = Out(str)

    def __init__(self, garden: Garden, delays: tuple[float, float]) -> None:
        super().__init__("surroundings")
        self.add_component(garden)
        for exchange, port, delay in zip((garden.first, garden.second), (self.first, self.second), delays, strict=True):
            answerer = Answerer(f"{port.name}_answerer", delay)
            self.add_component(answerer)
            equip(self, exchange, answerer.service)
            self.add_coupling(exchange.ask, port)
        self.add_coupling(garden.said, self.said)
        self.add_coupling(self.sight, garden.sight)
        self.add_coupling(self.warning, garden.warning)


SECONDS = st.sampled_from([0.0, 0.05, 0.125, 0.25, 0.3, 0.5, 1.0])

LEAVES = st.one_of(
    st.tuples(st.sampled_from(["pause", "fresh"]), SECONDS),
    st.tuples(st.just("sees"), st.integers(0, 3)),
    st.tuples(st.sampled_from(["asks", "acts", "warned", "says", "acts", "asks"]), st.booleans()),
    st.tuples(st.sampled_from(["chance", "counter"]), st.none()),
)


def _taller(below: st.SearchStrategy[Plant]) -> st.SearchStrategy[Plant]:
    kinds = st.sampled_from(["sequence", "selector", "sequence", "selector", "parallel"])
    several = st.lists(below, min_size=2, max_size=4)
    composites = st.builds(lambda kind, memory, nodes: (kind, memory, *nodes), kinds, st.booleans(), several)
    decorated = st.builds(
        lambda kind, node: (kind, None, node), st.sampled_from(["inverter", "waits", "repeat", "retry"]), below
    )
    return composites | decorated | st.builds(lambda seconds, node: ("limit", seconds, node), SECONDS, below)


PLANTS: st.SearchStrategy[Plant] = st.recursive(LEAVES, _taller, max_leaves=8)

TIMES = st.one_of(st.integers(0, 640).map(lambda n: n / 128), st.integers(0, 50).map(lambda n: instant(n / 10)))
"""Of inputs: in between, and at the very instants of the grid."""


def instant(seconds: float) -> float:
    """As the environment has it."""
    return round(seconds * 2.0**30) / 2.0**30
