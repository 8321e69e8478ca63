"""What in a twin may give other bits elsewhere is named with its place and the remedy, and nothing else is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy import arctan2

from devs_robotics import Atomic
from devs_robotics.core.population import Column, Population, exact, twin_of
from devs_robotics.core.population.arithmetic import BY_PROCESSOR, inexact_in
from devs_robotics.core.population.rows import Places
from devs_robotics.models.robots.of_its_kind import TWINS
from devs_robotics.models.swarm.following import FollowsOthers
from devs_robotics.models.swarm.walking import WalksAtRandom
from devs_robotics.scenarios.diffusion import Diffuses
from devs_robotics.scenarios.wander import Wanders
from tests.devs_robotics.core.population.walking import Walks


class Model(Atomic):
    """Has an angle."""

    angle = 0.5


class Careless(Population, of=Model):
    """One fault of each kind, and what is none."""

    angle = Column(float)

    def deltint(self, who: Places) -> None:
        """Turn by what no twin should take."""
        angle = self.angle[who]
        right = np.sin(angle) + np.sqrt(angle) * 2.0**-30 + exact.exp(angle) + np.minimum(angle, 0.5)
        length = np.exp(right)
        turn = arctan2(length, angle)
        both = np.stack((length, turn)) ** 2
        table: Any = both @ both.T
        total = table.sum(axis=-1) + np.tanh(angle).sum(axis=0)
        self.angle[who] = total + np.linalg.norm(both) + np.add.reduceat(total, [0]) + np.dot(angle, angle)


class Heir(Careless):
    """It has what the other has."""


def test_each_fault_is_named_in_its_line_and_nothing_else_is() -> None:
    found = inexact_in(Careless)
    first = found[0].line
    assert [(each.line - first, each.why.split(":")[0].split(",")[0]) for each in found] == [
        (0, "calls numpy.exp"),
        (1, "calls numpy.arctan2"),
        (2, "takes a power by **"),
        (3, "multiplies by @"),
        (4, "calls numpy.tanh"),
        (4, "sums over the last axis"),
        (5, "calls numpy.add.reduceat"),
        (5, "calls numpy.dot"),
        (5, "calls numpy.linalg.norm"),
    ]
    sentence = str(found[1])
    assert sentence.startswith(f"{__file__}:{first + 1}: Careless calls numpy.arctan2")
    assert sentence.endswith("depend on the processor: take exact.atan2 in both")


def test_what_a_twin_is_derived_from_is_looked_at_too() -> None:
    assert [each.why for each in inexact_in(Heir)] == [each.why for each in inexact_in(Careless)]


@pytest.mark.parametrize("twin", [Diffuses, WalksAtRandom, FollowsOthers, Walks, Wanders, *TWINS])
def test_twins_that_are_shipped_have_none(twin: type[Population]) -> None:
    assert inexact_in(twin) == []


def test_where_there_is_no_source_nothing_is_found() -> None:
    space: dict[str, Any] = {"Careless": Careless, "Model": Model, "__name__": "nowhere"}
    exec("class Other(Model): pass\nclass Others(Careless, of=Other): pass", space)
    assert [each.twin for each in inexact_in(space["Others"])] == ["Careless"] * 9
    assert twin_of(space["Other"]) is space["Others"]


def test_numpy_has_all_of_them() -> None:
    assert all(callable(getattr(np, name)) for name in BY_PROCESSOR)
