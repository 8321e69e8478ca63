"""One robot's monitor, played to by hand."""

from __future__ import annotations

import re
from math import pi
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics import Drive, Driven, Ranges, Sense
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.protocol import (
    ADJUSTING,
    BACK,
    BOTH,
    FRONT,
    HELD_BACK,
    LOOKING,
    LOST,
    MOVING,
    Machine,
)
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import (
    EXACT,
    KEPT,
    Path,
    ProtocolRole,
    RobotMonitor,
)
from devs_robotics.models.convoy import CaughtUp, RoundDone, Sync, WayLost
from devs_robotics.models.convoy.messages import Inhibit, Release
from devs_robotics.models.convoy.planning import Odometry
from tests.experimental_frames.convoy.conformance.test_protocol import LIMITS, SIGHT

MOVED = ("heard", {"f_ready_in": [Sync(1, 0.0, 0.2, 0.0)]})
GO = ("said", {"motor_ask": [Drive(0.0, 0.2)]})
GONE = ("heard", {"motor_answer": [Driven(0.0, 0.2)]})
LOOK = ("said", {"infrared_ask": [Sense()]})
SEEN = ("heard", {"infrared_answer": [Ranges((0.3,))]})
FOLLOWED = ("heard", {"b_ready_in": [CaughtUp(3)]})


WENT = Sync(2, 0.0, 0.2, 0.0)


def informs(sync: Sync = WENT, rounds: int = 1, adjustments: int = 0, **changes: Any) -> Any:
    told = {
        "f_ready_out": [sync],
        "b_ready_out": [CaughtUp(2)],
        "round_done": [RoundDone(2, rounds, adjustments)],
        **changes,
    }
    return ("said", {port: values for port, values in told.items() if values})


ROUND = (MOVED, GO, GONE, LOOK, SEEN, informs())


def followed(*steps: Any, last: bool = False) -> tuple[RobotMonitor, list[Violation]]:
    """A monitor of robot 2, the last of 2 or of 3, and what it has found; a second passes before each thing heard."""
    violations: list[Violation] = []
    monitor = RobotMonitor(ProtocolRole(2, Machine("follower", LIMITS, last=last), SIGHT), violations.append)
    time = 0.0
    for kind, values in steps:
        time += 1.0 if kind == "heard" else 0.0
        monitor.step(time, values if kind == "said" else {}, values if kind == "heard" else {})
    return monitor, violations


def found(*steps: Any, last: bool = False) -> list[Violation]:
    """What a monitor of robot 2 finds, a second after the last step too."""
    monitor, violations = followed(*steps, last=last)
    monitor.wait(float(len(steps)) + 1.0)
    return violations


def test_rounds_by_the_protocol_are_found_no_fault_with() -> None:
    assert found(*ROUND, FOLLOWED, MOVED, GO, GONE, LOOK, SEEN, informs(rounds=2)) == []


@pytest.mark.parametrize(
    ("rule", "steps", "words"),
    [
        ("front", [GO], "robot 2 moved before its front robot had moved, at 0 s"),
        ("back", [*ROUND, MOVED, GO], "robot 2 moved before its back robot had caught up, at 4 s"),
        (
            "silence", [MOVED],
            "robot 2 did nothing, where it had to look or move or turn, at 1 s, in 'waits for its front: front moved",
        ),
        ("order", [MOVED, LOOK, SEEN, informs(), MOVED, LOOK], ""),
        ("order", [MOVED, informs(Sync(2, 0.0, 0.0, 0.0))], "where it had to look or move or turn"),
        ("once", [*ROUND, informs(Sync(2, 0.0, 0.0, 0.0), 2)], "and had not moved since it last told so"),
        ("once", [*ROUND[:5], informs(b_ready_out=[CaughtUp(2), CaughtUp(2)])], "more than one thing at once: b_ready"),
        ("once", [MOVED, ("said", {**GO[1], **LOOK[1]})], "more than one thing at once: infrared_ask, motor_ask"),
        ("all", [*ROUND[:5], informs(f_ready_out=[])], "did not tell its back robot"),
        ("all", [*ROUND[:5], informs(b_ready_out=[], round_done=[])], "did not tell the frame and its front robot"),
        ("motion", [*ROUND[:5], informs(Sync(2, 0.0, 0.19, 0.0))], "told that it went 19.0 cm ahead"),
        ("count", [*ROUND[:5], informs(rounds=3)], "called its round 1 its round 3"),
        ("count", [*ROUND[:5], informs(adjustments=1)], "told of 1 adjustments and made 0"),
        ("held", [("heard", {"inhibited": [Inhibit()]}), MOVED, GO], "moved while Avoid had its motor"),
        ("order", [*ROUND[:4], ("heard", {"infrared_answer": [Ranges((9.0,))]}), informs()], "had to turn"),
        ("once", [*ROUND[:5], informs(motor_ask=[Drive(0.0, 0.2)])], "b_ready_out, f_ready_out, motor_ask, round_done"),
        ("motion", [*ROUND[:5], informs(Sync(2, 0.0, 0.2, 3e-6))], "and 0.0° round, and its motor that it went 20.0"),
        ("count", [*ROUND[:5], informs(f_ready_out=[replace(WENT, robot=7)])], "called itself robot 7"),
        ("front", [*ROUND, GO], "robot 2 moved before its front robot had moved"),
        ("front", [LOOK], "robot 2 looked before its front robot had moved"),
        ("order", [*ROUND[:3], LOOK, LOOK], "robot 2 looked, where it had nothing to do"),
        ("order", [("heard", {"inhibited": [Inhibit()]}), LOOK], "robot 2 looked, where it had nothing to do"),
        ("front", [("said", {"motor_ask": [Drive(0.1, 0.0)]})], "robot 2 turned before"),
        ("front", [("said", {"motor_ask": [Drive(0.1, 0.2)]})], "robot 2 drove before"),
        ("order", [("said", {"lost": [WayLost(2, "tired")]})], "robot 2 gave up, where it had nothing to do"),
    ],
)  # fmt: skip
def test_each_fault_is_told_by_its_rule(rule: str, steps: list[Any], words: str) -> None:
    violations = found(*steps)
    if words:
        assert violations[0].rule == rule
        assert words in violations[0].sentence
        assert re.search(r", at \d+ s, in '.+: .+'$", violations[0].sentence)
        assert violations[0].last
    else:
        assert violations


def test_a_robot_that_avoid_has_pushed_tells_of_that_too() -> None:
    pushed = [
        *ROUND[:3],
        LOOK,
        ("heard", {"inhibited": [Inhibit()]}),
        ("heard", {"released": [Release(0.0, -0.05)]}),
        LOOK,
        SEEN,
    ]
    assert found(*pushed, informs(Sync(2, 0.0, 0.15, 0.0))) == []
    assert [violation.rule for violation in found(*pushed, informs())] == ["motion"]


def test_a_motion_that_is_reported_out_of_protocol_does_not_count() -> None:
    assert found(GONE, *ROUND) == []


@given(st.lists(st.tuples(st.floats(-pi, pi), st.floats(-1.0, 1.0)), max_size=6))
def test_an_account_in_one_turn_drive_and_turn_leads_where_the_motions_led(motions: list[tuple[float, float]]) -> None:
    odometry = Odometry()
    for turn, distance in motions:
        odometry.add(turn, distance)
    sync = odometry.sync(2)
    assert Path((sync.alpha, sync.distance), (sync.beta, 0.0)).leads_with(Path(*motions))


# what is kept of one round in the next


NOTHING_SEEN = ("heard", {"infrared_answer": [Ranges((9.0,))]})
TURNS = ("said", {"motor_ask": [Drive(0.1, 0.0)]})
TURNED = ("heard", {"motor_answer": [Driven(0.1, 0.0)]})
FACES = ("said", {"motor_ask": [Drive(-0.05, 0.0)]})
FACED = ("heard", {"motor_answer": [Driven(-0.05, 0.0)]})
ADJUSTED = (*ROUND[:4], NOTHING_SEEN, TURNS, TURNED, LOOK, SEEN, FACES, FACED, LOOK, SEEN)
"""A round in which the robot turns twice until it faces its front robot, up to what it sees then."""


def test_a_round_is_accounted_for_by_itself() -> None:
    """Neither its motions nor its adjustments are those of the round before."""
    turned = replace(WENT, beta=0.05)
    assert found(*ADJUSTED, informs(turned, adjustments=2)) == []
    assert found(*ADJUSTED, informs(turned, adjustments=2), FOLLOWED, *ROUND[:5], informs(rounds=2)) == []
    again = [*ADJUSTED, informs(turned, adjustments=2), FOLLOWED, *ADJUSTED]
    assert found(*again, informs(turned, 2, 2)) == []
    assert [each.rule for each in found(*again, informs(turned, 2, 4))] == ["count"]
    assert [each.rule for each in found(*again, informs(replace(turned, distance=0.4), 2, 2))] == ["motion"]


def test_the_first_motion_of_a_round_is_no_adjustment_and_every_one_after_a_look_is() -> None:
    turned = replace(WENT, beta=0.05)
    for adjustments in (0, 1, 3):
        assert [each.rule for each in found(*ADJUSTED, informs(turned, adjustments=adjustments))] == ["count"]


@pytest.mark.parametrize(("off", "rules"), [(0.5, []), (1.5, ["motion"])])
def test_an_account_may_be_off_by_rounding_and_by_no_more(off: float, rules: list[str]) -> None:
    for told in (replace(WENT, distance=0.2 + off * EXACT), replace(WENT, beta=off * EXACT)):
        assert [each.rule for each in found(*ROUND[:5], informs(told))] == rules


def test_headings_are_the_same_after_a_whole_turn() -> None:
    assert found(*ROUND[:5], informs(replace(WENT, beta=2.0 * pi))) == []
    assert [each.rule for each in found(*ROUND[:5], informs(replace(WENT, beta=pi)))] == ["motion"]


def test_the_last_robot_has_nobody_behind_to_tell() -> None:
    assert found(*ROUND[:5], informs(f_ready_out=[]), last=True) == []
    assert found(*ROUND, MOVED, GO, GONE, LOOK, SEEN, informs(rounds=2), last=True) == []


def test_what_is_straight_ahead_counts_of_several_readings() -> None:
    beside = ("heard", {"infrared_answer": [Ranges((9.0, 0.3, 9.0))]})
    ahead = ("heard", {"infrared_answer": [Ranges((0.3, 9.0, 0.3))]})
    assert found(*ROUND[:4], beside, informs()) == []
    assert [each.rule for each in found(*ROUND[:4], ahead, informs())] == ["order"]


# what a monitor tells


def test_a_robot_is_where_its_messages_lead() -> None:
    states = [followed(*ADJUSTED[:number])[0].state for number in range(len(ADJUSTED) + 1)]
    assert states[1:3] == [FRONT, MOVING]
    assert states[4:11] == [LOOKING, LOOKING, ADJUSTING, ADJUSTING, LOOKING, LOOKING, ADJUSTING]
    assert followed(*ADJUSTED, informs(replace(WENT, beta=0.05)))[0].state == BOTH


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        ([GO], MOVING),
        ([("said", {"motor_ask": [Drive(0.1, 0.0)]})], MOVING),
        ([LOOK], LOOKING),
        ([("said", {"lost": [WayLost(2, "tired")]})], LOST),
        ([*ROUND[:5], ("said", {"round_done": [RoundDone(2, 1, 0)], "motor_ask": [Drive(0.0, 0.2)]})], BOTH),
        ([informs()], BOTH),
    ],
)
def test_after_a_fault_a_robot_is_followed_from_what_it_did(steps: list[Any], state: str) -> None:
    monitor, violations = followed(*steps)
    assert violations
    assert monitor.state == state


def test_the_time_in_each_state_adds_up() -> None:
    """A second before each of the things that are heard, each waited for in one state."""
    monitor, _ = followed(*ADJUSTED, informs(replace(WENT, beta=0.05)), FOLLOWED, MOVED)
    assert monitor.spent == {FRONT: 2.0, MOVING: 1.0, LOOKING: 3.0, ADJUSTING: 2.0, BOTH: 1.0}
    monitor.wait(12.5)
    assert monitor.spent[FRONT] == 2.0
    monitor.wait(12.0)  # earlier than it has waited
    assert sum(monitor.spent.values()) == 12.5


def test_the_last_messages_are_told_with_a_violation_oldest_first() -> None:
    (violation,) = found(*ADJUSTED, informs(replace(WENT, beta=0.05)))
    assert len(violation.last) == KEPT == 8
    assert violation.last[0] == "5 s: heard Ranges(values=(0.3,)) (infrared_answer)"
    assert violation.last[-1] == "7 s: said RoundDone(robot=2, round=1, adjustments=0) (round_done)"


def test_messages_rounds_and_lines_of_the_protocol_are_counted() -> None:
    monitor, _ = followed(*ROUND)
    assert (monitor.messages, monitor.rounds, monitor.informed) == (8, 1, [3.0])
    assert {(rule.state, rule.heard, rule.does) for rule in monitor.made} == {
        (FRONT, "front moved", "move"),
        (MOVING, "driven", "look"),
        (LOOKING, "seen", "inform"),
    }
    monitor, _ = followed(*ROUND, FOLLOWED)
    assert (BOTH, "caught up", "") in {(rule.state, rule.heard, rule.does) for rule in monitor.made}


def test_what_is_out_of_protocol_is_counted_by_what_and_where() -> None:
    monitor, violations = followed(FOLLOWED, GONE, *ROUND, MOVED, MOVED)
    assert violations == []
    assert monitor.unexpected == {
        f"caught up ({FRONT})": 1,
        f"driven ({FRONT})": 1,
        f"front moved ({BACK})": 1,
    }


def test_what_comes_while_a_robot_has_to_act_is_out_of_protocol_too() -> None:
    """All in one instant: it hears that it may go, then that Avoid takes its motor, and goes."""
    violations: list[Violation] = []
    monitor = RobotMonitor(ProtocolRole(2, Machine("follower", LIMITS), SIGHT), violations.append)
    monitor.step(1.0, {}, MOVED[1])
    monitor.step(1.0, {}, {"inhibited": [Inhibit()]})
    assert monitor.unexpected == {f"taken over ({FRONT})": 1}
    assert monitor.is_due
    monitor.step(1.0, GO[1], {})
    assert violations == []


ASIDE, AHEAD = ({"f_ready_in": [Sync(1, alpha, 0.2, 0.0)]} for alpha in (0.5, 0.0))


@pytest.mark.parametrize(("newest", "does"), [(AHEAD, Drive(0.0, 0.2)), (ASIDE, Drive(0.3, 0.0))])
def test_the_front_robots_newest_word_counts(newest: dict[str, Any], does: Drive) -> None:
    """Told where its front robot went twice before its back robot has caught up, it follows the second."""
    for first in (AHEAD, ASIDE):
        violations: list[Violation] = []
        monitor = RobotMonitor(ProtocolRole(2, Machine("follower", LIMITS), SIGHT), violations.append)
        for number, step in enumerate(ROUND):
            monitor.step(
                float(number // 2), step[1] if step[0] == "said" else {}, step[1] if step[0] == "heard" else {}
            )
        details = [{"f_ready_in": "ahead" if told is AHEAD else "aside"} for told in (first, newest)]
        monitor.step(5.0, {}, first, details[0])
        monitor.step(6.0, {}, newest, details[1])
        monitor.step(7.0, {}, {"b_ready_in": [CaughtUp(3)]})
        monitor.step(7.0, {"motor_ask": [does]}, {})
        assert violations == []


def test_a_robot_that_avoid_holds_while_it_waits_for_its_back_waits_for_it_still() -> None:
    held, handed = ("heard", {"inhibited": [Inhibit()]}), ("heard", {"released": [Release(0.0, 0.0)]})
    assert followed(*ROUND, MOVED, held)[0].state == HELD_BACK
    assert found(*ROUND, MOVED, held, handed, FOLLOWED, GO) == []
    assert [each.rule for each in found(*ROUND, MOVED, held, handed, GO)] == ["back"]
