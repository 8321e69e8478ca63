"""What a scenario may say of the parts of its frames, each mistake in one sentence with its remedy."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.frame import PartError, check_part, couple_part, make_part
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage

DIFFERENT: tuple[Stage, ...] = ("fast", "loop", "real")
"""Stages whose models have different ports."""


def check_parts(scenario: Scenario) -> Iterator[Problem]:
    """Every part whose class is not there, or does not take its keys."""
    for name, table in scenario.frame.parts.items():
        for error in check_part(name, table.model, table.keys):
            yield _problem(error)


def check_couplings(scenario: Scenario) -> Iterator[Problem]:
    """Every tap and drive that no port fits in any stage. Only for a scenario in which nothing else is wrong."""
    if not scenario.frame.parts:
        return
    mistakes: list[list[PartError]] = []
    for stage in DIFFERENT:
        found = list(_in_stage(scenario, stage))
        if not found:
            return
        mistakes.append(found)
    everywhere = [{error.key for error in found} for found in mistakes[1:]]
    for error in mistakes[0]:
        if all(error.key in keys for keys in everywhere):
            yield _problem(error)


def _in_stage(scenario: Scenario, stage: Stage) -> Iterator[PartError]:
    from devs_robotics.scenarios.setup.setup import set_up

    try:
        setup = set_up(scenario.model_copy(update={"frame": type(scenario.frame)()}), stage)
        model = case_of(scenario).experiment(setup)
    except DevsRoboticsError:  # what cannot be made is told elsewhere, by whoever wants it
        return
    for name, table in scenario.frame.parts.items():
        try:
            part = make_part(name, table.model, table.keys)
        except PartError as error:
            yield error
        else:
            yield from couple_part(model, part, table.taps, table.drives)


def _problem(error: PartError) -> Problem:
    return Problem((error.key,), error.sentence)
