"""Drives robots by velocities in a SpaceManager of their own, and writes down what it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

from msgspec import Struct

from devs_robotics import Simulator
from devs_robotics.models.environment import Field, Halted, SpaceManager, Twist, Unwatch, Watching, World
from devs_robotics.models.environment.messages import BodyChange, GlideMotion
from devs_robotics.models.environment.sensing import Noticed, StrategyName


class Driven(Struct, frozen=True):
    """What a watch told, and when (s)."""

    time: float
    robot: int
    values: tuple[float, ...]
    element: int
    level: float
    rising: bool


class Run:
    """What a SpaceManager has said."""

    def __init__(self, space: SpaceManager) -> None:
        self.space = space
        self.noticed: list[Driven] = []
        self.stopped: list[tuple[float, Halted]] = []
        self.events = 0

    def hear(self, time: float) -> None:
        """Write down what its output ports hold."""
        for port in self.space.out_ports:
            for value in port.values:
                if isinstance(value, Noticed):
                    self.noticed.append(
                        Driven(time, value.robot, value.answer.values, value.element, value.level, value.rising)
                    )
                elif isinstance(value, Halted):
                    self.stopped.append((time, value))


def drive(
    field: Field,
    messages: Sequence[Any],
    *,
    until: float,
    later: Sequence[tuple[float, Any]] = (),
    strategy: StrategyName = "predict",
    between: Callable[[Field, float, float], None] = lambda field, now, following: None,
) -> Run:
    """Give a SpaceManager messages at the beginning, and some later, and run it.

    Args:
        field: with its bodies
        messages: velocities and watches
        until: end of the run (s)
        later: further ones, and when they come (s)
        strategy: of looking at watches
        between: called after each event with the times of this event and of the next one (s)
    """
    space = SpaceManager("space", World(field, 0.03), strategy)
    sensors = dict.fromkeys(("", *(each.question.sensor for each in messages if isinstance(each, Watching))))
    for robot in range(1, len(field.x) + 1):
        space.offer(Halted, robot)
        for sensor in sensors:
            space.offer(Noticed, robot, sensor)
    run = Run(space)
    said = [(0.0, message) for message in messages] + list(later)
    with Simulator(space) as simulator:
        for at, message in said:
            simulator.inject(_port(space, message), message, at=at)
        while simulator.next_time <= until:
            time = simulator.next_time
            simulator.run(until=time, max_steps=1)
            run.events += 1
            run.hear(time)
            between(field, time, min(until, simulator.next_time))
    field.now = until
    return run


def _port(space: SpaceManager, message: Any) -> Any:
    if isinstance(message, Twist):
        return space.twist
    if isinstance(message, GlideMotion):
        return space.glide
    if isinstance(message, get_args(BodyChange)):
        return space.body_change
    return space.watch if isinstance(message, Watching | Unwatch) else space.fix
