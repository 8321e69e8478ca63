"""Patterns of what is to be traced, held against a run's models before anything is started for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from devs_robotics.core.observe.patterns import Selection
from devs_robotics.core.ports import component_path
from devs_robotics.core.robots.wording import numbered
from devs_robotics.core.wiring import atomic_models
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.scenarios.errors import OptionError


def check_patterns(model: Experiment, patterns: Iterable[str], away: Collection[int]) -> None:
    """See that each pattern means something that can be observed.

    Args:
        model: of the whole experiment
        patterns: of paths of models and ports
        away: robots whose models are going to run at nodes

    Raises:
        DevsRoboticsError: a pattern means nothing, or only what will not be here
    """
    owners = {atomic: robot.number for robot in model.system.robots for atomic in atomic_models(robot)}
    everything = {
        atomic: (component_path(atomic), atomic.in_ports + atomic.out_ports) for atomic in atomic_models(model)
    }
    for pattern in patterns:
        selection = Selection([pattern])
        meant = {owners.get(atomic, 0) for atomic, (path, ports) in everything.items() if selection.ports(path, ports)}
        if meant and meant <= set(away):
            raise OptionError(
                f"--trace-ports {pattern!r} means only models of {numbered(meant)}, which run at nodes, and a trace "
                f"shows what runs here: leave it out, or run without --nodes and --await"
            )
        if not away:  # else it may mean what is here for a node
            selection.check(everything.values())
