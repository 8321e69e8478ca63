"""Swarms to be measured: behaviours of diffusion, swarm and wander, without a frame, as models or in arrays."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, pi, sqrt
from typing import Any

import numpy as np

from devs_robotics import Coupled, Stream
from devs_robotics.core.population import Draw
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualProximityWatch
from devs_robotics.models.environment import Field
from devs_robotics.models.environment.sensing import SensingChoice
from devs_robotics.models.robots import PopulationChoice, Robot, UsualBody, virtual_equipment
from devs_robotics.models.robots.case_system import CaseSystem
from devs_robotics.models.swarm.following import FollowOthers
from devs_robotics.models.swarm.walking import WalkAtRandom
from devs_robotics.scenarios.diffusion import Diffuse
from devs_robotics.scenarios.wander import AROUND, REACH, Wander
from devs_robotics.study import robots

AREA, SEEING_FAR = 0.16, 2.0
"""Of the field per robot (m2), and where it wanders, which sees 1 m far."""

SPEED, PERIOD = 0.05, 0.1

Decide = Callable[[Robot, int], Any]

BEHAVIOURS: dict[str, Decide] = {
    "diffusion": lambda robot, seed: Diffuse("diffuse", SPEED, PERIOD),
    "walk": lambda robot, seed: WalkAtRandom(
        "walk", SPEED, AXLE, PERIOD, Draw(seed, robot.number, "length"), Draw(seed, robot.number, "angle")
    ),
    "follow": lambda robot, seed: FollowOthers("follow", SPEED, PERIOD, Draw(seed, robot.number, "follow")),
    "wander": lambda robot, seed: Wander("wander", Stream(seed, robot.number, "wander"), 0.3, 0.3),
}

BY_WHEELS = "diffusion", "walk", "follow"
"""Those of e-puck2s, which have wheels and watch their sensors; others have the motor and range sensors of a kind."""


def poses(count: int, seed: int, area: float = AREA) -> tuple[Any, float]:
    """Places of robots, each anywhere in a square of its own, and the side of the field (m)."""
    side, columns = sqrt(area * count), ceil(sqrt(count))
    cell, chance = side / columns, np.random.default_rng(seed)
    cells = chance.permutation(columns * columns)[:count]
    room = (cell - 2.0 * RADIUS - 0.04) / 2.0
    x, y = ((each + 0.5) * cell + chance.uniform(-room, room, count) for each in (cells % columns, cells // columns))
    return np.column_stack((x, y, chance.uniform(-pi, pi, count))), side


def swarm(
    behaviour: str,
    count: int,
    population: PopulationChoice,
    *,
    seed: int = 1,
    strategy: SensingChoice = "grid",
    area: float | None = None,
    walled: bool = True,
    alike: bool = True,
    as_models: tuple[int, ...] = (),
    tells_poses: bool = False,
) -> tuple[CaseSystem, Coupled]:
    """A system of robots, and a root that holds it.

    Args:
        behaviour: one of `BEHAVIOURS`
        count: how many robots
        population: how they are simulated
        seed: of their places and numbers
        strategy: of the environment
        area: of the field per robot (m2); None: as is usual for the behaviour
        walled: whether there are walls round it
        alike: whether one robot stands for all, where that can be
        as_models: robots that are ordinary models in any case
        tells_poses: whether the environment tells where robots are
    """
    wanders = behaviour not in BY_WHEELS
    usual = SEEING_FAR if wanders else AREA
    places, side = poses(count, seed, usual if area is None else area)
    system = CaseSystem(
        "system",
        Field(side, side, walled=walled),
        UsualBody(RADIUS, 0.14, 5.3, 0.03),
        seed,
        lambda robot, kind: virtual_equipment(robot, kind.optics),
    )
    system.strategy, system.population, system.tells_poses = strategy, population, tells_poses

    def put_together(robot: Robot) -> None:
        if not wanders:
            robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
            robot.equip(VirtualProximityWatch("proximity"))
        robot.decide(BEHAVIOURS[behaviour](robot, seed))

    one_for_all = alike and population == "arrays" and strategy == "grid" and not as_models
    start = places if one_for_all else [(x, y, heading) for x, y, heading in places.tolist()]
    kind = robots.round_differential(beams=AROUND, reach=REACH, continuous=True) if wanders else robots.epuck2()
    system.add_team(start, kind, put_together, alike=one_for_all, as_models=as_models)
    system.complete(corrected=False)
    root = Coupled("root")
    root.add_component(system)
    return system, root
