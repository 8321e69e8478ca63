"""A field with e-puck2s that drive by their wheels, and nothing else: where sensors are tried."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics import Simulator, Wheels
from devs_robotics.core.robots.epuck2.body import AXLE, RADIUS
from devs_robotics.experimental_frames.epuck2.programs import Drives, Step
from devs_robotics.experimental_frames.epuck2.published import FASTEST
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.environment import Field, Pose, Shape, Thing
from devs_robotics.models.robots import CaseSystem, Robot, UsualBody, epuck2, virtual_equipment

TURN_RATE = 2.0 * FASTEST / AXLE
"""Of a robot in place whose wheels turn as fast as they can (rad/s)."""


def rig(width: float, height: float, obstacles: Sequence[Shape] = (), things: Sequence[Thing] = ()) -> CaseSystem:
    """A walled field without robots (m)."""
    made = CaseSystem(
        "system",
        Field(width, height, obstacles),
        UsualBody(RADIUS, FASTEST, TURN_RATE, 0.03),
        1,
        lambda robot, kind: virtual_equipment(robot, kind.optics),
    )
    for thing in things:
        made.add(thing)
    return made


def robot_at(system: CaseSystem, pose: Pose, steps: Sequence[Step] = (), start: float = 0.0) -> Robot:
    """An e-puck2 that drives as it is told, as fast as the published one can.

    Args:
        system: to which it is added
        pose: where it stands at first
        steps: speeds of its wheels, one after the other; none: it stays
        start: of the first of them (s)
    """
    robot = system.add_robot(pose, epuck2())
    if steps:
        robot.equip(VirtualWheels("wheels", AXLE, FASTEST))
        robot.decide(Drives("drives", steps, start))
    return robot


def straight(speed: float) -> list[Step]:
    """Straight on for ever (m/s)."""
    return [(1.0, Wheels(speed, speed))]


def in_place(rate: float) -> list[Step]:
    """A rotation for ever (rad/s, counter-clockwise)."""
    return [(1.0, Wheels(-rate * AXLE / 2.0, rate * AXLE / 2.0))]


def go(system: CaseSystem, until: float) -> None:
    """Run it, to the end of an instant (s)."""
    system.complete(corrected=False)
    with Simulator(system) as simulator:
        simulator.run(until=until)
