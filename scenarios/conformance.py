"""The five levels of frames on a scenario (Hu & Zeigler, section 3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf, pi
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError, ModelError, Run, Simulator
from experimental_frames.conformance.holistic import task
from experimental_frames.conformance.measures import covered, followed, times
from experimental_frames.conformance.records import Conformance, Finding, Table
from experimental_frames.conformance.review import review
from experimental_frames.conformance.single import RobotResults, check_robot
from experimental_frames.conformance.team_monitor import DECISIONS, TeamMonitor, TeamObserver
from experimental_frames.conformance.touches import Touches
from experimental_frames.conformance.violations import Violation
from experimental_frames.conformance.watch import ProtocolWatch
from experimental_frames.convoy import first_of
from scenarios.assembly import experiment
from scenarios.conformance_parts import decisions, part_of, parts_of, player_of
from scenarios.geometry import resolve
from scenarios.outcome import Outcome
from scenarios.running import run
from scenarios.schema import Scenario
from scenarios.situations import for_rounds, of_size, situations
from scenarios.stages import Stage

Level = Literal["single", "team", "large", "hybrid", "final"]

SIZES = (2, 3, 4, 5)
"""Of small teams."""

LARGE = 6
"""From so many robots on a team is large."""

PATIENCE = 4.0
"""A hybrid run is given up after so many times what it takes in the stage fast (simulated)."""

TOUCHED = "touched now and then"
TOUCHED_EVERY = 5.0
"""A situation in which something touches robots' whiskers, one robot after the other, so often on average (s)."""

ROUNDS = {"team": 30, "large": 120, "hybrid": 12}
"""Rounds of each run of a level, if the scenario has so many."""


class Means(Struct, frozen=True):
    """How the runs of a level are made.

    Attributes:
        stage: in which; absent: `fast` for teams, `loop` for a hybrid one
        rounds: of each; absent: as `ROUNDS` has it
        rate: simulated seconds a real second; absent: as the scenario says
        broker: MQTT address of the broker to use; absent: one is started where it is needed
        accept_risk: let real robots move although the scenario has not passed in the stage `fast`
        interrupted: asked now and then whether to end early
        tell: gets sentences for people
    """

    stage: Stage | None = None
    rounds: int | None = None
    rate: float | None = None
    broker: str | None = None
    accept_risk: bool = False
    interrupted: Callable[[], bool] = lambda: False
    tell: Callable[[str], None] = lambda note: None


def single(scenario: Scenario) -> Conformance:
    """Level 1: every line of the protocol, and everything out of it, played to one robot of each kind."""
    scenario = of_size(scenario, 3)
    kinds = {"leader": 1, "robot in the middle": 2, "last robot": 3}
    tested = [
        check_robot(title, part_of(scenario, robot), partial(decisions, scenario, robot), player_of(scenario, robot))
        for title, robot in kinds.items()
    ]
    return Conformance(
        "single",
        f"{sum(len(each.results) for each in tested)} tests, derived from the robots' protocol",
        tuple(finding for each in tested for finding in _single_findings(each)),
        tuple(
            _placed(f"{each.title}, {result.case.title}", violation)
            for each in tested
            for result in each.results
            for violation in result.violations
        ),
        tuple(_single_table(each) for each in tested),
        tuple(f"{each.title}: no test reaches {rule}" for each in tested for rule in each.beyond),
    )


def _single_findings(tested: RobotResults) -> Iterator[Finding]:
    for what, lines in (("transitions", True), ("inputs out of protocol", False)):
        passed, count = tested.count(lines=lines)
        verdicts = Counter(result.verdict for result in tested.results if (result.case.rule is not None) == lines)
        unreached = verdicts["not reached"]
        note = f"{passed} of {count}" + (f", {unreached} not reached" if unreached else "")
        yield Finding(f"{tested.title}: {what}", passed == count, note)


def _single_table(tested: RobotResults) -> Table:
    rows = ((result.case.title, str(len(result.case.steps)), result.verdict) for result in tested.results)
    return Table(f"tests of the {tested.title}", ("test", "steps", "verdict"), tuple(rows), words=True)


def _placed(where: str, violation: Violation) -> Violation:
    """The same, told with the run or the test in which it was found."""
    return replace(violation, sentence=f"{where}: {violation.sentence}")


def team(scenario: Scenario, means: Means, sizes: Sequence[int] = SIZES) -> Conformance:
    """Level 2: monitors follow all messages of small teams, in several situations.

    Args:
        scenario: to be tested
        means: how its runs are made
        sizes: numbers of robots
    """
    rounds, stage = means.rounds or ROUNDS["team"], means.stage or "fast"
    teams: list[TeamMonitor] = []
    findings: list[Finding] = []
    violations: list[Violation] = []
    for size in sizes:
        all_situations = situations(of_size(scenario, size))
        if stage == "fast":
            all_situations[TOUCHED] = all_situations["as it is"]
        for title, situation in all_situations.items():
            wanted = resolve(for_rounds(situation, rounds))
            if stage == "fast":
                monitor, ending = _followed(wanted, means, touched=title == TOUCHED)
            else:
                monitor = TeamMonitor(parts_of(wanted))
                outcome = _run(wanted, stage, means, monitor)
                ending = "" if outcome.ended == "accepted" else f"; {outcome.reason}"
            teams.append(monitor)
            holds = not monitor.violations and not ending
            which = f"{size} robots, {title}"
            findings.append(Finding(which, holds, followed(monitor) + ending))
            violations += [_placed(which, violation) for violation in monitor.violations]
    made, every = covered(teams)
    return Conformance(
        "team",
        f"stage {stage}",
        tuple(findings),
        tuple(violations),
        (times(teams[-1]),),
        (f"the followers of these teams went through {len(made)} of their protocol's {len(every)} transitions",),
    )


def _followed(scenario: Scenario, means: Means, *, touched: bool) -> tuple[TeamMonitor, str]:
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
                going.until(model.verdict, time=simulator.time + _patience(scenario), interrupted=means.interrupted)
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


def _in_time(scenario: Scenario) -> Scenario:
    """The same with an end in time, for robots that would go on for ever and complete nothing."""
    assert scenario.run.rounds is not None  # for_rounds gives them
    waves = scenario.run.rounds + scenario.convoy.robots
    run = scenario.run.model_copy(update={"duration": waves * _patience(scenario) / 10.0})
    return scenario.model_copy(update={"run": run})


def _patience(scenario: Scenario) -> float:
    """So long a team may go on without completing a round (s): time for each robot to search all that it can."""
    farthest = max([1.0, *(abs(distance) for _, distance in scenario.leader.path)])
    return 20.0 * (farthest / scenario.robot.speed + 2.0 * pi / scenario.robot.turn_rate)


def large(scenario: Scenario, means: Means) -> Conformance:
    """Level 3: whether a whole team does what it is for, in several situations.

    Raises:
        DevsRoboticsError: the scenario has too few robots
    """
    if scenario.convoy.robots < LARGE:
        raise DevsRoboticsError(
            f"the level large is for {LARGE} robots or more, and the scenario has {scenario.convoy.robots}: add "
            f"--set convoy.robots=30, for instance"
        )
    rounds = means.rounds or ROUNDS["large"]
    findings: list[Finding] = []
    rows = []
    for title, situation in situations(scenario).items():
        wanted = _in_time(for_rounds(situation, rounds))
        outcome = _run(wanted, means.stage or "fast", means)
        findings += _task(title, outcome)
        rows.append((title, *_holistic(outcome)))
    head = ("situation", "E (cm)", "largest (cm)", "speed (cm/s)", "adjustments a round", "a wave takes (s)")
    return Conformance(
        "large",
        f"{scenario.convoy.robots} robots, stage {means.stage or 'fast'}",
        tuple(findings),
        tables=(Table("measurements", head, tuple(rows)),),
    )


def hybrid(scenario: Scenario, means: Means) -> Conformance:
    """Level 4: a large or a small team in which some robots are real, or played by stand-ins."""
    stage = means.stage or "loop"
    if stage not in ("loop", "real"):
        raise DevsRoboticsError(f"in the stage {stage} no robot is real: for the level hybrid choose loop or real")
    scenario = for_rounds(scenario, means.rounds or ROUNDS["hybrid"])
    reference = _run(scenario, "fast", means)
    patient = scenario.run.model_copy(update={"duration": PATIENCE * reference.end_s})
    monitor = TeamMonitor(parts_of(scenario))
    outcome = _run(scenario.model_copy(update={"run": patient}), stage, means, monitor)
    late = outcome.lateness
    robots = outcome.robots.items()
    dropped = [f"robot {number}: {robot.dropped}" for number, robot in robots if robot.dropped]
    refused = sum(robot.refused for _, robot in robots)
    head = ("", "E (cm)", "largest (cm)", "speed (cm/s)", "adjustments a round", "a wave takes (s)")
    stages = (("fast", *_holistic(reference)), (stage, *_holistic(outcome)))
    return Conformance(
        "hybrid",
        f"{scenario.convoy.robots} robots, stage {stage}, real: "
        + ", ".join(f"{number} ({robot.played_by})" for number, robot in robots),
        (
            *_task(stage, outcome),
            Finding("protocol", not monitor.violations, followed(monitor)),
            Finding("robots and links", outcome.ended not in ("broken off", "failed"), _trouble(outcome)),
            Finding("messages on the wire", not dropped, "; ".join(dropped) or "all were valid"),
            Finding("moves refused by the guard", not refused, str(refused or "none")),
        ),
        tuple(monitor.violations),
        (Table("measurements, beside the same run in the stage fast", head, stages), times(monitor)),
        () if late is None else (f"events were late by {1000.0 * late.p99:.1f} ms at most for 99 % of them",),
    )


def final(scenario: Scenario, trace: Path) -> Conformance:
    """Level 5: the review of a recorded run of a scenario."""
    return review(trace, parts_of(scenario), f"{trace}, {scenario.convoy.robots} robots")


def _run(scenario: Scenario, stage: Stage, means: Means, monitor: TeamMonitor | None = None) -> Outcome:
    """Run a scenario, under a monitor if there is one."""
    outcome = run(
        scenario,
        stage=stage,
        rate=means.rate,
        broker=means.broker,
        accept_risk=means.accept_risk,
        interrupted=means.interrupted,
        observers=[] if monitor is None else [(TeamObserver(monitor), [DECISIONS])],
        tell=means.tell,
    )
    if outcome.ended == "interrupted":
        raise KeyboardInterrupt
    if monitor is not None:
        monitor.finish(outcome.end_s)
    return outcome


def _task(title: str, outcome: Outcome) -> list[Finding]:
    rounds = outcome.scenario.run.rounds
    assert rounds is not None  # for_rounds gives it
    findings = list(
        task(title, rounds, outcome.formation.rows, outcome.metrics, outcome.robots_lost, outcome.coherence())
    )
    if not findings[0].holds:
        findings[0] = Finding(findings[0].title, False, f"{findings[0].note}: {outcome.reason}")
    return findings


def _holistic(outcome: Outcome) -> tuple[str, ...]:
    metrics = outcome.metrics
    return (
        f"{100.0 * metrics.error_at_pose_changes.mean_over_all:.1f}",
        f"{100.0 * metrics.largest_error_m:.1f}",
        f"{100.0 * metrics.convoy_speed_m_per_s:.1f}",
        f"{metrics.adjustments_per_round:.2f}",
        f"{metrics.synchronisation_delay_s:.2f}",
    )


def _trouble(outcome: Outcome) -> str:
    return "none failed" if outcome.ended not in ("broken off", "failed") else outcome.reason
