"""What happens to bodies beside that robots drive: they join and leave, are carried, follow trajectories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import get_args

from devs_robotics import ModelError
from devs_robotics.models.environment.driving import Driving
from devs_robotics.models.environment.messages import Become, BodyChange, Carry, Follow, Join, PutDown
from devs_robotics.models.environment.world import World

ORDER: tuple[type, ...] = get_args(BodyChange)
"""In which changes of one instant are made."""


def stage(world: World, changes: Sequence[BodyChange], driving: Callable[[], Driving]) -> None:
    """Make changes, in the order of their kinds, and each kind in the order of the robots' numbers.

    Args:
        world: that they happen to
        changes: of one instant
        driving: what has to hear of them; it is there from the first change on

    Raises:
        ModelError: a body is not there that a change is about, or cannot do what is wanted
    """
    for change in sorted(changes, key=lambda each: (ORDER.index(type(each)), each.robot)):
        if isinstance(change, Join):
            _join(world, change, driving())
            continue
        body = _there(world, change.robot, change)
        if isinstance(change, Become):
            world.field.bodies.traits[body] = change.traits
        elif isinstance(change, Follow):
            _follow(world, change, driving())
        elif isinstance(change, Carry):
            cargo = _there(world, change.cargo, change)
            driving().carry(cargo, body, (change.ahead, change.left, change.heading))
        elif isinstance(change, PutDown):
            cargo = _there(world, change.cargo, change)
            if world.field.bodies.carrier.get(cargo) != body:
                raise ModelError(f"{change!r}: it does not carry that: let it Carry that first")
            driving().put_down(cargo)
        else:
            driving().leave(body)


def _join(world: World, change: Join, driving: Driving) -> None:
    field = world.field
    following = len(field.x) + 1
    if change.robot != following:
        raise ModelError(f"{change!r}: numbers are given in turn, and not used again: the next one is {following}")
    if not (isfinite(change.x + change.y + change.heading) and 0.0 < change.radius < float("inf")):
        raise ModelError(f"{change!r}: a body needs a finite pose and a radius of more than 0 m")
    larger = change.radius > field.largest
    body = field.add_body(change.x, change.y, change.heading, change.radius, change.traits)
    world.touching.append(False)
    driving.joined(body, larger=larger)


def _follow(world: World, change: Follow, driving: Driving) -> None:
    body, trajectory = change.robot - 1, change.trajectory
    if not world.field.bodies.moves_itself(body):
        raise ModelError(f"{change!r}: it is carried, and moves with its carrier: put it down first")
    if not isfinite(sum(trajectory.pose(world.field.now)) + trajectory.fastest + trajectory.fastest_turn):
        raise ModelError(f"{change!r}: poses and speeds of a trajectory must be finite")
    driving.follow(body, trajectory)


def _there(world: World, robot: int, change: BodyChange) -> int:
    """The body of a number, which must be in the world."""
    bodies = world.field.bodies
    if not 1 <= robot <= len(bodies) or robot - 1 in bodies.gone:
        raise ModelError(f"{change!r}: there is no body {robot}, or not any more")
    return robot - 1
