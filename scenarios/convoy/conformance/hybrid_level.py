"""Level 4: real robots, or their stand-ins, and virtual ones together."""

from __future__ import annotations

from devs_robotics.experimental_frames.conformance.records import Conformance, ConformanceTable, Finding
from devs_robotics.experimental_frames.convoy.conformance.holistic import SETTLED
from devs_robotics.experimental_frames.convoy.conformance.measures import followed, times
from devs_robotics.experimental_frames.convoy.conformance.team_monitor import TeamMonitor
from devs_robotics.hil.robot_protocol import LATE_ANSWER
from devs_robotics.scenarios.convoy.conformance.protocol_roles import protocol_roles
from devs_robotics.scenarios.convoy.conformance.runs import (
    MEASURES,
    LevelRuns,
    achieved,
    measured,
    run_under,
    why_it_ended,
)
from devs_robotics.scenarios.convoy.conformance.situations import for_rounds
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.errors import BeginError

ROUNDS = 12
"""If the scenario has so many."""

TIMES_LONGER = 4.0
"""A run is given up after so many times what it takes in the stage fast (simulated)."""


def hybrid(scenario: ConvoyScenario, runs: LevelRuns) -> Conformance:
    """Both what a team achieves and whether it keeps the protocol, with some robots real, or played by stand-ins.

    Raises:
        DevsRoboticsError: no robot is real in this stage, or the run cannot begin
    """
    stage = runs.stage or "loop"
    if stage not in ("loop", "real"):
        raise BeginError(f"in the stage {stage} no robot is real: for the level hybrid choose loop or real")
    scenario = for_rounds(scenario, runs.rounds or ROUNDS)
    reference = run_under(None, scenario, "fast", runs)
    patient = scenario.run.model_copy(update={"duration": TIMES_LONGER * reference.end_s})
    monitor = TeamMonitor(protocol_roles(scenario))
    outcome = run_under(monitor, scenario.model_copy(update={"run": patient}), stage, runs)
    late = outcome.lateness
    robots = outcome.robots.items()
    invalid = {number: {why: n for why, n in robot.dropped.items() if why != LATE_ANSWER} for number, robot in robots}
    dropped = [f"robot {number}: {kinds}" for number, kinds in invalid.items() if kinds]
    refused = sum(robot.refused for _, robot in robots)
    failed, broken = outcome.ended == "failed", outcome.ended == "broken off"
    longer = f"--set run.rounds={SETTLED} --rounds {SETTLED}"
    stages = (("fast", *measured(reference)), (stage, *measured(outcome)))
    return Conformance(
        "hybrid",
        f"{scenario.convoy.robots} robots, stage {stage}, real: "
        + ", ".join(f"{number} ({robot.played_by})" for number, robot in robots),
        (
            *achieved(stage, outcome, f"as is to be expected; where it matters, add {longer}"),
            Finding("protocol", not monitor.violations, followed(monitor)),
            Finding("robots and links", not (failed or broken), _trouble(outcome), fault=broken),
            Finding("messages on the wire", not dropped, "; ".join(dropped) or "all were valid"),
            Finding("moves refused by the guard", not refused, str(refused or "none")),
        ),
        tuple(monitor.violations),
        (
            ConformanceTable(
                "measurements, beside the same run in the stage fast (errors at completed rounds)",
                ("", *MEASURES),
                stages,
            ),
            times(monitor),
        ),
        () if late is None else (f"events were late by {1000.0 * late.p99:.1f} ms at most for 99 % of them",),
    )


def _trouble(outcome: ConvoyOutcome) -> str:
    return "none failed" if outcome.ended not in ("broken off", "failed") else why_it_ended(outcome)
