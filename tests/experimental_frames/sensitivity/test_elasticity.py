"""Elasticities: power laws have theirs, and what is said follows from the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import exp, isnan, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.sensitivity import Elasticities, elasticities
from devs_robotics.experimental_frames.sensitivity.elasticity import factor_between
from devs_robotics.experimental_frames.sensitivity.wording import grade, grades
from devs_robotics.experimental_frames.statistics.series import Interval
from tests.experimental_frames.sweep.made_sweeps import METRIC, Respond, made_sweep

NOISES = ["noise.dnf", "noise.anf"]
PAPER = [[0.04, 0.04], [0.1, 0.08], [0.2, 0.1]]
SCATTER = np.random.default_rng(1).normal(0.0, 1.0, (2, 40))


def over_the_papers_sets(respond: Respond, replicates: int = 8, broken: int = 0) -> Elasticities:
    """The elasticities over the paper's noise sets, in the last of which some runs lose a robot."""
    sweep = made_sweep(
        "factorial",
        NOISES,
        PAPER,
        respond,
        replicates=replicates,
        lost=lambda values, replicate: values[0] == 0.2 and replicate < broken,
    )
    (found,) = elasticities(sweep, METRIC)
    return found


@given(st.floats(-3.0, 3.0), st.floats(0.01, 100.0), st.sets(st.integers(1, 1000), min_size=2, max_size=5))
def test_a_power_law_has_its_exponent(exponent: float, factor: float, hundredths: set[int]) -> None:
    values = [number / 100.0 for number in sorted(hundredths)]
    sweep = made_sweep(
        "factorial",
        ["noise.dnf"],
        [[value] for value in values],
        lambda point, replicate: factor * (1 + replicate) * point[0] ** exponent,
        replicates=8,
    )
    (found,) = elasticities(sweep, METRIC)
    for change in (*found.changes, found.whole):
        assert change.elasticity == pytest.approx(exponent, abs=1e-6)
        assert change.interval is not None
        assert change.interval.low == pytest.approx(exponent, abs=1e-6)
        assert change.interval.high == pytest.approx(exponent, abs=1e-6)


def test_both_noises_together_count_by_their_geometric_mean() -> None:
    found = over_the_papers_sets(lambda values, replicate: (1 + replicate) * (values[0] * values[1]) ** 0.3)
    assert found.keys == tuple(NOISES)
    assert found.whole.factor == pytest.approx((5.0 * 2.5) ** 0.5)
    assert [change.elasticity for change in found.changes] == pytest.approx([0.6, 0.6])  # 0.3 to each noise
    assert "when they double together, mean position error E rises by 52 % (52 to 52)" in found.conclusions[0]


def test_the_published_errors_are_insensitive_to_noise() -> None:
    published = dict(zip([0.04, 0.1, 0.2], [0.351, 0.357, 0.366], strict=True))
    found = over_the_papers_sets(lambda values, replicate: published[values[0]] * (1.0 + 0.02 * SCATTER[0, replicate]))
    assert found.changes[0].elasticity == pytest.approx(log(35.7 / 35.1) / log(5.0**0.5))
    assert found.changes[0].reading == (
        "from noise.dnf = 0.04, noise.anf = 0.04 to noise.dnf = 0.1, noise.anf = 0.08: mean position error E rises by "
        "1.7 % (1.7 to 1.7); elasticity 0.021 (0.021 to 0.021): insensitive"
    )
    assert found.conclusions[0].startswith(
        "Mean position error E is insensitive to noise.dnf and noise.anf up to noise.dnf = 0.2, noise.anf = 0.1, the "
        "largest tried"
    )


def law(noise: dict[tuple[float, int], float], values: Sequence[float], replicate: int) -> float:
    """A power law of both noises with elasticity 0.2, and scatter."""
    return float((values[0] * values[1]) ** 0.1 * exp(noise[values[0], replicate]))


def test_intervals_hold_the_true_elasticity_about_as_often_as_is_said() -> None:
    rng, held, trials = np.random.default_rng(9), 0, 100
    for _ in range(trials):
        noise = {(dnf, replicate): rng.normal(0.0, 0.1) for dnf, _ in PAPER for replicate in range(8)}
        found = over_the_papers_sets(partial(law, noise))
        assert found.changes[0].interval is not None
        held += found.changes[0].interval.holds(0.2)
    assert 0.88 <= held / trials <= 1.0


def test_chance_is_told_from_a_small_effect() -> None:
    found = over_the_papers_sets(lambda values, replicate: 0.3 + 0.003 * SCATTER[int(values[0] > 0.1), replicate])
    change = found.changes[1]
    assert "no effect on mean position error E can be told apart from chance" in change.reading
    assert change.reading.endswith("insensitive")


def test_levels_are_told_with_their_intervals() -> None:
    found = over_the_papers_sets(lambda values, replicate: 0.3 + 0.01 * replicate, replicates=5)
    assert [level.runs for level in found.levels] == [5, 5, 5]
    assert found.levels[0].mean == pytest.approx(0.32)
    assert found.levels[0].interval is not None
    assert found.levels[0].interval.half_width == pytest.approx(2.776 * 0.0158114 / 5**0.5, rel=1e-3)


def test_two_runs_have_an_interval_and_one_has_none() -> None:
    for replicates in (1, 2):
        found = over_the_papers_sets(lambda values, replicate: 0.3 + 0.01 * replicate, replicates=replicates)
        assert all((level.interval is not None) == (replicates == 2) for level in found.levels)


def test_where_no_run_counts_nothing_is_the_same() -> None:
    found = over_the_papers_sets(lambda values, replicate: 0.3, replicates=4, broken=4)
    assert [change.same for change in found.changes] == [True, False]
    assert not found.whole.same


def test_an_elasticity_at_a_bound_is_called_by_the_smaller_word() -> None:
    words = ["insensitive", "weakly sensitive", "sensitive", "more than proportionally sensitive"]
    assert [grade(sign * bound) for sign in (1, -1) for bound in (0.1, 0.5, 1.0)] == 2 * words[:3]
    assert [grade(1.01 * bound) for bound in (0.1, 0.5, 1.0)] == words[1:]


def test_few_pairs_give_no_interval_and_no_grade() -> None:
    found = over_the_papers_sets(lambda values, replicate: values[0], replicates=3)
    assert found.whole.interval is None
    assert "3 pairs of runs are too few to tell that from chance" in found.whole.reading


def test_lost_robots_are_left_out_and_told() -> None:
    found = over_the_papers_sets(lambda values, replicate: values[0], broken=1)
    assert found.levels[2].left_out == 1
    assert found.changes[1].ratio.pairs == 7
    assert not found.changes[1].withheld
    assert found.conclusions[-1] == "1 of 24 runs is left out (1 lost a robot)."


def test_too_many_lost_robots_withhold_the_conclusion() -> None:
    found = over_the_papers_sets(lambda values, replicate: values[0], broken=3)
    assert not found.changes[0].withheld
    for change in (found.changes[1], found.whole):
        assert "nothing is concluded" in change.reading
        assert "3 of 8 runs are left out (3 lost a robot)" in change.withheld
    assert not any("when they double" in sentence for sentence in found.conclusions)


def test_where_all_robots_are_lost_nothing_is_concluded() -> None:
    found = over_the_papers_sets(lambda values, replicate: values[0], broken=8)
    assert isnan(found.levels[2].mean)
    assert found.whole.withheld


def test_a_metric_of_zero_has_no_elasticity() -> None:
    found = over_the_papers_sets(lambda values, replicate: 0.0 if values[0] < 0.1 else 0.2)
    assert isnan(found.changes[0].elasticity)
    assert "goes from 0 cm to 20 cm, of which there is no relative change" in found.changes[0].reading


@pytest.mark.parametrize(
    ("start", "end", "factor"),
    [
        ({"a": 1.0}, {"a": 2.0}, 2.0),
        ({"a": 1.0, "b": 1.0}, {"a": 2.0, "b": 8.0}, 4.0),
        ({"a": 1.0, "b": 3.0}, {"a": 2.0, "b": 3.0}, 2.0),
        ({"a": 0.0}, {"a": 2.0}, nan),
        ({"a": 1.0, "b": 2.0}, {"a": 2.0, "b": 1.0}, nan),
        ({"a": 1.0}, {"a": 1.0}, nan),
    ],
)
def test_a_factor_is_a_geometric_mean(start: dict[str, float], end: dict[str, float], factor: float) -> None:
    assert factor_between(start, end) == pytest.approx(factor, nan_ok=True)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(0.0, 1.0))
def test_grades_bound_what_is_in_the_interval(a: float, b: float, share: float) -> None:
    order = ["insensitive", "weakly sensitive", "sensitive", "more than proportionally sensitive"]
    least, most = (order.index(word) for word in grades(Interval(min(a, b), max(a, b))))
    assert least <= order.index(grade(a + share * (b - a))) <= most


def test_in_a_grid_every_key_is_by_itself_with_the_others_held() -> None:
    points = [[dnf, robots] for dnf in (0.1, 0.2) for robots in (10, 20, 40)]
    sweep = made_sweep(
        "factorial", ["noise.dnf", "convoy.robots"], points, lambda values, replicate: values[0] * values[1] ** 0.5
    )
    found = elasticities(sweep, METRIC)
    assert [(each.keys, each.held) for each in found] == [
        *((("noise.dnf",), {"convoy.robots": robots}) for robots in (10.0, 20.0, 40.0)),
        *((("convoy.robots",), {"noise.dnf": dnf}) for dnf in (0.1, 0.2)),
    ]
    assert [each.whole.elasticity for each in found] == pytest.approx([1.0, 1.0, 1.0, 0.5, 0.5])
