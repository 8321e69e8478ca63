"""Trees that go by the wall clock, or by random numbers of the process, are refused with the remedy."""

from __future__ import annotations

import datetime
import importlib
import random
import sys
import time
from collections.abc import Callable
from datetime import datetime as moment
from random import gauss
from time import monotonic

import numpy as np
import pytest
from py_trees import behaviours, decorators, timers
from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Sequence

from devs_robotics import DevsRoboticsError, ModelError
from devs_robotics.core.testing.simulations import Simulate
from devs_robotics.models.trees import BehaviourTree, Check, Pause


class Tree(BehaviourTree):
    """A tree of one leaf."""

    def __init__(self, make: Callable[[], object], tick: float = 0.1) -> None:
        super().__init__("tree", tick=tick)
        self.make = make

    def grow(self) -> Behaviour:
        """Make it."""
        return self.make()  # type: ignore[return-value]  # tested below


class Leaf(Behaviour):
    """A leaf of somebody's own, which reads the wall clock."""

    def update(self) -> Status:
        """Success after a time."""
        return Status.SUCCESS if time.monotonic() > 100.0 else Status.RUNNING


class Ticker(Behaviour):
    """A leaf of somebody's own, which does nothing wrong."""

    def update(self) -> Status:
        """Run."""
        return Status.RUNNING


def helper() -> bool:
    return bool(np.random.random() > 0.5)


def deeper() -> bool:
    return helper()


def check(test: Callable[[], bool]) -> Callable[[], Behaviour]:
    return lambda: Check("look", test)


CLOCKS = {
    "is a Timer, which reads the wall clock": lambda: timers.Timer("wait", 1.0),
    "is a Timeout, which reads the wall clock": lambda: decorators.Timeout("limit", Ticker("tick"), 1.0),
    "node 'mine' uses time.monotonic": lambda: Leaf("mine"),
    "uses time.perf_counter": check(lambda: time.perf_counter() > 0.0),
    "node 'look' uses time.monotonic": check(lambda: monotonic() > 0.0),
    "uses datetime.now": check(lambda: datetime.datetime.now().year > 0),  # noqa: DTZ005
    "uses datetime.today": check(lambda: moment.today().year > 0),  # noqa: DTZ002
}
CHANCE = {
    "is a ProbabilisticBehaviour, which draws global": lambda: behaviours.ProbabilisticBehaviour("luck"),
    "uses random.random": check(lambda: random.random() > 0.5),
    "uses random.gauss": check(lambda: gauss(0.0, 1.0) > 0.5),
    "uses np.random": check(deeper),
}


@pytest.mark.parametrize("says", CLOCKS)
def test_the_wall_clock_is_refused_before_anything_moves(simulate: Simulate, says: str) -> None:
    with pytest.raises(ModelError, match=f"tree at 0 s .*: .*{says}.*: take a Pause, a TimeLimit, or"):
        simulate(Tree(CLOCKS[says]), until=1.0)


@pytest.mark.parametrize("says", CHANCE)
def test_global_random_numbers_are_refused(simulate: Simulate, says: str) -> None:
    with pytest.raises(ModelError, match=f"tree at 0 s .*: node '.*{says}.*: draw from a Stream"):
        simulate(Tree(CHANCE[says]), until=1.0)


HIDDEN = {"clock": time, "chance": random}


def hidden_clock() -> bool:
    return bool(getattr(HIDDEN["clock"], "mono" + "tonic")() > 0.0)


def hidden_chance() -> bool:
    return bool(getattr(HIDDEN["chance"], "uni" + "form")(0.0, 1.0) > 2.0)


@pytest.mark.parametrize(
    ("test", "says"), [(hidden_clock, "time.monotonic"), (hidden_chance, "random.random")], ids=["clock", "chance"]
)
def test_what_no_reading_finds_is_found_when_it_is_called(
    simulate: Simulate, test: Callable[[], bool], says: str
) -> None:
    with pytest.raises(ModelError, match=f"node 'look' has called {says}"):
        simulate(Tree(check(test)), until=1.0)


def test_generators_of_ones_own_are_not_refused(simulate: Simulate) -> None:
    own = random.Random(5)
    simulate(Tree(check(lambda: own.random() > 0.5)), until=1.0)
    simulate(Tree(check(lambda: time.struct_time is not None)), until=1.0)


def test_the_blackboard_of_the_process_is_refused(simulate: Simulate) -> None:
    with pytest.raises(ModelError, match=r"'known' uses py_trees' blackboard.*self\.board and self\.write"):
        simulate(Tree(lambda: behaviours.CheckBlackboardVariableExists("known", "key")), until=1.0)


def test_a_leaf_that_polls_needs_a_grid(simulate: Simulate) -> None:
    simulate(Tree(lambda: Ticker("mine")), until=1.0)
    with pytest.raises(ModelError, match=r"'mine' \(Ticker\) has to be ticked all the time: give the tree a tick"):
        simulate(Tree(lambda: Ticker("mine"), tick=0.0), until=1.0)


def test_what_is_no_tree_is_refused(simulate: Simulate) -> None:
    with pytest.raises(ModelError, match=r"grow\(\) returned None: return the root"):
        simulate(Tree(lambda: None), until=1.0)
    twice = Pause("twice", 1.0)
    with pytest.raises(ModelError, match="'twice' is in the tree twice"):
        simulate(Tree(lambda: _siblings(twice)), until=1.0)


def _siblings(leaf: Behaviour) -> Behaviour:
    root = Sequence("root", True, [leaf])
    root.children.append(leaf)
    return root


def test_without_py_trees_the_command_is_told_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    package = "devs_robotics.models.trees"
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "py_trees", None)
    with pytest.raises(DevsRoboticsError, match=r"not installed: pip install 'devs-robotics\[trees\]'"):
        importlib.import_module(package)
