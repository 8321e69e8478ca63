"""Whether an experiment may run in an arena: the one place where a queue certifies."""

from __future__ import annotations

from collections.abc import Callable

from devs_robotics.scenarios.running.rehearsal import rehearse
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage

CERTIFIED: tuple[Stage, ...] = ("loop", "real")
"""Stages in which there are robots, real ones or stand-ins."""


def certify(scenario: Scenario, stage: Stage, interrupted: Callable[[], bool]) -> str | None:
    """Try a scenario in the stage `fast` before it comes to an arena; returns what was found, in a sentence.

    Where there are no robots in a stage there is nothing to certify, and None.

    Args:
        scenario: with nothing left open
        stage: in which it is to run
        interrupted: asked now and then whether to give up

    Raises:
        KeyboardInterrupt: it was interrupted
        RehearsalError: it does not pass
    """
    if stage not in CERTIFIED:
        return None
    closest = rehearse(scenario, interrupted)
    return f"rehearsed in the stage fast: {f'at the closest, {closest}' if closest else 'accepted'}"
