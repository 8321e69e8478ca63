"""What is said in a team is heard, once, at that instant: any run of messages, and each way to spoil it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Ranges, Sense
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.deliveries import MessageDeliveries
from devs_robotics.experimental_frames.convoy.conformance.protocol import Machine
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import ProtocolRole, RobotMonitor
from devs_robotics.models.convoy import CaughtUp, Sync
from tests.experimental_frames.convoy.conformance.test_protocol import LIMITS, SIGHT

Step = tuple[float, dict[int, Any], dict[int, Any]]
"""Time, what robots say, and what they hear."""

MOVED = {"f_ready_out": [Sync(1, 0.0, 0.2, 0.0)]}
HEARS = {"f_ready_in": [Sync(1, 0.0, 0.2, 0.0)]}
ASKS, ANSWERED = {"motor_ask": [Drive(0.0, 0.2)]}, {"motor_answer": [Driven(0.0, 0.2)]}
LOOKS, SEES = {"infrared_ask": [Sense()]}, {"infrared_answer": [Ranges((0.3,))]}


def found(*steps: Step, ended: bool = False) -> list[Violation]:
    violations: list[Violation] = []
    parts = [
        ProtocolRole(1, Machine("leader", LIMITS)),
        *(ProtocolRole(n, Machine("follower", LIMITS), SIGHT) for n in (2, 3)),
    ]
    deliveries = MessageDeliveries({part.robot: RobotMonitor(part, violations.append) for part in parts})
    for time, said, heard in steps:
        deliveries.step(time, said, heard)
    if ended:
        deliveries.end()
    else:
        deliveries.move_on(steps[-1][0] + 1.0)
    return violations


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([(1.0, {1: MOVED}, {})], "robot 2 did not hear that robot 1 had moved, when it was told so, at 1 s"),
        ([(1.0, {1: MOVED}, {}), (1.5, {}, {2: HEARS})], "robot 2 did not hear that robot 1 had moved"),
        ([(1.0, {}, {2: HEARS})], "robot 2 heard that robot 1 had moved, and nobody had told it so, at 1 s, in"),
        (
            [(1.0, {1: MOVED}, {}), (1.0, {}, {2: {"f_ready_in": 2 * HEARS["f_ready_in"]}})],
            "robot 2 heard that robot 1 had moved 2 times, when it was told so once, at 1 s, in 'waits for its front: ",
        ),
        ([(1.0, {3: {"b_ready_out": [CaughtUp(3)]}}, {})], "robot 2 did not hear that robot 3 had caught up"),
        ([(1.0, {2: ASKS}, {}), (2.0, {}, {2: ANSWERED}), (3.0, {}, {2: ANSWERED})], "at 3 s, in 'waits for its fr"),
        ([(1.0, {1: LOOKS}, {1: SEES}), (1.0, {}, {1: SEES})], "robot 1 heard its sensor answer 2 times, when it had"),
        ([(1.0, {}, {2: ANSWERED})], "robot 2 heard its motor answer, and it had given it no command, at 1 s"),
    ],
)  # fmt: skip
def test_what_is_lost_doubled_late_or_made_up_is_told_once(steps: list[Step], words: str) -> None:
    first = found(*steps)[0]
    assert first.rule == "heard"
    assert words in first.sentence


def test_a_command_that_is_never_answered_and_messages_to_nobody_are_no_fault() -> None:
    assert found((1.0, {2: ASKS}, {}), (2.0, {2: ASKS}, {}), (3.0, {}, {2: ANSWERED})) == []
    assert found((1.0, {3: MOVED}, {})) == []


def test_a_command_takes_the_place_of_one_that_was_not_answered() -> None:
    steps: list[Step] = [(1.0, {2: ASKS}, {}), (2.0, {2: ASKS}, {}), (3.0, {}, {2: ANSWERED}), (4.0, {}, {2: ANSWERED})]
    (violation,) = found(*steps)
    assert violation.sentence.startswith("robot 2 heard its motor answer, and it had given it no command, at 4 s, in ")


def test_what_was_not_yet_heard_when_the_record_ends_is_no_fault_and_what_was_heard_too_often_is() -> None:
    assert found((1.0, {1: MOVED}, {}), ended=True) == []
    assert [each.rule for each in found((1.0, {}, {2: HEARS}), ended=True)] == ["heard"]


@given(st.lists(st.sampled_from([1, 2, 3]), max_size=8), st.randoms())
def test_within_an_instant_the_order_does_not_matter(robots: list[int], random: Any) -> None:
    steps: list[Step] = []
    for robot in robots:
        steps += [(1.0, {robot: MOVED}, {}), (1.0, {}, {robot + 1: HEARS} if robot < 3 else {})]
        steps += [(1.0, {robot: LOOKS}, {}), (1.0, {}, {robot: SEES})]
    random.shuffle(steps)
    assert found((0.5, {}, {}), *steps) == []
