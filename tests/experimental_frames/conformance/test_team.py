"""Monitors of a team: coupled by taps, as an observer, and out of a trace, they find the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from devs_robotics import Run, Simulator
from devs_robotics.observe import JsonLines, Recorder, first_difference
from experimental_frames.conformance.review import review
from experimental_frames.conformance.team_monitor import DECISIONS, TeamMonitor, TeamObserver
from experimental_frames.conformance.violations import Violation
from experimental_frames.conformance.watch import ProtocolWatch
from models.convoy.member import Member
from scenarios.assembly import experiment
from scenarios.conformance.parts import parts_of
from scenarios.geometry import resolve
from scenarios.loading import load
from scenarios.schema import Scenario
from tests.experimental_frames.conformance.mutants import (
    AnswersAgain,
    AnswersTwice,
    ForgetsItsBack,
    InformsBeforeItHasMoved,
    LeadsWithoutWaiting,
    broken,
)


def narrow(robots: int = 4, rounds: int = 12) -> Scenario:
    size = 4.0 + robots / 2.0
    return resolve(
        load(
            "convoy", [f"convoy.robots={robots}", f"run.rounds={rounds}", f"field.width={size}", f"field.height={size}"]
        )
    )


@pytest.mark.parametrize(
    "mutant", [None, AnswersAgain, AnswersTwice, ForgetsItsBack, InformsBeforeItHasMoved, LeadsWithoutWaiting]
)
def test_taps_an_observer_and_a_trace_tell_the_same(mutant: type[Member] | None, tmp_path: Path) -> None:
    of, path = narrow(), tmp_path / "trace.jsonl"
    with broken(mutant):
        model = experiment(of)
    watch, seen = ProtocolWatch("protocol", parts_of(of)), TeamMonitor(parts_of(of))
    watch.couple(model)
    told = Recorder()
    with Simulator(model) as simulator:
        for observer, pattern in ((TeamObserver(seen), DECISIONS), (JsonLines(path), "robot*"), (told, "protocol")):
            simulator.attach(observer, pattern)
        Run(simulator).until(model.verdict)
        end = simulator.time
    for monitor in (watch.monitor, seen):
        monitor.finish(end)
    replayed = review(path, parts_of(of), "the trace")
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
        model = experiment(narrow())
        if watched:
            ProtocolWatch("protocol", parts_of(narrow())).couple(model)
        with Simulator(model) as simulator:
            simulator.attach(recorder, "robot*", "environment", "frame")
            Run(simulator).until(model.verdict)
    without, with_watch = recorders
    assert len(without.events) > 1000
    assert first_difference(without.events, with_watch.events) is None


def test_a_watch_that_stops_ends_the_run_at_the_first_violation() -> None:
    of = narrow()
    with broken(AnswersTwice):
        model = experiment(of)
    watch = ProtocolWatch("protocol", parts_of(of), stops=True)
    watch.couple(model)
    with Simulator(model) as simulator:
        Run(simulator).until(model.verdict)
        (violation, *_) = watch.monitor.violations
        assert simulator.time == violation.time
        assert model.verdict.get().reason == violation.sentence


def test_rounds_of_neighbours_are_never_more_than_one_apart() -> None:
    of = narrow(5, 20)
    model, watch = experiment(of), ProtocolWatch("protocol", parts_of(of))
    watch.couple(model)
    with Simulator(model) as simulator:
        Run(simulator).until(model.verdict)
    informed = [watch.monitor.robots[robot].informed for robot in range(1, 6)]
    for front, back in pairwise(informed):
        assert all(own >= other for other, own in zip(front, back, strict=False))
        assert all(later >= own for own, later in zip(back, front[1:], strict=False))
