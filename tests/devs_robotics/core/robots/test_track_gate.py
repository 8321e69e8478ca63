"""Which fixes are believed, and who is lost."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import DevsRoboticsError, Fix, TrackChange
from devs_robotics.core.robots.track_gate import MARGIN, OLDER, SLACK, TOO_FAR, TrackGate

SPEED = 0.2


def gate(lost: float = 1.0) -> TrackGate:
    return TrackGate({1: SPEED, 2: SPEED}, lost)


def at(x: float, robot: int = 1, exposed: float | None = None) -> Fix:
    return Fix(robot, x, 0.0, 0.0, exposed)


def test_a_jump_is_dropped_once_and_believed_at_the_second() -> None:
    doubting = gate()
    assert [doubting.judge(at(x), 0.1 * number) for number, x in enumerate((0.0, 0.02, 3.0, 3.02, 3.04))] == [
        "",
        "",
        TOO_FAR,
        "",
        "",
    ]


def test_a_single_jump_leaves_no_trace() -> None:
    doubting = gate()
    places = (0.0, 3.0, 0.02, 3.0, 0.04)
    said = [doubting.judge(at(x), 0.1 * number) for number, x in enumerate(places)]
    assert said == ["", TOO_FAR, "", TOO_FAR, ""]


@given(st.floats(0.001, 100.0), st.floats(-1.0, 1.0))
def test_what_a_robot_can_drive_is_always_believed(gap: float, share: float) -> None:
    doubting = gate(inf)
    assert doubting.judge(at(1.0), 5.0) == ""
    reach = SLACK + MARGIN * SPEED * gap
    assert doubting.judge(at(1.0 + 0.999 * share * reach), 5.0 + gap) == ""
    far = gate(inf)
    assert far.judge(at(1.0), 5.0) == ""
    assert far.judge(at(1.0 + 1.001 * reach), 5.0 + gap) == TOO_FAR


def test_the_time_of_exposure_counts_and_not_that_of_arrival() -> None:
    doubting = gate()
    assert doubting.judge(at(0.0, exposed=0.0), 5.0) == ""
    assert doubting.judge(at(0.5, exposed=0.1), 9.0) == TOO_FAR
    assert doubting.judge(at(0.0, exposed=0.2), 9.0) == ""
    assert doubting.judge(at(0.0, exposed=0.1), 9.0) == OLDER


def test_who_may_be_anywhere_is_believed_anywhere() -> None:
    assert [TrackGate({1: inf}).judge(at(x), 0.0) for x in (0.0, 9.0)] == ["", ""]


def test_a_robot_is_lost_after_a_while_and_found_by_its_next_fix() -> None:
    watching = gate()
    assert watching.next_loss == inf  # nobody has been seen, so no camera may be there
    assert watching.judge(at(0.0), 2.0) == ""
    assert watching.judge(at(0.0), 2.5) == ""
    assert (watching.next_loss, watching.lose(2.9)) == (3.0, [])
    assert watching.losing(3.0) == watching.lose(3.0) == [TrackChange(2, False)]  # who was never seen
    assert (watching.next_loss, watching.unsure) == (3.5, {2})
    assert watching.found(1) is None
    assert watching.lose(3.5) == [TrackChange(1, False)]
    assert watching.next_loss == inf
    assert watching.judge(at(0.0), 7.0) == ""
    assert watching.found(1) == TrackChange(1, True)
    assert (watching.found(1), watching.next_loss, watching.unsure) == (None, 8.0, {2})


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.floats(0.0, 3.0)), min_size=1, max_size=30))
def test_losses_and_findings_take_turns(gaps: list[tuple[int, float]]) -> None:
    watching, time = gate(), 0.0
    lost: dict[int, list[bool]] = {1: [], 2: []}
    for robot, gap in gaps:
        while watching.next_loss <= time + gap:
            for change in watching.lose(watching.next_loss):
                lost[change.robot].append(change.sure)
        time += gap
        watching.judge(at(0.0, robot), time)
        if (found := watching.found(robot)) is not None:
            lost[robot].append(found.sure)
        assert robot not in watching.unsure
    for changes in lost.values():
        assert changes == [number % 2 == 1 for number in range(len(changes))]


@pytest.mark.parametrize("lost", [0.0, -1.0, nan])
def test_a_robot_cannot_be_lost_at_once(lost: float) -> None:
    with pytest.raises(DevsRoboticsError, match="after which a robot is lost must be above 0 s"):
        gate(lost)
