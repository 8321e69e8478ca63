"""The transducer, its metrics and its tables."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from math import cos, hypot, isnan, nan, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.convoy import Formation, Parted, measure
from devs_robotics.experimental_frames.convoy.tables import rounds_csv, series_csv
from devs_robotics.models.convoy import RoundDone
from devs_robotics.models.environment import PoseChange
from tests.approximately import near
from tests.models.play import tell

LINE = [(2.0, 1.0, 0.0), (1.5, 1.0, 0.0), (1.0, 1.0, 0.0)]


def formation(parted: float = 1.0) -> Formation:
    return Formation("formation", LINE, 0.5, parted)


def move(frame: Formation, robot: int, x: float, y: float, heading: float = 0.0, e: float = 1.0) -> None:
    assert tell(frame, (frame.pose_change, PoseChange(robot, x, y, heading)), e=e) == []


def complete(frame: Formation, robot: int, round_number: int, adjustments: int = 0) -> list[object]:
    said = tell(frame, (frame.round_done, RoundDone(robot, round_number, adjustments)), e=0.0)
    return [value for _, value in said]


poses = st.tuples(st.floats(-2, 2), st.floats(-2, 2), st.floats(-pi, pi))


@given(st.lists(st.tuples(st.integers(1, 3), poses), min_size=1, max_size=30))
def test_errors_are_kept_up_to_date_move_by_move(changes: list[tuple[int, tuple[float, float, float]]]) -> None:
    """Against equations (4) to (7) worked out afresh after each pose change."""
    frame, now = formation(), list(LINE)
    for robot, (x, y, heading) in changes:
        move(frame, robot, x, y, heading)
        now[robot - 1] = (x, y, heading)
        total = 0.0
        for front, own in pairwise(now):
            wanted_x, wanted_y = front[0] - 0.5 * cos(front[2]), front[1] - 0.5 * sin(front[2])
            total += hypot(own[0] - wanted_x, own[1] - wanted_y)
        assert frame.error_sums[-1] == pytest.approx(total, abs=1e-9)
    assert list(frame.times) == [float(number) for number in range(1, len(changes) + 1)]


def test_a_row_tells_where_a_robot_stands_and_where_its_front_robot_is() -> None:
    frame = formation()
    move(frame, 1, 2.0, 1.5, pi / 2)
    move(frame, 2, 1.5, 1.0, pi / 2)
    complete(frame, 2, 1, adjustments=3)
    (row,) = frame.rows
    assert (row.round, row.robot, row.time_s, row.adjustments) == (1, 2, 2.0, 3)
    assert row.gap_m == pytest.approx(0.5**0.5)
    assert row.bearing_rad == pytest.approx(-pi / 4)
    assert row.error_m == pytest.approx(0.5)


def test_the_leader_has_no_gap_bearing_or_error() -> None:
    frame = formation()
    complete(frame, 1, 1)
    assert all(isnan(value) for value in (frame.rows[0].gap_m, frame.rows[0].bearing_rad, frame.rows[0].error_m))


def test_a_robot_that_has_parted_is_announced() -> None:
    frame = formation(parted=0.9)
    assert complete(frame, 2, 1) == []
    move(frame, 2, 1.05, 1.0)
    assert complete(frame, 2, 2) == [Parted(2, near(0.95))]


def three_rounds() -> Formation:
    """Errors of 0.1, 0.2 and 0.3 m of robot 2 in rounds 1 to 3; robot 3 keeps its place behind it, and adjusts."""
    frame = formation()
    for number in (1, 2, 3):
        for robot, x in ((1, 2.0 + number), (2, 1.5 + number - 0.1 * number), (3, 1.0 + number - 0.1 * number)):
            move(frame, robot, x, 1.0)
            complete(frame, robot, number, adjustments=number if robot == 3 else 0)
    return frame


def test_metrics_worked_out_by_hand() -> None:
    metrics = measure(three_rounds(), transient_rounds=1, end_s=9.0)
    completed = metrics.error_at_completed_rounds
    assert completed.mean_over_all == pytest.approx((0.2 + 0.3) / 2 / 3)
    assert completed.mean_over_followers == pytest.approx((0.2 + 0.3) / 2 / 2)
    assert completed.maximum_over_all == pytest.approx(0.1)
    assert (metrics.transient_rounds, metrics.transient_end_s, metrics.rounds_completed) == (1, 3.0, 3)
    assert (metrics.adjustments, metrics.adjustments_per_robot) == (6, (0, 0, 6))
    assert metrics.adjustments_per_round == 1.0
    assert metrics.leader_distance_m == pytest.approx(3.0)
    assert metrics.convoy_speed_m_per_s == pytest.approx(1 / 3)
    assert metrics.largest_error_m == pytest.approx(0.3)
    assert metrics.robot_rounds == 9
    # after each of the six pose changes in rounds 2 and 3, summed over robots 2 and 3
    sums = [1.1, 0.2 + 0.9, 0.2, 1.2, 0.3 + 0.9, 0.3]
    assert metrics.error_at_pose_changes.mean_over_all == pytest.approx(sum(sums) / 6 / 3)


def test_a_run_shorter_than_its_transient_has_no_averages() -> None:
    metrics = measure(three_rounds(), transient_rounds=5, end_s=9.0)
    assert isnan(metrics.error_at_pose_changes.mean_over_all)
    assert isnan(metrics.error_at_completed_rounds.mean_over_all)
    assert isnan(metrics.transient_end_s)
    assert metrics.rounds_completed == 3


def test_nothing_measured_is_no_error() -> None:
    metrics = measure(formation(), transient_rounds=0, end_s=0.0)
    assert isnan(metrics.convoy_speed_m_per_s)
    assert isnan(metrics.adjustments_per_round)
    assert metrics.robot_rounds == 0


def test_tables_hold_what_was_measured_to_the_last_digit() -> None:
    frame = three_rounds()
    rows = list(csv.DictReader(io.StringIO(rounds_csv(frame))))
    head = "round,robot,time_s,x_m,y_m,heading_rad,gap_m,bearing_rad,error_m,adjustments"
    assert ",".join(rows[0]) == head
    assert rows[0]["gap_m"] == rows[0]["bearing_rad"] == rows[0]["error_m"] == ""
    for text, row in zip(rows, frame.rows, strict=True):
        assert float(text["x_m"]) == row.x_m
        assert float(text["error_m"] or nan) == pytest.approx(row.error_m, abs=0, rel=0, nan_ok=True)
    series = list(csv.DictReader(io.StringIO(series_csv(frame))))
    assert list(series[0]) == ["time_s", "mean_error_m", "mean_error_followers_m"]
    assert [float(row["mean_error_m"]) * 3 for row in series] == pytest.approx(list(frame.error_sums))
    assert [float(row["mean_error_followers_m"]) * 2 for row in series] == pytest.approx(list(frame.error_sums))
