"""Arithmetic with the same bits everywhere: arrays and single numbers agree, and times on the raster are exact."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.population import exact

ARGUMENTS = np.random.default_rng(3)


@pytest.mark.parametrize("name", ["sin", "cos", "sqrt"])
def test_numpys_own_functions_that_decisions_may_use_are_those_of_math(name: str) -> None:
    values = ARGUMENTS.uniform(0.0, 50.0, 1_000_000)
    expected = np.fromiter(map(getattr(math, name), values.tolist()), float, values.size)
    assert np.array_equal(getattr(np, name)(values), expected)


@pytest.mark.parametrize("name", ["log", "exp"])
def test_functions_of_arrays_are_those_of_numbers(name: str) -> None:
    values = ARGUMENTS.uniform(0.1, 50.0, (100, 3))
    function = getattr(exact, name)
    assert function(values).tolist() == [[getattr(math, name)(value) for value in row] for row in values.tolist()]
    assert function(2.5) == getattr(math, name)(2.5)


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1))
def test_functions_of_two_arrays_are_those_of_numbers(pairs: list[tuple[float, float]]) -> None:
    first, second = np.array(pairs).T
    assert exact.atan2(first, second).tolist() == [math.atan2(*pair) for pair in pairs]
    assert exact.hypot(first, second).tolist() == [math.hypot(*pair) for pair in pairs]


@given(st.lists(st.floats(0.0, 1e4), min_size=1, max_size=20))
def test_times_on_the_raster_add_up_exactly(times: list[float]) -> None:
    ticks = [exact.tick(time) for time in times]
    assert ticks == exact.tick(np.array(times)).tolist()
    total = sum(ticks)
    assert exact.is_on_raster(total)
    for each in ticks:
        assert (total - each) + each == total
    assert exact.is_on_raster(math.inf)
    assert not exact.is_on_raster(0.1)
    assert not exact.is_on_raster(np.array([0.5, 0.1]))


def test_infinite_times_stay() -> None:
    assert exact.tick(math.inf) == math.inf
    assert exact.tick(np.array([math.inf, 0.3]))[0] == math.inf


PROGRAM = """
import hashlib
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
from tests.devs_robotics.core.population.run_walks import trace
from tests.swarm_traces import said
print(*(name for name in __cpu_dispatch__ if __cpu_features__[name]), sep=",")
swarms = [said(behaviour, 25, 8.0, "arrays", area=0.05) for behaviour in ("diffusion", "walk", "follow")]
swarms.append(said("wander", 12, 5.0, "arrays", area=0.4))
print(hashlib.sha256(repr((trace(40, 20.0), swarms)).encode()).hexdigest())
"""


def test_a_population_says_the_same_without_vector_instructions() -> None:
    features, digest = instructions_and_digest([])
    if not features:
        pytest.skip("numpy takes no vector instructions here that it can do without")
    wide = [name for name in features if "512" in name or "V4" in name]
    for without in (features, *([wide] if wide and wide != features else [])):
        left, same = instructions_and_digest(without)
        assert not set(left) & set(without), "they were left out indeed"
        assert same == digest


def instructions_and_digest(without: list[str]) -> tuple[list[str], str]:
    """Which vector instructions numpy takes in another process that is told to do without some, and of the trace."""
    there = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(without)}
    ran = subprocess.run([sys.executable, "-c", PROGRAM], env=there, capture_output=True, text=True, check=True)
    features, digest = ran.stdout.splitlines()
    return [name for name in features.split(",") if name], digest
