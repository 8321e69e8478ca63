"""The first of three clocks: how long the world takes from a question's packet to the answer's, without a link."""

from __future__ import annotations

import time

import msgspec

from devs_robotics import Link, Post, Simulator
from devs_robotics.experimental_frames.pera.results import SensingDelay
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile
from devs_robotics.scenarios.pera.brokers import ExperimentError
from devs_robotics.scenarios.serving.world import ServedWorld


def world_delays(file: ArenaFile, robots: int, questions: int) -> list[SensingDelay]:
    """Ask a world in this process.

    Args:
        file: the arena
        robots: of each reality
        questions: of each robot
    """
    world = ServedWorld("world", file)
    found = []
    realities = ["R"] * robots + ["V"] * robots
    with Simulator(world) as simulator:
        simulator.inject(world.incoming, Link(up=True), at=0.0)
        simulator.run(until=0.0)
        for robot, reality in enumerate(realities, 1):
            pose = {"id": robot, "x": 15.0 * robot - 80.0, "y": 0.0, "heading": 90.0, "reality": reality}
            _say(simulator, world, file, "localization/update", [pose])
        for _ in range(questions):
            for robot, reality in enumerate(realities, 1):
                began = time.perf_counter()
                answers = _say(simulator, world, file, "sensor/distance", {"id": robot, "reality": "M"})
                took = time.perf_counter() - began
                if answers != 1:
                    raise ExperimentError(f"the world answered a question {answers} times: this is a fault in it")
                found.append(SensingDelay("world", reality, 0, took))
    return found


def _say(simulator: Simulator, world: ServedWorld, file: ArenaFile, topic: str, content: object) -> int:
    """Hand the world a packet; returns how many it sends in answer at once."""
    post = Post(msgspec.json.encode(content), f"{file.arena.channel}/{topic}")
    simulator.inject(world.incoming, post, at=simulator.time)
    sent = 0
    while simulator.next_time <= simulator.time:
        simulator.run(max_steps=1)
        sent += len(list(world.outgoing.values))
    return sent
