"""What every case's experiment may have beside its own frame: how near bodies come, fixes of real robots, parts."""

from __future__ import annotations

from typing import Any

from devs_robotics.experimental_frames.frame import Experiment, add_part, make_part
from devs_robotics.experimental_frames.instruments.approach import Approaches
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.scenarios.setup.setup import Setup


def approaches(setup: Setup[Any]) -> Approaches:
    """A transducer of how near bodies come to each other and to all else."""
    radii = [robot.radius for robot in setup.robots]
    limit = setup.scenario.safety.approach
    size = setup.width, setup.height
    return Approaches("approaches", *size, setup.obstacles, radii, setup.poses, limit, walled=setup.walled)


def add_further(model: Experiment, setup: Setup[Any]) -> None:
    """Add a tracking system where robots are real, and the parts that the scenario names.

    Raises:
        PartError: a part cannot be made, or coupled to what there is in this stage
    """
    followed = model.system.fix_of  # the robots that move in the world outside
    if followed:
        from devs_robotics.scenarios.setup.tracking import tracker  # slow to load, and most runs have no real robots

        model.track(tracker(setup, followed))
        model.localise(Localisation("localisation", {robot: setup.poses[robot - 1] for robot in followed}))
    for name, table in setup.scenario.frame.parts.items():
        add_part(model, make_part(name, table.model, table.keys), table.taps, table.drives)
