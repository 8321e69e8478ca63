"""What every case's experiment may have beside its own frame: how near bodies come, fixes of real robots, parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from devs_robotics import Actuator, Glide, Wheels
from devs_robotics.core.robots.activity import exchanges_of
from devs_robotics.experimental_frames.frame import CaseExperiment, Experiment, add_part, make_part
from devs_robotics.experimental_frames.instruments.approach import Approaches
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.instruments.safety import Allowance, SafetyLimits, SafetyWatch
from devs_robotics.models.activities import VirtualOmniwheels, VirtualWheels
from devs_robotics.scenarios.settings.tables import SafetyTable
from devs_robotics.scenarios.setup.setup import Setup


def approaches(setup: Setup[Any]) -> Approaches:
    """A transducer of how near bodies come to each other and to all else."""
    radii = [robot.radius for robot in setup.robots]
    limit = setup.scenario.safety.approach
    size = setup.width, setup.height
    return Approaches("approaches", *size, setup.obstacles, radii, setup.poses, limit, walled=setup.walled)


def limits_of(table: SafetyTable) -> SafetyLimits:
    """The thresholds of the safety gate."""
    return SafetyLimits(**{name: getattr(table, name) for name in SafetyLimits.__struct_fields__})


def watch_of_motions(
    name: str, model: CaseExperiment, setup: Setup[Any], allowances: Sequence[Allowance]
) -> SafetyWatch:
    """A transducer in the frame that is told of every motion, so that all can be judged in closed form."""
    robots = setup.robots
    watch = SafetyWatch(
        name,
        setup.width,
        setup.height,
        setup.obstacles,
        [robot.radius for robot in robots],
        [robot.speed for robot in robots],
        setup.poses,
        limits_of(setup.scenario.safety),
        allowances,
        walled=setup.walled,
    )
    model.frame.add_component(watch)
    model.frame.couple(model.system.environment.tell_bodies(), watch.body_motion)
    return watch


def judge(model: CaseExperiment, setup: Setup[Any], allowances: Sequence[Allowance]) -> None:
    """Let the safety gate see how robots move, and what their wheels are told."""
    watch = model.safety = watch_of_motions("safety", model, setup, allowances)
    for robot in model.system.models:  # those in arrays have no ports of their own
        fastest: list[tuple[type[Wheels | Glide], float]] = []
        for each in robot.components:
            if isinstance(each, VirtualWheels):
                fastest.append((Wheels, each.fastest))
            elif isinstance(each, VirtualOmniwheels):
                fastest.append((Glide, each.way.speed))
        needs = [need for decision in robot.decisions for need in exchanges_of(decision, Actuator).values()]
        for kind, speed in fastest:
            for need in needs:
                if need.ask.p_type is kind:
                    model.frame.couple(need.ask, watch.hear_commands(robot.number, kind, speed))


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
