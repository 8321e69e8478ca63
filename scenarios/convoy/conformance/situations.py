"""Scenarios in which teams are tested, made from one scenario."""

from __future__ import annotations

from devs_robotics.scenarios.convoy.beginning import line_length
from devs_robotics.scenarios.convoy.settings import ConvoyNoiseTable, ConvoyScenario
from devs_robotics.scenarios.settings.checks import check
from devs_robotics.scenarios.settings.problems import ScenarioError

MOST_NOISE = ConvoyNoiseTable(dnf=0.2, anf=0.1)
"""The third noise set of Hu & Zeigler, section 4.2."""

ROOM = 4.0
"""A narrow field is so much longer than the line of robots (m)."""


def situations(scenario: ConvoyScenario) -> dict[str, ConvoyScenario]:
    """The scenario as it is, with the most noise, and in a narrow field, as far as that is something else."""
    found = {"as it is": scenario}
    if (scenario.noise.dnf, scenario.noise.anf) < (MOST_NOISE.dnf, MOST_NOISE.anf):
        found["with the most noise"] = scenario.model_copy(update={"noise": MOST_NOISE})
    if scenario.convoy.poses is None and not scenario.field.obstacles and not scenario.leader.path:
        side = line_length(scenario) + ROOM
        field = scenario.field.model_copy(update={"width": side, "height": side})
        found["in a narrow field"] = scenario.model_copy(update={"field": field})
    return found


def for_rounds(scenario: ConvoyScenario, rounds: int) -> ConvoyScenario:
    """The same for so many rounds, or fewer where the scenario has fewer, and without an end in time."""
    wanted = rounds if scenario.run.rounds is None else min(rounds, scenario.run.rounds)
    run = scenario.run.model_copy(update={"rounds": wanted, "duration": None})
    transient = scenario.frame.transient_rounds
    frame = scenario.frame
    if transient is not None and transient >= wanted:
        frame = frame.model_copy(update={"transient_rounds": None})
    return scenario.model_copy(update={"run": run, "frame": frame})


def of_size(scenario: ConvoyScenario, robots: int) -> ConvoyScenario:
    """The same with so many robots.

    Raises:
        ScenarioError: so many robots do not fit what else the scenario says
    """
    poses = scenario.convoy.poses
    if poses is not None and len(poses) < robots:
        poses = None
    convoy = scenario.convoy.model_copy(update={"robots": robots, "poses": poses and poses[:robots]})
    real = {number: table for number, table in scenario.real.items() if int(number) <= robots}
    changed = scenario.model_copy(update={"convoy": convoy, "real": real})
    problems = check(changed)
    if problems:
        raise ScenarioError(f"with {robots} robots", problems)
    return changed
