"""Monitors of a team: coupled by taps, as an observer, and out of a trace, they find the same."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import pytest

from devs_robotics import Drive, Driven, Ranges, Run, Sense, Simulator
from devs_robotics.core.observe import JsonLines, Recorder, first_difference
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.protocol import Machine
from devs_robotics.experimental_frames.convoy.conformance.protocol_monitor import GRACE, ProtocolWatch
from devs_robotics.experimental_frames.convoy.conformance.review import review
from devs_robotics.experimental_frames.convoy.conformance.robot_monitor import ProtocolRole
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import TeamMonitor, TeamObserver
from devs_robotics.models.convoy import CaughtUp, RoundDone, Sync
from devs_robotics.models.convoy.member import Member
from devs_robotics.models.convoy.messages import Inhibit, Release
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.conformance.protocol_roles import protocol_roles
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.setup.setup import set_up
from tests.experimental_frames.convoy.conformance.mutants import (
    AnswersAgain,
    AnswersTwice,
    DawdlesBeforeItMoves,
    ForgetsItsBack,
    InformsBeforeItHasMoved,
    LeadsWithoutWaiting,
    broken,
)
from tests.experimental_frames.convoy.conformance.test_protocol import LIMITS, SIGHT


def narrow(robots: int = 4, rounds: int = 12) -> ConvoyScenario:
    size = 4.0 + robots / 2.0
    return resolve(
        load(
            "convoy", [f"convoy.robots={robots}", f"run.rounds={rounds}", f"field.width={size}", f"field.height={size}"]
        )
    )


@pytest.mark.parametrize(
    "mutant",
    [
        None, AnswersAgain, AnswersTwice, DawdlesBeforeItMoves, ForgetsItsBack, InformsBeforeItHasMoved,
        LeadsWithoutWaiting,
    ],
)  # fmt: skip
def test_taps_an_observer_and_a_trace_tell_the_same(mutant: type[Member] | None, tmp_path: Path) -> None:
    of, path = narrow(), tmp_path / "trace.jsonl"
    with broken(mutant):
        model = experiment(set_up(of))
    watch, seen = ProtocolWatch("protocol", protocol_roles(of)), TeamMonitor(protocol_roles(of))
    watch.couple(model)
    told = Recorder()
    with Simulator(model) as simulator:
        for observer, pattern in (
            (TeamObserver(seen), "robot*/convoy"),
            (JsonLines(path), "robot*"),
            (told, "protocol"),
        ):
            simulator.attach(observer, pattern)
        Run(simulator).until(model.verdict)
        end = simulator.time
    for monitor in (watch.monitor, seen):
        monitor.finish(end)
    replayed = review(path, protocol_roles(of), "the trace")
    assert replayed.findings[1].holds
    assert bool(seen.violations) == (mutant is not None)
    assert watch.monitor.violations == seen.violations
    assert list(replayed.violations) == seen.violations
    assert [value for value in told.values("protocol.violation") if isinstance(value, Violation)] == seen.violations
    assert watch.monitor.messages == seen.messages
    assert watch.monitor.waits() == seen.waits()
    for robot in seen.robots:
        assert watch.monitor.robots[robot].informed == seen.robots[robot].informed
        assert watch.monitor.robots[robot].made == seen.robots[robot].made


def test_a_watch_changes_nothing_of_what_it_watches() -> None:
    recorders = Recorder(), Recorder()
    for watched, recorder in zip((False, True), recorders, strict=True):
        model = experiment(set_up(narrow()))
        if watched:
            ProtocolWatch("protocol", protocol_roles(narrow())).couple(model)
        with Simulator(model) as simulator:
            simulator.attach(recorder, "robot*", "environment", "frame")
            Run(simulator).until(model.verdict)
    without, with_watch = recorders
    assert len(without.events) > 1000
    assert first_difference(without.events, with_watch.events) is None


def test_a_watch_that_stops_ends_the_run_at_the_first_violation() -> None:
    of = narrow()
    with broken(AnswersTwice):
        model = experiment(set_up(of))
    watch = ProtocolWatch("protocol", protocol_roles(of), stops=True)
    watch.couple(model)
    with Simulator(model) as simulator:
        Run(simulator).until(model.verdict)
        (violation, *_) = watch.monitor.violations
        assert simulator.time == violation.time
        assert model.verdict.get().reason == violation.sentence


def test_a_watch_tells_of_silence_when_the_grace_is_over_and_not_only_when_the_robot_speaks_again() -> None:
    of = narrow()
    with broken(DawdlesBeforeItMoves):
        model = experiment(set_up(of))
    watch = ProtocolWatch("protocol", protocol_roles(of), stops=True)
    watch.couple(model)
    with Simulator(model) as simulator:
        Run(simulator).until(model.verdict)
        (violation,) = watch.monitor.violations
        assert (violation.robot, violation.rule) == (2, "silence")
        assert simulator.time == pytest.approx(violation.time + GRACE, abs=1e-9)
        assert model.verdict.get().reason == violation.sentence


class Played:
    """A monitor of three robots, to whom what they say and hear is told by hand, one thing an instant."""

    def __init__(self) -> None:
        kinds = [Machine("leader", LIMITS), Machine("follower", LIMITS), Machine("follower", LIMITS, last=True)]
        self.team = TeamMonitor([ProtocolRole(n, kinds[n - 1], None if n == 1 else SIGHT) for n in (1, 2, 3)])
        self.team.begin()
        self.time = 0.0

    def hears(self, robot: int, **values: Any) -> None:
        self.time += 1.0
        self.team.step(self.time, {}, {robot: {port: [value] for port, value in values.items()}})

    def says(self, robot: int, **values: Any) -> None:
        self.team.step(self.time, {robot: {port: [value] for port, value in values.items()}}, {})

    def leads(self, number: int) -> None:
        """The leader completes a round."""
        if number > 1:
            self.hears(1, b_ready_in=CaughtUp(2))
        self.says(1, infrared_ask=Sense())
        self.hears(1, infrared_answer=Ranges((9.0,)))
        self.says(1, motor_ask=Drive(0.0, 0.2))
        self.hears(1, motor_answer=Driven(0.0, 0.2))
        self.says(1, f_ready_out=Sync(1, 0.0, 0.2, 0.0), round_done=RoundDone(1, number, 0))

    def sets_off(self, robot: int) -> None:
        """A follower hears what it waits for, and goes."""
        if self.team.robots[robot].rounds and robot < 3:
            self.hears(robot, b_ready_in=CaughtUp(robot + 1))
        self.hears(robot, f_ready_in=Sync(robot - 1, 0.0, 0.2, 0.0))
        self.says(robot, motor_ask=Drive(0.0, 0.2))

    def follows(self, robot: int, number: int) -> None:
        """A follower completes a round."""
        self.sets_off(robot)
        self.hears(robot, motor_answer=Driven(0.0, 0.2))
        self.says(robot, infrared_ask=Sense())
        self.hears(robot, infrared_answer=Ranges((0.3,)))
        told: dict[str, Any] = {"f_ready_out": Sync(robot, 0.0, 0.2, 0.0), "b_ready_out": CaughtUp(robot)}
        self.says(robot, round_done=RoundDone(robot, number, 0), **told)

    def found(self, *rules: str) -> list[tuple[int, str, str]]:
        """Of violations of these rules: robot, rule, and what it did."""
        some = [each for each in self.team.violations if each.rule in rules]
        return [(each.robot, each.rule, each.sentence.partition(", at ")[0]) for each in some]


def test_a_robot_sets_off_on_a_round_that_its_front_robot_has_completed() -> None:
    """Robot 2 is told twice by nobody; by its own messages alone it does no wrong."""
    played = Played()
    played.leads(1)
    played.follows(2, 1)
    played.follows(3, 1)
    assert not played.found("front", "back")
    played.sets_off(2)
    said = "robot 2 set off on round 2, and its front robot has completed 1"
    assert played.found("front", "back") == [(2, "front", said)]


def test_a_robot_sets_off_on_a_round_when_its_back_robot_has_completed_the_one_before() -> None:
    played = Played()
    played.leads(1)
    played.follows(2, 1)
    played.leads(2)
    played.sets_off(2)
    said = "robot 2 set off on round 2, and its back robot has completed 0"
    assert played.found("front", "back") == [(2, "back", said)]


def test_a_robot_that_avoid_hands_back_must_have_been_let_go_by_its_neighbours_too() -> None:
    played = Played()
    played.hears(2, inhibited=Inhibit())
    played.hears(2, f_ready_in=Sync(1, 0.0, 0.2, 0.0))
    played.hears(2, released=Release(0.0, 0.0))
    played.says(2, motor_ask=Drive(0.0, 0.2))
    said = "robot 2 set off on round 1, and its front robot has completed 0"
    assert played.found("front", "back", "held") == [(2, "front", said)]


def test_a_robot_that_does_wrong_by_itself_is_told_of_once() -> None:
    played = Played()
    played.says(2, motor_ask=Drive(0.0, 0.2))
    assert played.found("front", "back", "held", "order") == [
        (2, "front", "robot 2 moved before its front robot had moved")
    ]


MADE_UP = (2, "heard", "robot 2 heard that robot 1 had moved, and nobody had told it so")
UNHEARD = (2, "heard", "robot 2 did not hear that robot 1 had moved, when it was told so")


@pytest.mark.parametrize(
    ("after", "told"), [(0.0, [MADE_UP]), (1.0, [MADE_UP]), (inf, [MADE_UP])], ids=["then", "later", "nothing left"]
)
def test_what_was_heard_at_the_last_instant_is_judged(after: float, told: list[tuple[int, str, str]]) -> None:
    played = Played()
    played.hears(2, f_ready_in=Sync(1, 0.0, 0.2, 0.0))
    played.team.finish(played.time + after)
    assert played.found("heard") == told


@pytest.mark.parametrize(
    ("after", "told"), [(0.0, []), (1.0, [UNHEARD]), (inf, [UNHEARD])], ids=["then", "later", "nothing left"]
)
def test_what_was_said_at_the_last_instant_might_still_have_been_heard(
    after: float, told: list[tuple[int, str, str]]
) -> None:
    played = Played()
    played.leads(1)
    played.team.finish(played.time + after)
    assert played.found("heard") == told


def test_who_has_something_to_do_when_all_is_over_was_silent() -> None:
    for after, silent in ((0.0, []), (1.0, [(1, "silence")]), (inf, [(1, "silence")])):
        played = Played()
        played.says(1, infrared_ask=Sense())
        played.hears(1, infrared_answer=Ranges((9.0,)))
        played.team.finish(1.0 + after)
        assert [each[:2] for each in played.found("silence")] == silent
        assert played.team.time == (1.0 if after == inf else 1.0 + after)


def test_rounds_of_neighbours_are_never_more_than_one_apart() -> None:
    of = narrow(5, 20)
    model, watch = experiment(set_up(of)), ProtocolWatch("protocol", protocol_roles(of))
    watch.couple(model)
    with Simulator(model) as simulator:
        Run(simulator).until(model.verdict)
    informed = [watch.monitor.robots[robot].informed for robot in range(1, 6)]
    for front, back in pairwise(informed):
        assert all(own >= other for other, own in zip(front, back, strict=False))
        assert all(later >= own for own, later in zip(back, front[1:], strict=False))
