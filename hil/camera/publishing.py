"""Fixes as they go out: in the tracking protocol that models hear, and in that of Pera-Swarm."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from devs_robotics.core.realtime.transport import Packet, Transport
from devs_robotics.core.robots.messages import Fix
from devs_robotics.core.robots.outside import Stands
from devs_robotics.core.robots.track_gate import TrackGate
from devs_robotics.hil import robot_protocol
from devs_robotics.hil.camera.camera_plan import Place
from devs_robotics.hil.pera_swarm import topics, writing
from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.reading import read

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


class VirtualRobots:
    """Where virtual robots stand in a served world: each look asks for the next answer.

    Args:
        transport: a link
        arena: with its channel, whose poses are meant
    """

    def __init__(self, transport: Transport, arena: WireArena) -> None:
        self._transport = transport
        self._arena = arena
        self._places: dict[int, Place] = {}

    @property
    def topic(self) -> str:
        """On which answers come."""
        return topics.on_channel(self._arena.channel, topics.ALL_POSES)

    def hear(self, packet: Packet) -> None:
        """Take an answer; it may come in any thread."""
        said = read(self._arena, topics.POSES, packet.data).messages  # answers have the form of reports
        self._places = {
            each.robot: (each.x, each.y, each.heading)
            for each in said
            if isinstance(each, Stands) and each.reality == "virtual"
        }

    def __call__(self) -> dict[int, Place]:
        """Where they stood when this was asked last."""
        self._transport.send(topics.on_channel(self._arena.channel, topics.ALL_POSES_WANTED), b"?")
        return self._places


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
