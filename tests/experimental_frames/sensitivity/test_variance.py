"""Sobol's indices of functions that have known ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sin

import numpy as np
import pytest
from SALib.sample import sobol

from devs_robotics.experimental_frames.sensitivity import explain_variance
from devs_robotics.experimental_frames.sensitivity.variance import NEGLIGIBLE, WIDEST, Share, share_texts
from devs_robotics.experimental_frames.statistics.series import Interval
from devs_robotics.experimental_frames.sweep.reading import Sweep, SweepError
from devs_robotics.experimental_frames.sweep.wording import listed
from tests.experimental_frames.sweep.made_sweeps import METRIC, Respond, made_sweep

KEYS = ["x1", "x2", "x3"]


def sweep_of(
    respond: Respond,
    low: float,
    high: float,
    samples: int,
    *,
    second_order: bool = False,
    replicates: int = 1,
    broken: frozenset[int] = frozenset(),
    seed: int = 2,
) -> Sweep:
    problem = {"num_vars": 3, "names": KEYS, "bounds": [[low, high]] * 3}
    points = sobol.sample(problem, samples, calc_second_order=second_order, seed=seed).tolist()
    return made_sweep(
        "sobol",
        KEYS,
        points,
        respond,
        replicates=replicates,
        bounds=[(low, high)] * 3,
        lost=lambda values, replicate: points.index(values) in broken,
    )


def ishigami(values: Sequence[float], replicate: int) -> float:
    """Ishigami & Homma (1990), with a = 7 and b = 0.1."""
    return sin(values[0]) + 7.0 * sin(values[1]) ** 2 + 0.1 * values[2] ** 4 * sin(values[0])


@pytest.mark.parametrize("second_order", [False, True])
def test_ishigami_has_its_indices(second_order: bool) -> None:
    found = explain_variance(sweep_of(ishigami, -pi, pi, 512, second_order=second_order), METRIC)
    shares = {share.key: share for share in found.shares}
    truth = {"x1": (0.3139, 0.5576), "x2": (0.4424, 0.4424), "x3": (0.0, 0.2437)}
    for key, (first, total) in truth.items():
        share = shares[key]
        assert share.first == pytest.approx(first, abs=0.03)
        assert share.total == pytest.approx(total, abs=0.03)
        assert share.first_interval.low - 0.02 <= first <= share.first_interval.high + 0.02
        assert share.total_interval.low - 0.02 <= total <= share.total_interval.high + 0.02
    assert found.deviation == pytest.approx(13.8446**0.5, rel=0.02)
    assert found.samples == 512
    assert [share.key for share in found.shares] == ["x1", "x2", "x3"]
    assert any("x3 explains nothing by itself" in sentence for sentence in found.conclusions)


@pytest.mark.parametrize("second_order", [False, True])
def test_the_indices_are_those_of_the_formulas_also_where_samples_are_left_out(second_order: bool) -> None:
    """Saltelli et al. (2010), table 2 (b) and (f), over the rows A, AB_1 ... and B that are left."""
    size = 8 if second_order else 5
    sweep = sweep_of(ishigami, -pi, pi, 64, second_order=second_order, broken=frozenset({3, 4 * size + 1}))
    values = np.array([float(row[METRIC] or 0.0) for row in sweep.rows]).reshape(64, size)
    left = np.delete(values, [0, 4], axis=0)
    a, b = left[:, 0], left[:, -1]
    variance = np.var(np.concatenate([a, b]))
    centred = left - left.mean()
    found = explain_variance(sweep, METRIC)
    assert found.samples == 62
    for place, key in enumerate(KEYS):
        share = next(share for share in found.shares if share.key == key)
        mixed = left[:, 1 + place]
        assert share.first == pytest.approx((centred[:, -1] * (mixed - a)).mean() / variance)
        assert share.total == pytest.approx(((a - mixed) ** 2).mean() / 2.0 / variance)


def test_intervals_of_indices_hold_them_about_as_often_as_is_said() -> None:
    """Of a sum, at 64 samples: x1 has 9/10 of the variance and x2 the rest."""
    held = []
    for seed in range(15):
        sweep = sweep_of(lambda values, replicate: 3.0 * values[0] + values[1], 0.0, 1.0, 64, seed=seed)
        for share in explain_variance(sweep, METRIC).shares:
            truth = {"x1": 0.9, "x2": 0.1, "x3": 0.0}[share.key]
            held += [share.first_interval.holds(truth), share.total_interval.holds(truth)]
    assert np.mean(held) >= 0.88


def test_a_sum_is_explained_by_its_terms_and_what_is_fixed_can_be_held() -> None:
    found = explain_variance(sweep_of(lambda values, replicate: 3.0 * values[0] + values[1], 0.0, 1.0, 256), METRIC)
    shares = {share.key: share for share in found.shares}
    assert shares["x1"].first == pytest.approx(0.9, abs=0.05)
    assert shares["x2"].total == pytest.approx(0.1, abs=0.03)
    text = " ".join(found.conclusions)
    assert "Of the variance of mean position error E, x1 explains 90 % (" in text
    assert "x3 explains less than 5.0 % in all: it can be held fixed." in text
    assert "The most is explained by x1, surely more than by x2 and x3." in text


def test_what_is_concluded_rests_on_intervals_and_not_on_estimates() -> None:
    """Small terms and near ones, of few samples: what is likely and not sure is not told as sure."""
    sure: set[str]
    likely: set[str]
    sure, likely = set(), set()
    for samples, third in ((64, 0.27), (128, 0.22), (128, 0.31)):
        for seed in range(2):
            weights = (1.0, 0.9, third)
            sweep = sweep_of(lambda x, replicate: float(np.dot(weights, x)), 0.0, 1.0, samples, seed=seed)  # noqa: B023
            found = explain_variance(sweep, METRIC)
            assert not any(share.too_wide for share in found.shares)
            first, *others = found.shares
            behind = [other.key for other in others if other.total_interval.high < first.total_interval.low]
            assert f"The most is explained by {first.key}, surely more than by {listed(behind)}." in found.conclusions
            likely.update({"more"} if len(behind) < len(others) else ())
            for share in found.shares:
                (told,) = [said for said in found.conclusions if f", {share.key} explains " in said]
                fixed, alone = share.total_interval.high < NEGLIGIBLE, share.first_interval.low > 0.0
                assert ("can be held fixed" in told) is fixed
                assert (" by itself that can be told apart from chance" in told) is (not fixed and not alone)
                sure.update({"fixed"} if fixed else ())
                likely.update({"fixed"} if share.total < NEGLIGIBLE and not fixed else ())
                likely.update({"alone"} if share.first > 0.0 and not fixed and not alone else ())
    assert sure == {"fixed"}
    assert likely == {"more", "fixed", "alone"}


def test_nothing_is_told_to_explain_the_most_while_one_interval_is_too_wide() -> None:
    weights = (1.0, 0.6, 0.2)
    found = explain_variance(sweep_of(lambda x, replicate: float(np.dot(weights, x)), 0.0, 1.0, 64, seed=2), METRIC)
    first, *others = found.shares
    assert [share.too_wide for share in found.shares] == [True, False, False]
    assert all(other.total_interval.high < first.total_interval.low for other in others)
    assert not any("The most is explained" in said for said in found.conclusions)


def test_an_interval_is_too_wide_when_it_reaches_further_than_a_quarter_to_each_side() -> None:
    narrow, widest, wide = (Interval(0.5 - half, 0.5 + half) for half in (0.1, WIDEST, 0.2501))
    assert not Share("x1", 0.5, widest, 0.5, widest).too_wide
    assert Share("x1", 0.5, wide, 0.5, narrow).too_wide
    assert Share("x1", 0.5, narrow, 0.5, wide).too_wide


def test_chance_is_told_by_the_replicates() -> None:
    noise = np.random.default_rng(1)
    deviation = (1.0 / 12.0) ** 0.5  # as much as that of an even spread from 0 to 1

    def noisy(values: Sequence[float], replicate: int) -> float:
        return values[0] + float(noise.normal(0.0, deviation))

    found = explain_variance(sweep_of(noisy, 0.0, 1.0, 128, replicates=3), METRIC)
    assert found.replicates == 3.0
    assert found.chance == pytest.approx(0.25, abs=0.05)  # a third of the variance of one, beside a whole one
    assert any("Chance makes 2" in sentence for sentence in found.conclusions)


def test_chance_makes_all_of_the_variance_at_most() -> None:
    """Of nothing but noise its estimate comes out larger now and then."""
    shares = []
    for seed in range(6):
        noise = np.random.default_rng(seed)
        sweep = sweep_of(lambda values, replicate: float(noise.normal()), 0.0, 1.0, 16, replicates=2)  # noqa: B023
        shares.append(explain_variance(sweep, METRIC).chance)
    assert max(shares) == 1.0
    assert min(shares) > 0.6


def test_few_samples_are_told() -> None:
    found = explain_variance(sweep_of(ishigami, -pi, pi, 16), METRIC)
    wide = [share.key for share in found.shares if share.too_wide]
    assert wide
    (said,) = (said for said in found.conclusions if "16 samples are too few to say how much" in said)
    for key in KEYS:  # nothing is told of what they are too few for
        assert (key in said) is (key in wide)
        assert any(f"{key} explains" in told and told is not said for told in found.conclusions) is (key not in wide)
    assert not any("the most is explained" in told.lower() for told in found.conclusions)
    assert "8 samples are too few: 16 are needed" in explain_variance(sweep_of(ishigami, -pi, pi, 8), METRIC).withheld


def test_a_sample_with_a_lost_run_is_left_out_and_told() -> None:
    whole = explain_variance(sweep_of(ishigami, -pi, pi, 32), METRIC)
    found = explain_variance(sweep_of(ishigami, -pi, pi, 32, broken=frozenset({7, 8, 93})), METRIC)
    assert (whole.samples, found.samples) == (32, 30)
    assert found.conclusions[-1] == "3 of 160 runs are left out (3 lost a robot), and 2 of 32 samples."


def test_too_many_lost_samples_withhold_the_conclusion() -> None:
    found = explain_variance(sweep_of(ishigami, -pi, pi, 32, broken=frozenset(range(0, 160, 15))), METRIC)
    assert found.shares == ()
    assert "% of the samples have a point without a run that counts" in found.conclusions[0]


def test_what_never_changes_is_told() -> None:
    found = explain_variance(sweep_of(lambda values, replicate: 0.3, 0.0, 1.0, 16), METRIC)
    assert found.withheld == "it is the same at every point"


def test_estimates_beyond_what_a_share_can_be_are_ended_there() -> None:
    assert share_texts(1.09, Interval(0.47, 1.72, 0.95)) == ("100 %", "47 to 100")
    assert share_texts(-0.01, Interval(-0.1, 0.08, 0.95)) == ("0.0 %", "0.0 to 8.0")


def test_another_design_is_refused() -> None:
    sweep = sweep_of(ishigami, -pi, pi, 16)
    shuffled = [{**row, "point": float((int(row["run"] or 0) * 7) % 80)} for row in sweep.rows]
    with pytest.raises(SweepError, match="no Sobol design of 3 keys"):
        explain_variance(Sweep(sweep.design, sweep.subject, tuple(shuffled)), METRIC)
