"""Twins: that a right one is proven, and that planted faults are found."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import strategies as st

from devs_robotics import Atomic, Crossed, DevsRoboticsError, ModelError, Obstructed
from devs_robotics.core.population import Population, twin_of
from devs_robotics.core.testing.twins import prove_twin
from tests.devs_robotics.core.population import walking
from tests.devs_robotics.core.population.walking import Walk, Walks

READING = st.sampled_from((0.0, 1000.0, 1001.0))
READINGS = st.tuples(READING, READING, READING).map(lambda each: (each[0], *(0.0,) * 5, each[1], each[2]))
HEARS = {"proximity": st.builds(Crossed, READINGS), "wheels": st.builds(Obstructed, st.booleans())}


def make(robot: int, seed: int) -> Atomic:
    return Walk(f"walk{robot}", robot, seed)


def test_a_right_twin_is_proven() -> None:
    prove_twin(Walks, of=Walk, make=make, hears=HEARS, worlds=100, points=10)


FAULTS = {
    "a threshold by one": ("values[:, 0] > NEAR", "values[:, 0] > NEAR - 1.0"),
    "at or above, for above": ("values[:, 7] > NEAR)", "values[:, 7] >= NEAR)"),
    "seven rays of eight": ("(values[:, 7] > NEAR)", "(values[:, 6] > NEAR)"),
    "a swapped draw": ("1.0 - self.length(going)", "1.0 - self.turn(going)"),
    "continuef forgotten": ("self.continuef(who[~stop], e[~stop])", "pass"),
    "a robot outside who touched": (
        "self.angle[going] = (2.0 * self.turn(going) - 1.0) * pi",
        "self.angle[:] = 0.5; self.angle[going] = (2.0 * self.turn(going) - 1.0) * pi",
    ),
    "a draw too many": (
        "turning, going = who[straight], who[~straight]",
        "turning, going = who[straight], who[~straight]; self.turn(who)",
    ),
    "the last message alone": ("near[some] |=", "near[some] ="),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_found_and_shown_as_a_comparison_of_traces(fault: str) -> None:
    right, wrong = FAULTS[fault]
    source = inspect.getsource(Walks).replace("class Walks(Population, of=Walk)", "class Faulty(Walks)")
    assert source.count(right) == source.count("class Faulty") == 1
    space: dict[str, Any] = dict(vars(walking))
    exec(source.replace(right, wrong), space)
    faulty: type[Population] = space["Faulty"]
    with pytest.raises(AssertionError) as told:
        prove_twin(faulty, of=Walk, make=make, hears=HEARS, worlds=150, points=10, shrunk=False)
    words = str(told.value)
    assert "the traces differ at" in words
    assert "expected  " in words
    assert "seen      " in words


def test_the_world_that_is_told_is_the_smallest() -> None:
    class Deaf(Walks):
        """It never stops."""

        def deltext(self, who: Any, e: Any) -> None:
            self.continuef(who, e)

    with pytest.raises(AssertionError, match="in a world of 1 with the seed 0 that hears") as told:
        prove_twin(Deaf, of=Walk, make=make, hears={"proximity": HEARS["proximity"]}, points=10)
    heard = str(told.value).partition("that hears\n")[2].splitlines()
    assert len(heard) == 1, "one reading makes the difference"


def test_no_trial_takes_the_place_of_a_twin() -> None:
    class Deaf(Walks):
        """A trial, which is no twin."""

    assert twin_of(Walk) is Walks
    with pytest.raises(ModelError, match=r"and tests\..*\.Walks is already: derive it from that, and leave out of="):

        class Other(Population, of=Walk):
            """Another one."""

    assert twin_of(Walk) is Walks


def test_a_cell_of_a_notebook_may_run_again() -> None:
    cell = "class Walk(Walk): pass\nclass Walks(Walks, of=Walk): pass"
    space: dict[str, Any] = {**vars(walking), "__name__": "notebook"}
    for _ in range(2):
        exec(cell, space)
        assert twin_of(space["Walk"]) is space["Walks"]
    first = space["Walks"]
    exec("class Walks(Walks, of=Walk): pass", space)
    assert twin_of(space["Walk"]) is space["Walks"] is not first
    assert twin_of(Walk) is Walks


def test_a_class_derived_from_a_model_has_no_twin() -> None:
    class Other(Walk):
        """It may decide otherwise."""

    assert twin_of(Other) is None


def test_what_cannot_be_heard_is_told() -> None:
    with pytest.raises(DevsRoboticsError, match="Walk hears nothing by 'radio'"):
        prove_twin(Walks, of=Walk, make=make, hears={"radio": st.none()})
