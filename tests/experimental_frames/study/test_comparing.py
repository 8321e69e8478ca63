"""Stages side by side: means, differences and what is read from them."""

from __future__ import annotations

from math import nan

import pytest

from devs_robotics.experimental_frames.convoy.metrics import metric_named
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.estimates import Estimate
from devs_robotics.experimental_frames.study.compared import everything
from devs_robotics.experimental_frames.study.comparing import reading, rows
from devs_robotics.experimental_frames.sweep import Subject
from tests.experimental_frames.study.studies import made_run, made_study

TEN = range(1, 11)
POSITION_ERROR = metric_named("error_at_pose_changes_m")


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (Estimate(0, nan, None, None), "nothing to compare"),
        (Estimate(1, 0.1, None, None), "1 pair of runs is too few to tell a difference apart from chance"),
        (Estimate(4, 0.1, 0.05, 0.15), "4 pairs of runs are too few to tell a difference apart from chance"),
        (Estimate(3, 1e-5, -1e-5, 4e-4), "the same"),
        (Estimate(10, 0.004, -0.003, 0.011), "no difference can be told apart from chance"),
        (Estimate(10, -0.0225, -0.09, -7e-18), "no difference can be told apart from chance"),
        (Estimate(10, 0.0123, 0.007, 0.018), "larger by 1.2 cm"),
        (Estimate(10, -0.0123, -0.018, -0.007), "smaller by 1.2 cm"),
    ],
)
def test_a_difference_is_read_from_its_numbers(difference: Estimate, words: str) -> None:
    assert reading(difference, POSITION_ERROR) == words


def test_of_what_few_runs_have_no_difference_is_concluded() -> None:
    lost = Metric("robots_lost", "robots lost", rare=True)
    assert reading(Estimate(10, 0.3, None, None), lost) == "nothing is concluded from a value that few runs have"
    assert reading(Estimate(10, 0.0, 0.0, 0.0), lost) == "the same"


def test_differences_are_taken_seed_by_seed() -> None:
    """Seeds differ by decimetres, the stage by a centimetre."""
    study = made_study({"fast": {seed: 0.1 * seed for seed in TEN}, "loop": {seed: 0.1 * seed + 0.01 for seed in TEN}})
    for row in rows(study):
        assert row.means["fast"].mean == pytest.approx(0.55)
        difference = row.differences["loop"].difference
        assert difference.n == 10
        assert difference.mean == pytest.approx(0.01)
        assert difference.low == pytest.approx(0.01)
        assert difference.high == pytest.approx(0.01)
        assert "fast" not in row.differences


def test_what_was_measured_in_no_run_is_not_told_but_for_what_is_told_first() -> None:
    study = made_study({"fast": {1: nan, 2: nan}})
    assert [row.quantity.name for row in rows(study)] == ["error_at_pose_changes_m", "back_robot_error_m"]
    study.runs[0].values["largest_error_m"] = 0.1
    assert rows(study)[-1].quantity.name == "largest_error_m"


def test_by_default_all_numbers_are_compared_and_the_main_ones_first() -> None:
    numbers, word = [Metric(name, name) for name in "abcde"], Metric("word", "word", words=("yes", "no"))
    compared = everything(Subject(metrics=(word, *numbers), main=("d", "b")))
    assert [metric.name for metric in compared.metrics] == ["d", "b", "a", "c", "e"]
    assert compared.measure == "d"


def test_runs_that_were_not_accepted_enter_nothing() -> None:
    study = made_study({"fast": dict.fromkeys(TEN, 0.1), "loop": dict.fromkeys(TEN, 0.2)})
    study.runs[3] = made_run("fast", 4, 99.0, "rejected")
    study.runs[15] = made_run("loop", 6, 99.0, "broken off")
    row = rows(study)[0]
    assert row.means["fast"].n == 9
    assert row.means["fast"].mean == pytest.approx(0.1)
    assert row.differences["loop"].difference.n == 8


def test_without_the_stage_fast_the_first_one_is_the_reference() -> None:
    study = made_study({"realtime": {1: 0.1}, "loop": {1: 0.2}})
    assert study.reference == "realtime"
    assert set(rows(study)[0].differences) == {"loop"}


def test_equal_stages_have_equal_intervals() -> None:
    values = {seed: 0.01 * seed**2 for seed in TEN}
    row = rows(made_study({"fast": values, "real": values}))[0]
    assert row.means["fast"] == row.means["real"]
    assert row.differences["real"].reading == "the same"


def test_values_are_shown_in_their_unit_with_their_digits() -> None:
    assert POSITION_ERROR.text(0.12345) == "12.3"
    assert POSITION_ERROR.text(-0.01, sign=True) == "−1.0"
    assert POSITION_ERROR.text(0.01, sign=True) == "+1.0"
    assert POSITION_ERROR.text(-1e-9, sign=True) == "0.0"
