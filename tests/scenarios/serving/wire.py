"""Plays the broker, and everybody behind it, for a served world: in driven time, without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf

from devs_robotics import Link, Post, Simulator
from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile, read_arena
from devs_robotics.models.outsiders import USUAL, Rules
from devs_robotics.scenarios.serving.world import OwnRobots, ServedWorld

EMPTY = ArenaFile(WireArena(), ())

Line = tuple[str, str]
"""A topic without its channel, and a payload."""


def arena_with(*obstacles: Mapping[str, object]) -> ArenaFile:
    bounds = {"xMin": -90, "xMax": 90, "yMin": -90, "yMax": 90}
    return read_arena(json.dumps({"arena": bounds, "obstacles": obstacles}))


class Wire:
    """One served world, and all that it has said by now.

    Attributes:
        said: when, on which topic, and what
    """

    def __init__(
        self,
        file: ArenaFile = EMPTY,
        rules: Rules = USUAL,
        *,
        up: bool = True,
        awaited: int = 0,
        own: OwnRobots | None = None,
    ) -> None:
        self.world = ServedWorld("world", file, rules, awaited=awaited, own=own)
        self.simulator = Simulator(self.world)
        self.said: list[tuple[float, Post]] = []
        self._now = 0.0
        if up:
            self.simulator.inject(self.world.incoming, Link(up=True), at=0.0)
            self.go_on(0.0)

    @property
    def time(self) -> float:
        return max(self._now, self.simulator.time)

    def go_on(self, until: float) -> list[Line]:
        """Let time pass; returns what was said meanwhile."""
        before = len(self.said)
        while self.simulator.next_time <= until:
            self.simulator.run(max_steps=1)
            self.said += [(self.simulator.time, post) for post in self.world.outgoing.values if isinstance(post, Post)]
        if until < inf:
            self._now = max(self._now, until)
        return [line(post) for _, post in self.said[before:]]

    def put(self, *lines: tuple[str, str | bytes], at: float | None = None) -> list[Line]:
        """Publish something, all at one instant; returns what is said at once."""
        when = self.time if at is None else at
        posts = [self.post(*each) for each in lines]
        self.go_on_before(when)
        self.simulator.inject(self.world.incoming, *posts, at=when)
        return self.go_on(when)

    @staticmethod
    def post(topic: str, data: str | bytes) -> Post:
        """A packet of somebody's."""
        return Post(data.encode() if isinstance(data, str) else data, f"v1/{topic}")

    def go_on_before(self, until: float) -> None:
        """Let time pass, but leave what happens at the end of it."""
        while self.simulator.next_time < until:
            self.go_on(self.simulator.next_time)


def line(post: Post) -> Line:
    assert post.channel.startswith("v1/")
    return post.channel.removeprefix("v1/"), post.data.decode()


def stands(robot: int, x: float, y: float, heading: float = 0.0, reality: str = "V") -> tuple[str, str]:
    content = {"id": robot, "x": x, "y": y, "heading": heading, "reality": reality}
    return "localization/update", json.dumps([content])


def asks(robot: int, sensor: str = "distance", **content: object) -> tuple[str, str]:
    return f"sensor/{sensor}", json.dumps({"id": robot, **content})
