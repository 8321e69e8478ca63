"""Fixes as they go out: in the tracking protocol that models hear, and in that of Pera-Swarm."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from devs_robotics.core.realtime.transport import Transport
from devs_robotics.core.robots.messages import Fix
from devs_robotics.core.robots.track_gate import TrackGate
from devs_robotics.hil import robot_protocol
from devs_robotics.hil.pera_swarm import topics, writing
from devs_robotics.hil.pera_swarm.arena import WireArena

SPEED = 0.255
"""How fast published robots are at most (m/s)."""


class FixPublisher:
    """Publishes each fix with its age, as `hil.tracking.Tracker` hears it, which judges it.

    Args:
        transport: an open link
        topic: on which
    """

    def __init__(self, transport: Transport, topic: str) -> None:
        self._transport = transport
        self._topic = topic

    def __call__(self, fixes: list[Fix], now: float) -> None:
        """Publish those of a picture."""
        for fix in fixes:
            age = None if fix.exposed is None else max(0.0, now - fix.exposed)
            said = robot_protocol.Fix(fix.robot, fix.x, fix.y, fix.heading, age)
            self._transport.send(self._topic, msgspec.json.encode(said))


class PeraSwarmPublisher:
    """Publishes what a picture shows as poses of physical robots; jumps beyond what these can drive are left out once.

    Args:
        transport: an open link
        arena: with its channel, whose poses are meant
        robots: numbers of the robots
        speed: how fast these are at most (m/s)
    """

    def __init__(self, transport: Transport, arena: WireArena, robots: Iterable[int], speed: float = SPEED) -> None:
        self._transport = transport
        self._arena = arena
        self._gate = TrackGate(dict.fromkeys(robots, speed))

    def __call__(self, fixes: list[Fix], now: float) -> None:
        """Publish those of a picture."""
        believed = [fix for fix in fixes if not self._gate.judge(fix, now)]
        if believed:
            publication = writing.camera_poses(self._arena, believed)
            self._transport.send(topics.on_channel(self._arena.channel, publication.topic), publication.data)
