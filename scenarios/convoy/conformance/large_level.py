"""Level 3: what a large team achieves."""

from __future__ import annotations

from devs_robotics.experimental_frames.conformance.records import Conformance, ConformanceTable, Finding
from devs_robotics.experimental_frames.convoy.conformance.holistic import SETTLED, is_settled
from devs_robotics.scenarios.convoy.conformance.runs import (
    MEASURES,
    LevelRuns,
    achieved,
    measured,
    patience,
    run_under,
)
from devs_robotics.scenarios.convoy.conformance.situations import for_rounds, situations
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.run_row import formation_coherence
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.errors import BeginError

LARGE = 6
"""From so many robots on a team is large."""

ROUNDS = 120
"""Of each run, if the scenario has so many."""

MOST_ROUNDS = 480
"""Of a run that is made again, longer, since a shorter one does not tell whether the formation is coherent."""


def large(scenario: ConvoyScenario, runs: LevelRuns) -> Conformance:
    """Whether a whole team does what it is for, in several situations.

    Raises:
        DevsRoboticsError: the scenario has too few robots, or a run cannot begin
    """
    robots = scenario.convoy.robots
    if robots < LARGE:
        raise BeginError(
            f"the level large is for {LARGE} robots or more, and the scenario has {robots}: add "
            f"--set convoy.robots=30, for instance"
        )
    findings: list[Finding] = []
    rows = []
    for title, situation in situations(scenario).items():
        outcome = _run_long_enough(title, situation, runs)
        findings += achieved(title, outcome, _remedy(scenario, runs))
        rows.append((title, str(outcome.metrics.rounds_completed), *measured(outcome)))
        if outcome.ended == "broken off":  # the next one would go the same way, and its robots are not looked after
            break
    return Conformance(
        "large",
        f"{robots} robots, stage {runs.stage or 'fast'}",
        tuple(findings),
        tables=(
            ConformanceTable(
                "measurements (errors at completed rounds)", ("situation", "rounds", *MEASURES), tuple(rows)
            ),
        ),
    )


def _run_long_enough(title: str, situation: ConvoyScenario, runs: LevelRuns) -> ConvoyOutcome:
    """Run the team for the rounds that are wanted, or, where none are, until a longer run would say no more of it."""
    rounds = runs.rounds or ROUNDS
    while True:
        wanted = for_rounds(situation, rounds)
        outcome = run_under(None, _in_time(wanted), runs.stage or "fast", runs)
        longer = for_rounds(situation, min(2 * rounds, MOST_ROUNDS))
        if runs.rounds or longer.run.rounds == wanted.run.rounds or outcome.ended != "accepted":
            return outcome
        if is_settled(outcome.metrics.rounds_completed, outcome.robots_lost, formation_coherence(outcome)):
            return outcome
        runs.hooks.tell(
            f"{title}: {rounds} rounds leave open whether the formation is coherent; {longer.run.rounds} follow"
        )
        rounds = min(2 * rounds, MOST_ROUNDS)


def _remedy(scenario: ConvoyScenario, runs: LevelRuns) -> str:
    if runs.rounds:
        return "leave out --rounds, so that the run is as long as it must be"
    if scenario.run.rounds is not None and scenario.run.rounds < MOST_ROUNDS:
        return f"the scenario has no more: add --set run.rounds={max(SETTLED, 2 * scenario.run.rounds)}"
    return f"add --rounds {2 * MOST_ROUNDS}"


def _in_time(scenario: ConvoyScenario) -> ConvoyScenario:
    """The same with an end in time, for robots that would go on for ever and complete nothing."""
    assert scenario.run.rounds is not None  # for_rounds gives them
    waves = scenario.run.rounds + scenario.convoy.robots
    run = scenario.run.model_copy(update={"duration": waves * patience(scenario) / 10.0})
    return scenario.model_copy(update={"run": run})
