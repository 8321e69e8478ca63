"""Sensors in a world of their own: asked at one instant, or watched while robots drive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from devs_robotics import Coupled, Crossed, Sensor, Service, Simulator, Watch
from devs_robotics.core.robots.activity import exchanges_of, lead_in, lead_out, lead_through
from devs_robotics.models.activities import VirtualActivity
from devs_robotics.models.environment import Environment, Field, Twist, World
from devs_robotics.models.environment.sensing import StrategyName

Robot = tuple[float, float, float]
"""Where one stands: x (m), y (m), heading (rad)."""

RADIUS = 0.035


def world_of(*robots: Robot, things: Sequence[object] = (), obstacles: Sequence[Any] = (), size: float = 4.0) -> World:
    """A walled field with robots at rest."""
    field = Field(size, size, obstacles)
    for x, y, heading in robots:
        field.add_body(x, y, heading, RADIUS)
    for thing in things:
        field.things.add(thing)
    return World(field, 0.03)


def asked(world: World, activity: VirtualActivity, question: Any, robot: int = 1) -> Any:
    """What a robot's equipment answers now; of an actuator, what it has done."""
    activity.robot = robot
    wanted = activity.to_other(activity.ask(question))
    done = wanted.act(world) if hasattr(wanted, "act") else wanted.answer(world)
    return activity.answer(done)


def watched(
    world: World,
    activity: VirtualActivity,
    watch: Watch,
    twists: Sequence[tuple[float, Twist]],
    until: float,
    strategy: StrategyName = "predict",
) -> list[tuple[float, Crossed]]:
    """What a watch of robot 1 tells, and when (s).

    Args:
        twists: times (s), and how robots drive from then on
        until: end of the run (s)
    """
    activity.robot = 1
    environment = Environment("environment", world.field, 0.1, 1.0, 0.03, strategy=strategy)
    root = Coupled("root")
    root.add_component(environment)
    root.add_component(activity)
    own = exchanges_of(activity, Service, Sensor)
    asks, answers = own["world"].ask, own["world"].answer
    inner = environment.offer(1, asks.p_type, answers.p_type, "sensor_world", activity.name)
    root.add_coupling(asks, inner.ask)
    root.add_coupling(inner.answer, answers)
    begin = lead_in(root, own["watch"].ask, "watch")
    tells = lead_out(root, own["watch"].answer, "crossed")
    drive = lead_in(root, lead_through(root, environment.space.twist, "in"), "twist")
    told: list[tuple[float, Crossed]] = []
    with Simulator(root) as simulator:
        simulator.inject(begin, watch, at=0.0)
        for at, twist in twists:
            simulator.inject(drive, twist, at=at)
        while simulator.next_time <= until:
            time = simulator.next_time
            simulator.run(until=time, max_steps=1)
            told += [(time, crossed) for crossed in tells.values]
    return told
