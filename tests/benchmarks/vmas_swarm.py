"""Diffusion in VMAS (Bettini and others, arXiv 2207.03530), to be held against this project's robots in arrays.

    pip install vmas
    python tests/benchmarks/vmas_swarm.py ROBOTS WORLDS SECONDS

It needs nothing of this project, so that it may run in an environment of its own, for PyTorch takes gigabytes. It
prints robot-seconds per second of processor time, on one thread, of the loop alone.

Robots of the same size, speed and density drive with `DiffDrive`, look along eight rays at the same period, and turn
about one wheel, away from what they see. What is not the same: VMAS steps all worlds at each period, finds forces of
contacts between all pairs, and pushes; its numbers are float32; rays see robots, and walls only hold them back.
"""

from __future__ import annotations

import json
import sys
import time
from math import pi, sqrt, tan
from typing import Any

AREA, RADIUS, AXLE, REACH, SPEED, PERIOD = 0.16, 0.035, 0.053, 0.05, 0.05, 0.1
"""Field per robot (m2), radius, distance of the wheels, length of rays (m), speed of a wheel (m/s), period (s)."""

STRAIGHT = tan(7.5 * pi / 180.0)
"""What is seen within this angle of straight ahead makes no robot turn: tangent of it."""

WARM_UP = 1.0
"""Simulated time before the clock starts (s)."""


def environment(robots: int, worlds: int) -> Any:
    """Worlds of so many robots each."""
    import vmas
    from vmas.simulator.core import Agent, Sphere, World
    from vmas.simulator.dynamics.diff_drive import DiffDrive
    from vmas.simulator.scenario import BaseScenario
    from vmas.simulator.sensors import Lidar
    from vmas.simulator.utils import ScenarioUtils

    half = sqrt(AREA * robots) / 2.0

    class Diffusion(BaseScenario):  # type: ignore[misc]  # VMAS has no types
        """Robots that measure, and are measured by nothing."""

        def make_world(self, batch_dim: int, device: Any, **options: Any) -> Any:
            world = World(batch_dim, device, dt=PERIOD, substeps=1, x_semidim=half, y_semidim=half, drag=0.0)
            for number in range(robots):
                robot = Agent(
                    f"robot{number}",
                    shape=Sphere(RADIUS),
                    sensors=[Lidar(world, n_rays=8, max_range=RADIUS + REACH, render=False)],
                    dynamics=DiffDrive(world, integration="rk4"),
                    u_range=[SPEED, SPEED / AXLE],
                )
                world.add_agent(robot)
            return world

        def reset_world_at(self, env_index: int | None = None) -> None:
            room = half - RADIUS
            bounds = (-room, room), (-room, room)
            ScenarioUtils.spawn_entities_randomly(
                self.world.agents, self.world, env_index, 2.0 * RADIUS + 0.01, *bounds, disable_warn=True
            )

        def observation(self, agent: Any) -> Any:
            return agent.sensors[0].measure()

        def reward(self, agent: Any) -> Any:
            return agent.state.pos.new_zeros(agent.state.pos.shape[0])

    return vmas.make_env(scenario=Diffusion(), num_envs=worlds, device="cpu", continuous_actions=True, seed=1)


def decisions(seen: list[Any]) -> list[Any]:
    """Speed and turn rate of each robot in each world: straight on, or a turn about a wheel, away from what it sees."""
    import torch

    angles = torch.arange(8) * (pi / 4.0)
    found = []
    for distances in seen:
        nearness = RADIUS + REACH - distances
        x, y = (nearness * torch.cos(angles)).sum(-1), (nearness * torch.sin(angles)).sum(-1)
        free = ((x == 0.0) & (y == 0.0)) | ((x > 0.0) & (y.abs() <= STRAIGHT * x) & (nearness.amax(-1) < REACH / 2.0))
        turn = torch.where(free, torch.zeros_like(y), torch.where(y > 0.0, -SPEED / AXLE, SPEED / AXLE))
        speed = torch.where(free, torch.full_like(y, SPEED), torch.full_like(y, SPEED / 2.0))
        found.append(torch.stack((speed, turn), dim=-1))
    return found


def speed(robots: int, worlds: int, seconds: float) -> float:
    """Robot-seconds per second of processor time."""
    import torch

    torch.set_num_threads(1)
    made = environment(robots, worlds)
    seen = made.reset()
    start = 0.0
    warm_up, steps = round(WARM_UP / PERIOD), round(seconds / PERIOD)
    with torch.no_grad():
        for step in range(warm_up + steps):
            if step == warm_up:
                start = time.process_time()
            seen = made.step(decisions(seen))[0]
    return robots * worlds * seconds / (time.process_time() - start)


def main() -> None:
    """Measure, and print it as JSON."""
    robots, worlds, seconds = sys.argv[1:]
    print(json.dumps({"speed": speed(int(robots), int(worlds), float(seconds))}))


if __name__ == "__main__":
    main()
