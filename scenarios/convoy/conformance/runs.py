"""How the runs of a level are made, and what is told of them."""

from __future__ import annotations

from math import pi

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics.experimental_frames.conformance.records import Finding
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.holistic import task
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import (
    TeamMonitor,
    TeamObserver,
    of_decision_models,
)
from devs_robotics.experimental_frames.convoy.metrics import metric_named
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.run_row import columns, formation_coherence
from devs_robotics.scenarios.convoy.runs import run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.running.means import FAST, NOBODY, Hooks, Means
from devs_robotics.scenarios.stages import Stage

_TOLD = tuple(
    metric_named(name)
    for name in (
        "error_at_completed_rounds_m",
        "largest_error_m",
        "convoy_speed_m_per_s",
        "adjustments_per_round",
        "synchronisation_delay_s",
    )
)

MEASURES = tuple(each.head for each in _TOLD)
"""The heads of what `measured` gives."""

SLOWER = 4.0
"""The rate is to be lower by so much where stand-ins have not kept up with it."""


class LevelRuns(Struct, frozen=True):
    """How the runs of a level are made.

    Attributes:
        stage: in which; None: `fast` for teams, `loop` for a hybrid one
        rounds: of each; None: as many as the level takes
        means: otherwise
        hooks: who looks on
    """

    stage: Stage | None = None
    rounds: int | None = None
    means: Means = FAST
    hooks: Hooks = NOBODY


def run_under(monitor: TeamMonitor | None, scenario: ConvoyScenario, stage: Stage, runs: LevelRuns) -> ConvoyOutcome:
    """Run a scenario, under a monitor if there is one.

    Raises:
        KeyboardInterrupt: the user has interrupted it
        DevsRoboticsError: it cannot begin
    """
    observers = () if monitor is None else ((TeamObserver(monitor), of_decision_models),)
    outcome = run(scenario, replace(runs.means, stage=stage), replace(runs.hooks, observers=observers))
    if outcome.ended == "interrupted":
        raise KeyboardInterrupt
    if monitor is not None:
        monitor.finish(outcome.end_s)
    return outcome


def patience(scenario: ConvoyScenario) -> float:
    """So long a team may go on without completing a round (s): time for each robot to search all that it can."""
    farthest = max([1.0, *(abs(distance) for _, distance in scenario.leader.path)])
    return 20.0 * (farthest / scenario.robot.speed + 2.0 * pi / scenario.robot.turn_rate)


def placed(where: str, violation: Violation) -> Violation:
    """The same, told with the run or the test in which it was found."""
    return replace(violation, sentence=f"{where}: {violation.sentence}")


def achieved(title: str, outcome: ConvoyOutcome, remedy: str) -> list[Finding]:
    """What a team that was to complete some rounds has achieved.

    Args:
        title: of the run
        outcome: of the run
        remedy: what to do where it was too short for a verdict
    """
    rounds = outcome.scenario.run.rounds
    assert rounds is not None  # for_rounds gives it
    findings = list(
        task(
            title,
            rounds,
            outcome.formation.rows,
            outcome.metrics,
            outcome.robots_lost,
            formation_coherence(outcome),
            remedy,
        )
    )
    if not findings[0].holds:
        fault = outcome.ended == "broken off"
        findings[0] = Finding(findings[0].title, False, f"{findings[0].note}: {why_it_ended(outcome)}", fault)
    return findings


def why_it_ended(outcome: ConvoyOutcome) -> str:
    """Why a run is over; where stand-ins may not have kept up with its rate, what to do about that."""
    if outcome.ended != "broken off" or outcome.rate <= 1.0 or not outcome.robots:  # only stand-ins live faster
        return outcome.reason
    slower = max(1.0, outcome.rate / SLOWER)
    return (
        f"broken off at rate {outcome.rate:g}, at which stand-ins may answer too late: lower it, for instance with "
        f"--rate {slower:g} ({outcome.reason})"
    )


def measured(outcome: ConvoyOutcome) -> tuple[str, ...]:
    """The team's `MEASURES`, for people."""
    values = columns(outcome)
    cells = (each.text(float(values[each.name])) for each in _TOLD)
    return tuple("-" if cell == "nan" else cell for cell in cells)
