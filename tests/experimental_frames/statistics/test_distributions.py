"""Tails and quantiles: those of scipy.stats, which a verdict does without since importing it takes so long."""

from __future__ import annotations

import subprocess
import sys
from math import inf, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from devs_robotics.experimental_frames.statistics.distributions import normal_quantile, normal_tail, student_quantile

PROBABILITIES = st.floats(1e-9, 1.0 - 1e-9)
VERDICT = """
import sys
from devs_robotics.experimental_frames.coherence import coherence
found = coherence(range({rounds}), [0.07 + 0.001 * (number * 7 % 11) for number in range({rounds})], (), 0.15)
assert (found.p == found.p) == ({rounds} >= 40), found
print(*sorted(name for name in sys.modules if name in ("scipy", "scipy.special", "scipy.stats")))
"""


@given(st.floats(-38.0, 37.0))
def test_a_normal_tail_is_that_of_scipy_however_far(value: float) -> None:
    assert normal_tail(value) == pytest.approx(float(stats.norm.sf(value)), rel=1e-12)


@given(PROBABILITIES, st.integers(1, 200))
def test_quantiles_are_those_of_scipy(probability: float, freedom: int) -> None:
    assert normal_quantile(probability) == pytest.approx(float(stats.norm.ppf(probability)), rel=1e-9, abs=1e-12)
    assert student_quantile(probability, freedom) == pytest.approx(
        float(stats.t.ppf(probability, freedom)), rel=1e-9, abs=1e-12
    )


@given(PROBABILITIES, st.floats(0.5, 1e6))
def test_students_quantile_is_that_of_scipy_for_any_freedom(probability: float, freedom: float) -> None:
    assert student_quantile(probability, freedom) == pytest.approx(
        float(stats.t.ppf(probability, freedom)), rel=1e-8, abs=1e-11
    )


def test_quantiles_at_the_ends_are_infinite_and_there_are_none_beyond() -> None:
    assert (student_quantile(0.0, 3), student_quantile(0.5, 3), student_quantile(1.0, 3)) == (-inf, 0.0, inf)
    assert isnan(student_quantile(1.5, 3))
    assert isnan(student_quantile(0.9, 0.0))


@pytest.mark.parametrize("rounds", [30, 100])
def test_a_verdict_does_without_scipy(rounds: int) -> None:
    code = VERDICT.format(rounds=rounds)
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (found.stdout.strip(), found.stderr) == ("", "")
