"""Level 2: small teams under monitors of all their messages."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from devs_robotics import DevsRoboticsError, ModelError, Run, Simulator
from experimental_frames.conformance.measures import covered, followed, times
from experimental_frames.conformance.records import Conformance, Finding
from experimental_frames.conformance.team_monitor import TeamMonitor
from experimental_frames.conformance.touches import Touches
from experimental_frames.conformance.violations import Violation
from experimental_frames.conformance.watch import ProtocolWatch
from experimental_frames.convoy import first_of
from scenarios.assembly import experiment
from scenarios.conformance.parts import parts_of
from scenarios.conformance.runs import Means, patience, placed, run_under
from scenarios.conformance.situations import for_rounds, of_size, situations
from scenarios.geometry import resolve
from scenarios.schema import Scenario

SIZES = (2, 3, 4, 5)
"""Of small teams."""

ROUNDS = 30
"""Of each run, if the scenario has so many."""

TOUCHED = "touched now and then"
TOUCHED_EVERY = 5.0
"""A situation in which something touches robots' whiskers, one robot after the other, so often on average (s)."""


def team(scenario: Scenario, means: Means, sizes: Sequence[int] = SIZES) -> Conformance:
    """Monitors follow all messages of small teams, in several situations.

    Args:
        scenario: to be tested
        means: how its runs are made
        sizes: numbers of robots

    Raises:
        DevsRoboticsError: a run cannot begin, or no monitor would hear the robots in this stage
    """
    stage = means.stage or "fast"
    if stage == "distributed":
        raise DevsRoboticsError(
            "in the stage distributed no monitor hears the robots, whose messages stay within the nodes: for the level "
            "team choose fast, realtime, loop or real"
        )
    teams: list[TeamMonitor] = []
    findings: list[Finding] = []
    violations: list[Violation] = []
    for size in sizes:
        all_situations = situations(of_size(scenario, size))
        if stage == "fast":
            all_situations[TOUCHED] = all_situations["as it is"]
        for title, situation in all_situations.items():
            wanted = resolve(for_rounds(situation, means.rounds or ROUNDS))
            if stage == "fast":
                monitor, ending = _watched(wanted, means, touched=title == TOUCHED)
            else:
                monitor = TeamMonitor(parts_of(wanted))
                outcome = run_under(monitor, wanted, stage, means)
                ending = "" if outcome.ended == "accepted" else f"; {outcome.reason}"
            teams.append(monitor)
            holds = not monitor.violations and not ending
            which = f"{size} robots, {title}"
            findings.append(Finding(which, holds, followed(monitor) + ending))
            violations += [placed(which, violation) for violation in monitor.violations]
    made, every = covered(teams)
    return Conformance(
        "team",
        f"stage {stage}",
        tuple(findings),
        tuple(violations),
        (times(teams[-1]),),
        (f"the followers of these teams went through {len(made)} of their protocol's {len(every)} transitions",),
    )


def _watched(scenario: Scenario, means: Means, *, touched: bool) -> tuple[TeamMonitor, str]:
    """Run a team in the stage `fast` under a monitor; returns it, and why the run did not end well, or nothing."""
    model = experiment(scenario)
    watch = ProtocolWatch("protocol", parts_of(scenario))
    watch.couple(model)
    if touched:
        Touches("touches", range(1, scenario.convoy.robots + 1), scenario.run.seed, TOUCHED_EVERY).couple(model)
    with Simulator(model) as simulator:
        going, rounds = Run(simulator), -1
        try:
            while not model.verdict and rounds < (rounds := watch.monitor.rounds) and simulator.next_time < inf:
                going.until(model.verdict, time=simulator.time + patience(scenario), interrupted=means.interrupted)
        except ModelError as exc:
            return watch.monitor, f"; {exc}"
    if means.interrupted():
        raise KeyboardInterrupt
    if model.verdict:
        verdict = first_of(model.verdict.values)
        watch.monitor.finish(simulator.time)
        gave_up = touched and model.frame.acceptor.robots_lost  # as robots may that are pushed about
        return watch.monitor, "" if verdict.accepted or gave_up else f"; {verdict.reason}"
    watch.monitor.finish()
    return watch.monitor, f"; each waits for another: {watch.monitor.waits()}"
