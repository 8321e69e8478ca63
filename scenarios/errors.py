"""What can be wrong with a command, a run, its nodes or a sweep: a class each, so that a caller can tell them apart.

Mistakes in scenarios are `settings.problems.ScenarioError`; all are `DevsRoboticsError`.
"""

from __future__ import annotations

from devs_robotics import DevsRoboticsError


class OptionError(DevsRoboticsError):
    """Options of a command that do not go together, or not with the scenario."""


class BeginError(DevsRoboticsError):
    """A run that cannot begin: its robots, its laboratory or its models are not to be had."""


class CaseError(DevsRoboticsError):
    """A case study that there is not, or that cannot be used."""


class NodeError(DevsRoboticsError):
    """A distributed run without the nodes that it needs, or a node without the host, the robots or the links."""


class DesignError(DevsRoboticsError):
    """A sweep that cannot be designed as is wished."""


def unmade(target: str, why: str) -> BeginError:
    """What is said of a class of somebody's that cannot be made."""
    return BeginError(f"{target!r} cannot be made, its __init__ raises {why}: mend the class")
