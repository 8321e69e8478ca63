"""What a sweep over the number of robots is said to show, of sweeps whose truth is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log

import numpy as np
import pytest
from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.scalability import Scaling, scalings
from devs_robotics.experimental_frames.sweep import Subject
from tests.experimental_frames.sweep.made_sweeps import METRIC, Respond, made_sweep

ROBOTS = "convoy.robots"
SIZES = (10, 30, 100, 1000)
COST = "cpu_per_robot_round_s"
SCATTER = np.random.default_rng(6).normal(0.0, 1.0, (len(SIZES), 20))


def scaling(
    respond: Respond,
    *,
    replicates: int = 10,
    sizes: Sequence[int] = SIZES,
    lost: Callable[[Sequence[float], int], bool] = lambda values, replicate: False,
    metric: str = METRIC,
    margin: float | None = None,
) -> Scaling:
    points = [[size] for size in sizes]
    sweep = made_sweep("factorial", [ROBOTS], points, respond, replicates=replicates, lost=lost, metric=metric)
    (found,) = scalings(sweep, metric, margin=margin)
    return found


def noisy(clean: Callable[[float], float], share: float) -> Respond:
    return lambda values, replicate: clean(values[0]) * (1.0 + share * SCATTER[SIZES.index(int(values[0])), replicate])


def test_a_logarithmic_error_is_told() -> None:
    found = scaling(noisy(lambda robots: 0.1 + 0.02 * log(robots), 0.01), margin=0.5)
    assert found.trend is not None
    assert found.trend.chosen.model == "logarithmic"
    assert "the trend of mean position error E is logarithmic: 10" in found.conclusions[1]
    assert "not forecast to reach 50 cm within 10 times the largest N that was tried (1000)" in found.conclusions[2]
    assert [size.robots for size in found.sizes] == list(SIZES)
    assert found.sizes[0].interval is not None
    assert found.sizes[0].interval.holds(0.1 + 0.02 * log(10))


def test_an_average_without_the_leader_levels_off() -> None:
    found = scaling(noisy(lambda robots: 0.14 * (1.0 - 1.0 / robots), 0.003))
    assert found.trend is not None
    assert found.trend.chosen.model == "levelling off"
    assert found.trend.chosen.level == pytest.approx(0.14, rel=0.01)
    assert "is levelling off: 14 − 1" in found.conclusions[1]


@pytest.mark.parametrize(
    ("growth", "flat", "said"),
    [
        (1.2, True, "rises by 19 % (17 to 23); the values at all N are within a factor of 1.5 of the one at N = 10"),
        (0.8, True, "falls by 21 % (18 to 22); the values at all N are within a factor of 1.5 of the one at N = 10"),
        (1.0, True, "shows no change beyond chance (−2"),
        (2.0, False, "becomes 1.98 times as large (1.94 to 2.05); the values at some N are not within a factor"),
        (0.5, False, "becomes 0.495 times as large ("),
    ],
)
def test_costs_are_flat_or_not(growth: float, flat: bool, said: str) -> None:
    found = scaling(noisy(lambda robots: 2e-4 * growth ** log(robots / 10, 100), 0.02), metric=COST)
    assert found.flatness is not None
    assert found.flatness.flat is flat
    assert found.flatness.ratios[1000].value == pytest.approx(growth, rel=0.03)
    assert said in found.flatness.reading


def test_costs_that_scatter_too_much_are_undecided() -> None:
    found = scaling(noisy(lambda robots: 1.4 ** log(robots / 10, 100), 0.3), metric=COST)
    assert found.flatness is not None
    assert found.flatness.flat is None
    assert "more replicates would tell" in found.flatness.reading


def test_a_peak_in_the_middle_is_not_flat() -> None:
    found = scaling(noisy(lambda robots: 2.0 if robots == 100 else 1.0, 0.02), metric=COST)
    assert found.flatness is not None
    assert found.flatness.flat is False


def test_the_cost_of_convoys_that_broke_up_counts_and_their_error_does_not() -> None:
    clean = noisy(lambda robots: 1.0, 0.01)

    def lost(values: Sequence[float], replicate: int) -> bool:
        return values[0] == 1000 and replicate < 5

    assert scaling(clean, metric=COST, lost=lost).sizes[-1].concluded
    found = scaling(clean, lost=lost, margin=2.0)
    assert not found.sizes[-1].concluded
    assert found.sizes[-1].left_out == 5
    assert found.trend is not None
    assert found.trend.sizes == SIZES[:-1]
    assert found.forecast is None
    assert found.conclusions[-2] == (
        "At N = 1000 more than 20 % of the runs are left out: what is left would flatter the convoy, and takes no "
        "part, and nothing is forecast beyond."
    )
    assert found.conclusions[-1] == "5 of 40 runs are left out (5 lost a robot)."


def test_one_lost_run_takes_its_replicate_out_of_the_trend_only() -> None:
    found = scaling(noisy(lambda robots: 1.0, 0.01), lost=lambda values, replicate: values[0] == 30 and replicate == 3)
    assert found.trend is not None
    assert found.trend.replicates == 9
    assert [size.runs for size in found.sizes] == [10, 9, 10, 10]


def test_losses_are_forecast() -> None:
    found = scaling(
        noisy(lambda robots: 1.0, 0.01), lost=lambda values, replicate: values[0] == 1000 or replicate < values[0] / 50
    )
    assert found.breaking is not None
    assert found.breaking.size is not None
    assert 50 < found.breaking.size < 500
    assert any("50 % of runs of this length lose a robot at N = " in sentence for sentence in found.conclusions)


def test_two_sizes_or_one_replicate_are_no_trend() -> None:
    clean = noisy(lambda robots: 1.0, 0.01)
    for found in (scaling(clean, sizes=SIZES[:2]), scaling(clean, replicates=1)):
        assert found.trend is None
        assert found.forecast is None
        assert any(
            "that takes 3 sizes, and 2 replicates with a run at each of them" in said for said in found.conclusions
        )
    assert scaling(clean, replicates=1).sizes[0].interval is None


def test_a_case_without_lost_robots_tells_of_none() -> None:
    sweep = made_sweep(
        "factorial", ["team.robots"], [[size] for size in SIZES], noisy(lambda n: 1.0, 0.01), replicates=3
    )
    (found,) = scalings(replace(sweep, subject=Subject(metrics=(Metric(METRIC, "spread"),))), METRIC)
    assert found.breaking is None
    assert {size.lost for size in found.sizes} == {None}
    assert not any("lost" in said or "lose" in said for said in found.conclusions)


def test_each_setting_of_the_other_keys_is_by_itself() -> None:
    points = [[dnf, size] for dnf in (0.1, 0.2) for size in SIZES]
    sweep = made_sweep("factorial", ["noise.dnf", ROBOTS], points, lambda values, replicate: values[0], replicates=3)
    found = scalings(sweep, METRIC)
    assert [each.held for each in found] == [{"noise.dnf": 0.1}, {"noise.dnf": 0.2}]
    assert [each.sizes[0].mean for each in found] == pytest.approx([0.1, 0.2])


def test_a_sweep_over_something_else_has_no_scaling() -> None:
    sweep = made_sweep("factorial", ["noise.dnf"], [[0.1], [0.2]], lambda values, replicate: 1.0)
    assert scalings(sweep, METRIC) == []
