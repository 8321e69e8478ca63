"""Level 2: small teams under monitors of all their messages."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from devs_robotics import ModelError, Run, Simulator
from devs_robotics.experimental_frames.conformance.records import Conformance, Finding
from devs_robotics.experimental_frames.convoy import ConvoyAcceptor
from devs_robotics.experimental_frames.convoy.conformance.measures import covered, followed, times
from devs_robotics.experimental_frames.convoy.conformance.protocol_monitor import ProtocolWatch
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import TeamMonitor
from devs_robotics.experimental_frames.convoy.conformance.touches import Touches
from devs_robotics.experimental_frames.frame import first_of
from devs_robotics.scenarios.convoy.conformance.protocol_roles import protocol_roles
from devs_robotics.scenarios.convoy.conformance.runs import LevelRuns, patience, placed, run_under, why_it_ended
from devs_robotics.scenarios.convoy.conformance.situations import for_rounds, of_size, situations
from devs_robotics.scenarios.convoy.runs import experiment
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.errors import BeginError
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage

SIZES = (2, 3, 4, 5)
"""Of small teams."""

ROUNDS = 30
"""Of each run, if the scenario has so many."""

TOUCHED = "touched now and then"
TOUCHED_EVERY = 5.0
"""A situation in which something touches robots' whiskers, one robot after the other, so often on average (s)."""


def team(scenario: ConvoyScenario, runs: LevelRuns, sizes: Sequence[int] = SIZES) -> Conformance:
    """Monitors follow all messages of small teams, in several situations.

    Args:
        scenario: to be tested
        runs: how its runs are made
        sizes: numbers of robots

    Raises:
        DevsRoboticsError: a run cannot begin, or no monitor would hear the robots in this stage
    """
    stage = runs.stage or "fast"
    if stage == "distributed":
        raise BeginError(
            "in the stage distributed no monitor hears the robots, whose messages stay within the nodes: for the level "
            "team choose fast, realtime, loop or real"
        )
    done: list[_Done] = []
    for size in sizes:
        for title, situation in _situations(scenario, size, stage).items():
            done.append(_run(f"{size} robots, {title}", for_rounds(situation, runs.rounds or ROUNDS), runs))
            if done[-1].fault:
                return _conformance(stage, done)
    return _conformance(stage, done)


class _Done(NamedTuple):
    """A run of a small team: in what situation, who followed it, why it did not end well, and whether by a fault."""

    title: str
    monitor: TeamMonitor
    trouble: str
    fault: bool


def _situations(scenario: ConvoyScenario, size: int, stage: Stage) -> dict[str, ConvoyScenario]:
    found = situations(of_size(scenario, size))
    return {**found, TOUCHED: found["as it is"]} if stage == "fast" else found


def _run(title: str, scenario: ConvoyScenario, runs: LevelRuns) -> _Done:
    stage = runs.stage or "fast"
    if stage == "fast":
        return _Done(title, *_watched(scenario, runs, touched=title.endswith(TOUCHED)), fault=False)
    monitor = TeamMonitor(protocol_roles(scenario))
    outcome = run_under(monitor, scenario, stage, runs)
    trouble = "" if outcome.ended == "accepted" else why_it_ended(outcome)
    return _Done(title, monitor, trouble, outcome.ended == "broken off")


def _conformance(stage: Stage, runs: Sequence[_Done]) -> Conformance:
    made, every = covered([run.monitor for run in runs])
    return Conformance(
        "team",
        f"stage {stage}",
        tuple(_finding(run) for run in runs),
        tuple(placed(run.title, violation) for run in runs for violation in run.monitor.violations),
        (times(runs[-1].monitor),),
        (
            f"the followers of these teams went through {len(made)} of their protocol's {len(every)} transitions",
            *(["the runs after the one that was broken off were not made"] if runs[-1].fault else []),
        ),
    )


def _finding(run: _Done) -> Finding:
    note = followed(run.monitor) + (f"; {run.trouble}" if run.trouble else "")
    clean = not run.monitor.violations
    return Finding(run.title, clean and not run.trouble, note, fault=clean and run.fault)


def _watched(scenario: ConvoyScenario, runs: LevelRuns, *, touched: bool) -> tuple[TeamMonitor, str]:
    """Run a team in the stage `fast` under a monitor; returns it, and why the run did not end well, or nothing."""
    model = experiment(set_up(scenario))
    watch = ProtocolWatch("protocol", protocol_roles(scenario))
    watch.couple(model)
    if touched:
        Touches("touches", range(1, scenario.convoy.robots + 1), scenario.run.seed, TOUCHED_EVERY).couple(model)
    with Simulator(model) as simulator:
        going, rounds = Run(simulator), -1
        try:
            while not model.verdict and rounds < (rounds := watch.monitor.rounds) and simulator.next_time < inf:
                going.until(model.verdict, time=simulator.time + patience(scenario), interrupted=runs.hooks.interrupted)
        except ModelError as exc:
            return watch.monitor, str(exc)
    if runs.hooks.interrupted():
        raise KeyboardInterrupt
    if model.verdict:
        verdict = first_of(model.verdict.values)
        watch.monitor.finish(simulator.time)
        assert isinstance(model.frame.acceptor, ConvoyAcceptor)
        gave_up = touched and model.frame.acceptor.robots_lost  # as robots may that are pushed about
        return watch.monitor, "" if verdict.accepted or gave_up else verdict.reason
    watch.monitor.finish()
    return watch.monitor, f"each waits for another: {watch.monitor.waits()}"
