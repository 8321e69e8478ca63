"""One robot's monitor, played to by hand."""

from __future__ import annotations

import re
from math import pi
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Ranges, Sense
from experimental_frames.conformance.protocol import Machine
from experimental_frames.conformance.robot_monitor import Part, Path, RobotMonitor
from experimental_frames.conformance.violations import Violation
from models.convoy import CaughtUp, RoundDone, Sync
from models.convoy.messages import Inhibit, Release
from models.convoy.planning import Odometry
from tests.experimental_frames.conformance.test_protocol import LIMITS, SIGHT

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


def found(*steps: Any, pause: float = 1.0) -> list[Violation]:
    """What a monitor of robot 2 of 3 finds; time passes before each thing that is heard."""
    violations: list[Violation] = []
    monitor = RobotMonitor(Part(2, Machine("follower", LIMITS), SIGHT), violations.append)
    time = 0.0
    for kind, values in steps:
        time += pause if kind == "heard" else 0.0
        monitor.step(time, values if kind == "said" else {}, values if kind == "heard" else {})
    monitor.wait(time + 1.0)
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
