"""A robot answers late, twice, or never."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.experimental_frames.frame import Verdict
from devs_robotics.experimental_frames.study.continuity import Agreement, agreement
from devs_robotics.experimental_frames.study.decisions import Decisions, of_robots
from devs_robotics.hil.robot_protocol import Command, Moved, Ranges, Report, State, Stop
from devs_robotics.scenarios.case import noise_free
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.running.means import Hooks
from devs_robotics.scenarios.running.run import run
from tests.scenarios.by_hand import ByHand

REPORTS: msgspec.json.Decoder[Report] = msgspec.json.Decoder(Report)
COMMANDS: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)

SCENARIO = noise_free(load("convoy_in_the_loop", ["run.rounds=4", "real.3.whiskers=real"]))
"""Robots 2 and 3 are real; 3 is asked for its ranges and its whiskers."""

Delays = Callable[[Report], Iterator[float]]
"""After which times (s) a report of a robot is to arrive: none for never."""


class Unreliable(ByHand):
    """A run in which a robot's reports arrive when, and as often as, a test wants.

    Args:
        robot: whose
        delays: of each report
        in_order: whether one that is late holds up those behind it

    Attributes:
        told: what the robot was told
        body: of the robot
    """

    def __init__(self, robot: int, delays: Delays, *, in_order: bool = False) -> None:
        super().__init__(SCENARIO, "loop")
        core, agenda = self.laboratory.robots[robot], self.laboratory.agenda
        self.told: list[Command] = []
        self.body = core.surroundings.body
        send, receive = core.send, core.receive
        earliest = 0.0

        def say(data: bytes) -> None:
            nonlocal earliest
            for delay in delays(REPORTS.decode(data)):
                at = max(earliest, agenda.now + delay)
                earliest = at if in_order else 0.0
                agenda.at(at, lambda: send(data))

        def hear(data: bytes) -> None:
            self.told.append(COMMANDS.decode(data))
            receive(data)

        core.send = say
        core.receive = hear  # type: ignore[method-assign]

    def verdict(self) -> Verdict:
        verdict: Verdict = self.run().verdict.get()
        return verdict


@pytest.fixture(scope="module")
def expected() -> Decisions:
    decisions = Decisions("round_done")
    assert run(SCENARIO, hooks=Hooks(observers=[(decisions, of_robots)])).ended == "accepted"
    return decisions


def comparison(expected: Decisions, of: Unreliable) -> Agreement:
    decisions = Decisions("round_done")
    model = of.run([(decisions, of_robots)])
    assert model.verdict.get().accepted, model.verdict.get()
    return agreement(expected, decisions)


def late(by: float, kinds: tuple[type, ...]) -> Delays:
    return lambda report: iter([by if isinstance(report, kinds) else 0.0])


def twice(after: float) -> Delays:
    return lambda report: iter([0.0, after])


def never(*kinds: type) -> Delays:
    return lambda report: iter([] if isinstance(report, kinds) else [0.0])


@pytest.mark.parametrize("robot", [2, 3])
@pytest.mark.parametrize(
    "delays",
    [late(0.3, (Moved, Ranges)), late(0.9, (Moved, Ranges)), late(0.7, (Moved, Ranges, State)), twice(0.0), twice(0.7)],
    ids=["a little late", "answers late", "all late", "twice at once", "twice"],
)
def test_late_and_double_answers_change_no_decision(expected: Decisions, robot: int, delays: Delays) -> None:
    same = comparison(expected, Unreliable(robot, delays))
    assert same.holds, str(same.difference)


@settings(max_examples=15)
@given(robot=st.sampled_from([2, 3]), seed=st.integers(0, 2**32), lost=st.floats(0.0, 0.05))
def test_whatever_becomes_of_single_reports_the_decisions_are_the_same(
    expected: Decisions, robot: int, seed: int, lost: float
) -> None:
    chance = Random(seed)

    def delays(_: Report) -> Iterator[float]:
        while chance.random() >= lost:
            yield chance.choice([0.0, 0.02, 0.2, 0.4])
            if chance.random() < 0.7:
                return

    same = comparison(expected, Unreliable(robot, delays, in_order=True))
    assert same.holds, str(same.difference)


@pytest.mark.parametrize(
    ("kinds", "robot", "why"),
    [
        ((Report,), 2, "was not found within 5 s (there is a link, but the robot does not answer)"),
        ((Moved,), 2, "was told to move 3 times, 0.5 s apart, and does not answer"),
        ((Ranges,), 3, "does not answer: its ranging sensors were asked 3 times"),
    ],
)
def test_a_robot_that_never_answers_ends_the_run(kinds: tuple[type, ...], robot: int, why: str) -> None:
    by_hand = Unreliable(robot, never(*kinds))
    verdict = by_hand.verdict()
    assert verdict.fault
    assert verdict.reason.startswith(f"robot {robot} at a stand-in {why}"), verdict.reason
    assert isinstance(by_hand.told[-1], Stop)
    assert by_hand.body.speed == 0.0
