"""Runs that count, and those that do not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from devs_robotics.experimental_frames.sweep.counting import counted
from devs_robotics.experimental_frames.sweep.losses import losses
from devs_robotics.experimental_frames.sweep.reading import Row
from devs_robotics.experimental_frames.sweep.settings import moved_together
from tests.experimental_frames.sweep.made_sweeps import METRIC, SUBJECT, made_sweep


def row(point: int, ended: str, value: float | None, lost: int = 0) -> Row:
    return {"point": float(point), "ended": ended, METRIC: value, "cpu_s": 1.0, "robots_lost": float(lost)}


ROWS = [
    row(0, "accepted", 0.1),
    row(0, "accepted", 0.2),
    row(0, "accepted", None),
    row(0, "rejected", 0.3, lost=1),
    row(0, "rejected", 0.3),
    row(1, "failed", None),
    row(1, "interrupted", 0.2),
    row(1, "accepted", 0.2),
]


def test_each_run_that_does_not_count_has_a_reason() -> None:
    count = counted(ROWS, METRIC, SUBJECT)
    assert len(count.rows) == 3
    assert sum(count.left_out.values()) == 5
    assert count.note == (
        "5 of 8 runs are left out (1 without such a number, 1 lost a robot, 1 rejected, 1 failed, 1 interrupted)"
    )
    assert count.worst_share == pytest.approx(2 / 3)
    assert count.too_few


def test_the_cost_of_a_convoy_that_broke_up_counts() -> None:
    assert len(counted(ROWS, "cpu_s", SUBJECT).rows) == 6


def test_what_is_no_average_over_a_formation_is_declared_to_count_even_where_a_run_was_rejected() -> None:
    assert {metric.name for metric in SUBJECT.metrics if metric.even_rejected} == {
        "robots_lost",
        "first_lost_at_s",
        "collisions",
        "rounds_completed",
        "robot_rounds",
        "simulated_s",
        "transitions",
        "cpu_s",
        "cpu_per_robot_round_s",
    }


def test_one_of_eight_may_be_left_out_and_two_may_not() -> None:
    good, bad = row(0, "accepted", 0.1), row(0, "rejected", 0.1, lost=1)
    assert not counted([good] * 7 + [bad], METRIC, SUBJECT).too_few
    assert counted([good] * 6 + [bad] * 2, METRIC, SUBJECT).too_few
    assert not counted([good] * 4 + [bad], METRIC, SUBJECT).too_few  # a fifth, and no more
    assert counted([], METRIC, SUBJECT).too_few


def test_losses_are_counted_over_the_runs_that_came_to_a_verdict() -> None:
    found = losses(ROWS, SUBJECT)
    assert found is not None
    assert (found.runs, found.lost) == (6, 1)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.00421, abs=1e-5)  # Clopper and Pearson's, from tables
    assert found.interval.high == pytest.approx(0.64123, abs=1e-5)
    none = losses([], SUBJECT)
    assert none is not None
    assert none.interval is None


def test_a_case_without_lost_robots_has_no_losses_and_its_rejected_runs_are_called_so() -> None:
    without = replace(SUBJECT, lost="")
    assert losses(ROWS, without) is None
    assert counted(ROWS, METRIC, without).left_out["rejected"] == 2


def test_keys_that_tell_each_other_are_one_bundle() -> None:
    paper = [[0.04, 0.04, 30], [0.1, 0.08, 30], [0.2, 0.1, 30]]
    grid = [[dnf, anf, 30] for dnf in (0.1, 0.2) for anf in (0.04, 0.08)]
    keys = ["noise.dnf", "noise.anf", "convoy.robots"]
    for points, bundles in ((paper, [("noise.dnf", "noise.anf")]), (grid, [("noise.dnf",), ("noise.anf",)])):
        rows = made_sweep("factorial", keys, points, lambda values, replicate: 1.0).rows
        assert moved_together(rows, keys) == bundles
