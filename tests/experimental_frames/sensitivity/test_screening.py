"""Morris' measures of functions whose elementary effects are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from SALib.sample import morris

from devs_robotics.experimental_frames.sensitivity import Screening, screen
from devs_robotics.experimental_frames.sweep.reading import Sweep, SweepError
from tests.experimental_frames.sweep.made_sweeps import METRIC, SUBJECT, Respond, made_sweep

KEYS = ["noise.dnf", "noise.anf", "leader.step"]
BOUNDS = [(0.0, 0.3), (0.0, 0.15), (0.1, 0.5)]
RANGES = [high - low for low, high in BOUNDS]


def points(trajectories: int = 10) -> list[list[float]]:
    problem = {"num_vars": 3, "names": KEYS, "bounds": [list(bound) for bound in BOUNDS]}
    found: list[list[float]] = morris.sample(problem, trajectories, num_levels=4, seed=3).tolist()
    return found


def sweep_of(
    respond: Respond,
    *,
    trajectories: int = 10,
    replicates: int = 1,
    lost: Callable[[Sequence[float], int], bool] = lambda values, replicate: False,
) -> Sweep:
    return made_sweep("morris", KEYS, points(trajectories), respond, replicates=replicates, lost=lost, bounds=BOUNDS)


def by_key(found: Screening) -> dict[str, tuple[float, float, float]]:
    return {effect.key: (effect.mean, effect.size, effect.spread) for effect in found.effects}


def test_a_linear_function_has_its_slopes_and_no_spread() -> None:
    slopes = (2.0, -5.0, 0.25)
    found = screen(sweep_of(lambda values, replicate: 1.0 + float(np.dot(slopes, values))), METRIC)
    effects = by_key(found)
    for key, slope, width in zip(KEYS, slopes, RANGES, strict=True):
        assert effects[key] == pytest.approx((slope * width, abs(slope) * width, 0.0), abs=1e-9)
    assert [effect.key for effect in found.effects] == ["noise.anf", "noise.dnf", "leader.step"]
    assert all(effect.shape == "almost linearly" and effect.told_apart for effect in found.effects)
    assert found.conclusions[0] == (
        "Over its range from 0 to 0.15, noise.anf changes mean position error E by 75 cm on average (75 to 75), almost "
        "linearly: down when it grows."
    )


def curved(values: Sequence[float], replicate: int) -> float:
    return values[0] ** 2 * (1.0 + values[1]) - values[1] * values[2]


def test_the_measures_are_those_of_elementary_effects_taken_one_by_one() -> None:
    """Along each trajectory: what the metric changes by, a whole range of the one key that changes."""
    effects: dict[str, list[float]] = {key: [] for key in KEYS}
    for trajectory in range(10):
        for start, end in pairwise(points()[4 * trajectory : 4 * trajectory + 4]):
            (place,) = (place for place in range(3) if start[place] != end[place])
            change = curved(end, 0) - curved(start, 0)
            effects[KEYS[place]].append(change / (end[place] - start[place]) * RANGES[place])
    for key, (mean, size, spread) in by_key(screen(sweep_of(curved), METRIC)).items():
        found = np.array(effects[key])
        assert found.size == 10
        assert (mean, size, spread) == pytest.approx((found.mean(), np.abs(found).mean(), found.std(ddof=1)))


def test_a_product_shows_as_spread() -> None:
    found = screen(sweep_of(lambda values, replicate: (values[0] - 0.15) * (values[1] - 0.075)), METRIC)
    effects = {effect.key: effect for effect in found.effects}
    assert effects["noise.dnf"].spread > effects["noise.dnf"].size
    assert effects["noise.dnf"].shape == "in different directions, or together with other settings"
    assert effects["leader.step"].size == 0.0
    assert not effects["leader.step"].told_apart


@pytest.mark.parametrize(("zero", "sure"), [(0.08, True), (0.1, False)])
def test_a_direction_is_told_only_where_the_mean_effect_is_surely_not_zero(zero: float, sure: bool) -> None:
    """Of the same shape, and told apart from chance by its size, both times."""
    sweep = sweep_of(lambda x, replicate: (x[0] - zero) * (x[1] - 0.05) + replicate, trajectories=8, replicates=2)
    found = screen(sweep, METRIC)
    (effect,) = (effect for effect in found.effects if effect.key == "noise.anf")
    assert (effect.told_apart, effect.shape) == (True, "mostly in one direction")
    assert effect.mean_interval.holds(0.0) is not sure
    (told,) = (said for said in found.conclusions if "noise.anf changes" in said)
    assert told.endswith("mostly in one direction: up when it grows." if sure else "mostly in one direction.")


def scattered(noise: np.random.Generator, values: Sequence[float], replicate: int) -> float:
    return values[1] + float(noise.normal(0.0, 0.02))


def test_a_setting_without_effect_is_seldom_told_apart_from_chance() -> None:
    told, trials = 0, 40
    for trial in range(trials):
        noise = np.random.default_rng(trial)
        sweep = sweep_of(partial(scattered, noise), replicates=3)
        effects = {effect.key: effect for effect in screen(sweep, METRIC).effects}
        assert effects["noise.anf"].told_apart
        told += effects["noise.dnf"].told_apart
    assert told <= 0.15 * trials


def test_chance_is_measured_from_the_replicates() -> None:
    noise = np.random.default_rng(4)
    sweep = sweep_of(lambda values, replicate: noise.normal(0.0, 1.0), trajectories=60, replicates=4)
    for effect in screen(sweep, METRIC).effects:
        assert effect.size == pytest.approx(effect.chance, rel=0.2)


def test_what_replicates_have_in_common_is_no_chance() -> None:
    found = screen(sweep_of(lambda values, replicate: values[0] + 10.0 * replicate, replicates=4), METRIC)
    assert found.effects[0].chance == pytest.approx(0.0, abs=1e-9)
    assert found.effects[0].size == pytest.approx(0.3)


def test_one_run_a_point_is_told() -> None:
    found = screen(sweep_of(lambda values, replicate: values[0]), METRIC)
    assert "With one run per point, chance is not told apart from what settings do together." in found.conclusions


def test_a_trajectory_with_a_lost_run_is_left_out_and_told() -> None:
    bad = next(point for point in points() if points().count(point) == 1)
    found = screen(sweep_of(lambda values, replicate: values[0], lost=lambda values, replicate: values == bad), METRIC)
    assert found.trajectories == 9
    assert found.conclusions[-1] == "1 of 40 runs is left out (1 lost a robot), and 1 of 10 trajectories."


def test_too_many_lost_trajectories_withhold_the_conclusion() -> None:
    found = screen(sweep_of(lambda values, replicate: 1.0, lost=lambda values, replicate: values[0] > 0.25), METRIC)
    assert found.effects == ()
    assert "lost a robot" in found.withheld
    assert "narrow the ranges" in found.conclusions[0]


def test_four_trajectories_are_too_few() -> None:
    assert (
        "4 trajectories are too few: 5 are needed"
        in screen(sweep_of(lambda values, replicate: values[0], trajectories=4), METRIC).withheld
    )


def test_another_design_is_refused() -> None:
    rows = list(sweep_of(lambda values, replicate: values[0]).rows)
    design = sweep_of(lambda values, replicate: 0.0).design
    mixed = Sweep(design, SUBJECT, tuple({**row, "noise.dnf": 0.1} for row in rows))
    with pytest.raises(SweepError, match="no Morris design"):
        screen(mixed, METRIC)
