"""What is fitted to points of a known curve is that curve; what errors are; coefficients in a file."""

from __future__ import annotations

from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.models.batteries import DISCHARGES, CoefficientsError, Curve, read, read_coefficients, shipped
from devs_robotics.models.batteries.coefficients import ILLUSTRATIVE, SHIPPED, coefficients_text
from devs_robotics.models.batteries.fitting import PUBLISHED, fit, mean_square_errors
from devs_robotics.models.batteries.measured import Measured, MeasuredError, Point
from tests.approximately import near
from tests.models.batteries.discharges import steep_curves

HOUR = 3600.0


def points(curve: Curve, number: int, noise: float = 0.0, seed: int = 1) -> list[Point]:
    """Of a curve, over its whole duration; the readings are between 0 and 1."""
    chance = Random(seed)
    times = [curve.duration * each / number for each in range(number + 1)]
    return [Point(time, min(1.0, max(0.0, curve.charge_at(time) + chance.gauss(0.0, noise)))) for time in times]


def measured(curves: tuple[Curve, ...], number: int = 40, noise: float = 0.0) -> Measured:
    return {each.speed_cm: points(each, number, noise, seed) for seed, each in enumerate(curves)}


@settings(max_examples=30)
@given(steep_curves, st.integers(3, 12))
def test_points_without_noise_give_back_the_curves(curves: tuple[Curve, ...], number: int) -> None:
    found = fit(measured(curves, number), "test")
    assert found.warnings == ()
    for curve, again in zip(curves, found.coefficients.curves, strict=True):
        assert (again.speed_cm, again.duration) == (curve.speed_cm, near(curve.duration, within=1e-4 * curve.duration))
        for time in (0.25 * curve.duration, 0.7 * curve.duration):
            assert again.charge_at(time) == near(curve.charge_at(time), within=1e-6)
    assert found.averages["cubic"] == near(0.0, within=1e-10)


def test_points_with_noise_give_back_the_illustrative_curves() -> None:
    """Of 16 speeds with 200 points each; the errors are the noise's variance, and what four pieces add to it."""
    noise = 0.02
    found = fit(measured(ILLUSTRATIVE, 200, noise), "test")
    for curve, again in zip(ILLUSTRATIVE, found.coefficients.curves, strict=True):
        assert again.duration == near(curve.duration, within=0.02 * curve.duration)
        assert again.charge_at(0.5 * curve.duration) == near(curve.charge_at(0.5 * curve.duration), within=0.01)
    for slope, curve in zip(found.coefficients.linear.slopes, ILLUSTRATIVE, strict=True):
        assert slope == near(-1.0 / curve.duration, within=0.02 / curve.duration)
    assert found.coefficients.simple.at_rest == near(SHIPPED.simple.at_rest, within=1e-6)
    assert found.coefficients.simple.moving == near(SHIPPED.simple.moving, within=1e-6)
    averages = found.averages
    assert averages["cubic"] == near(noise**2, within=5e-5)
    assert averages["approximated"] == near(noise**2 + 2.09e-4, within=5e-5)
    assert averages["cubic"] < averages["approximated"] < averages["linear"] < averages["simple"]


def test_errors_are_means_of_squares_per_speed_and_all_speeds_count_alike() -> None:
    """With one speed of many points and one of few; the simple model is wrong by a tenth after half the time."""
    simple = shipped("simple")
    half = {speed: 0.5 * simple.seconds_until(1.0, 0.0, speed / 100.0) for speed in (0.0, 4.0)}
    data = {0.0: [Point(half[0.0], 0.6)] * 9, 4.0: [Point(half[4.0], 0.5), Point(half[4.0], 0.8)]}
    assert mean_square_errors(simple, data) == [near(0.01), near(0.045)]
    errors = fit({0.0: points(ILLUSTRATIVE[0], 9), 4.0: points(ILLUSTRATIVE[4], 99)}, "test").errors["linear"]
    assert fmean(errors) == near(sum(errors) / 2)


def test_the_published_errors_are_those_of_table_5() -> None:
    assert list(PUBLISHED.values()) == [(0.0221, 0.0170, 0.0020, 0.0025), (0.0216, 0.0167, 0.0019, 0.0023)]
    assert all(len(errors) == len(DISCHARGES) for errors in PUBLISHED.values())


@settings(max_examples=15)
@given(st.lists(st.floats(0.0, 1.0), min_size=5, max_size=8), st.booleans())
def test_whatever_was_measured_the_curves_fall(charges: list[float], kept: bool) -> None:
    """Where the best cubic rises, the best that falls takes its place."""
    odd = [Point(600.0 * number, charge) for number, charge in enumerate(charges, 1)]
    if kept:
        odd.insert(0, Point(0.0, 1.0))
    data = {0.0: points(ILLUSTRATIVE[0], 9), 3.0: odd}
    if min(charges) == 1.0:
        with pytest.raises(
            MeasuredError, match=r"^data\.csv, line 0: the charge at 3 cm/s does not fall with time: give"
        ):
            fit(data, "data.csv")
        return
    found = fit(data, "data.csv")
    curve = found.coefficients.curves[1]
    grid = [curve.charge_at(curve.duration * number / 50) for number in range(51)]
    assert grid == sorted(grid, reverse=True)
    warned = [each for each in found.warnings if each.startswith("the best cubic of 3 cm/s rises after")]
    assert len(warned) <= 1


def test_a_best_cubic_that_rises_is_told_with_the_time_and_both_errors() -> None:
    plateau = [Point(600.0 * number, charge) for number, charge in enumerate([1.0, 0.6, 0.5, 0.5, 0.52, 0.5, 0.3, 0.0])]
    found = fit({0.0: points(ILLUSTRATIVE[0], 9), 3.0: plateau}, "test")
    (warning,) = found.warnings
    assert warning.startswith("the best cubic of 3 cm/s rises after 0.")
    assert "the best one that falls is taken" in warning
    falls, rises = (float(number) for number in warning.replace(" instead of", "").split()[-2:])
    assert falls == near(found.errors["cubic"][1], within=5e-5)
    assert rises < falls < found.errors["linear"][1]


def test_one_that_was_not_measured_to_its_end_falls_from_there_to_0_nearer_to_the_points_than_a_line() -> None:
    plateau = [Point(600.0 * number, charge) for number, charge in enumerate([1.0, 0.6, 0.5, 0.5, 0.52, 0.5])]
    found = fit({0.0: points(ILLUSTRATIVE[0], 9), 3.0: plateau}, "test")
    assert found.warnings[0].startswith("the lowest charge at 3 cm/s is 0.5 (line 0): what the curve says of less is a")
    assert found.errors["cubic"][1] < 0.5 * found.errors["linear"][1]
    line = -1.0 / found.coefficients.linear.slopes[1]
    assert plateau[-1].time < found.coefficients.curves[1].duration <= line * (1.0 + 1e-9)


def test_a_battery_that_was_never_full_or_never_empty_is_told() -> None:
    late = [Point(point.time, 0.8 * point.charge, 7) for point in points(ILLUSTRATIVE[3], 9)]
    short = [Point(point.time, point.charge, 8) for point in points(ILLUSTRATIVE[4], 9)[:5]]
    found = fit({0.0: points(ILLUSTRATIVE[0], 9), 3.0: late, 4.0: short}, "test")
    assert found.warnings[0].startswith(
        "the highest charge at 3 cm/s is 0.8 (line 7): curves begin with a full battery"
    )
    assert found.warnings[1].startswith(f"the lowest charge at 4 cm/s is {short[-1].charge:g} (line 8): what the curve")


def test_times_that_are_too_near_to_each_other_are_told() -> None:
    near_ones = [Point(1000.0 + number / 1e4, 0.9, 7) for number in range(40)]
    with pytest.raises(MeasuredError, match=r"^data\.csv, line 7: the times at 3 cm/s are too near to each other"):
        fit({0.0: points(ILLUSTRATIVE[0], 9), 3.0: near_ones}, "data.csv")


@pytest.mark.parametrize("name", DISCHARGES)
def test_coefficients_come_back_from_their_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "battery.json"
    path.write_text(coefficients_text(SHIPPED))
    assert read(path, name) == shipped(name)
    assert read_coefficients(path) == SHIPPED


def test_a_file_without_coefficients_is_told(tmp_path: Path) -> None:
    path = tmp_path / "battery.json"
    rising = coefficients_text(SHIPPED).replace(str(ILLUSTRATIVE[2].coefficients[0]), "0.5")
    assert "0.5" in rising
    for content, why in {
        "": "Input data was truncated",
        "{}": "Object missing required field `about`",
        coefficients_text(SHIPPED).replace(
            '"moving"', '"going"'
        ): "Object contains unknown field `going` - at `$.simple`",
        coefficients_text(SHIPPED).replace(
            "-0.00008699124", '"fast"'
        ): "Expected `float`, got `str` - at `$.simple.moving`",
        rising: "the curve of 2 cm/s rises after 0.00 h",
    }.items():
        path.write_text(content)
        with pytest.raises(CoefficientsError) as told:
            read(path, "cubic")
        assert str(told.value).startswith(f"{path} holds no coefficients of a battery ({why}"), content[:60]
        assert str(told.value).endswith("write it by devs-robotics battery fit data.csv --out DIR")
    with pytest.raises(CoefficientsError, match=r"holds no coefficients of a battery \(No such file or directory\)"):
        read(tmp_path / "nowhere.json", "cubic")
