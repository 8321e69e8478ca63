"""Serves a world at a broker, in real time, until it is told to end."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from devs_robotics import Bridge, DevsRoboticsError, Post, Run, Simulator, Transport, WallClock
from devs_robotics.core.realtime.clock import Clock
from devs_robotics.hil.pera_swarm import topics
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile
from devs_robotics.hil.pera_swarm.gateway import Server
from devs_robotics.hil.transports.mqtt import Mqtt, Will
from devs_robotics.models.outsiders import USUAL, Rules
from devs_robotics.scenarios.serving.session import Head, SessionRecorder
from devs_robotics.scenarios.serving.world import ServedWorld, own_robots
from devs_robotics.scenarios.settings.schema import Scenario

if TYPE_CHECKING:
    from devs_robotics.scenarios.viewing.live import ViewedRun

LINK_PATIENCE = 5.0
"""Longest time to wait for the broker before the world begins (s)."""

TITLE = "a served world"
"""Of its view."""

NEWS_PERIOD = 1.0
"""Shortest time between two looks at what there is to tell (simulated s)."""


class ServeError(DevsRoboticsError):
    """The world cannot be served any more."""


class News:
    """Tells people what has changed since the last look: who came and went, and each kind of mistake once."""

    def __init__(self, world: ServedWorld, tell: Callable[[str], None]) -> None:
        self._world = world
        self._tell = tell
        self._robots: set[int] = set()
        self._told: set[str] = set()
        self._link = ""
        self._next = 0.0

    def look(self, now: float) -> None:
        """Look, if it is time to (s)."""
        if now < self._next:
            return
        self._next = now + NEWS_PERIOD
        self._look_at_link()
        robots = set(self._world.presence.robots)
        for robot in sorted(robots - self._robots):
            self._tell(f"robot {robot} is there")
        for robot in sorted(self._robots - robots):
            self._tell(f"robot {robot} is gone")
        self._robots = robots
        notes = [f"dropped: {why}" for why in self._world.dropped]
        notes += [
            f"two senders seem to be robot {robot}: {what}" for robot, what in self._world.presence.doubles.items()
        ]
        for note in notes:
            if note not in self._told:
                self._told.add(note)
                self._tell(note)

    def _look_at_link(self) -> None:
        link = self._world.gateway.link
        now = "the broker is there" if link.up else link.reason
        if now and now != self._link:
            self._link = now
            self._tell(now)


def broker_of(address: str, channel: str) -> Mqtt:
    """A link to a broker that takes the arena away when this process dies."""
    topic = topics.on_channel(channel, topics.ARENA)
    return Mqtt(address, will=Will(topic, b"", retained=True))


def serve(
    file: ArenaFile,
    transport: Transport,
    rules: Rules = USUAL,
    *,
    awaited: int = 0,
    scenario: Scenario | None = None,
    clock: Clock | None = None,
    duration: float = inf,
    record: str | Path | None = None,
    view: ViewedRun | None = None,
    interrupted: Callable[[], bool] = lambda: False,
    tell: Callable[[str], None] = lambda note: None,
) -> ServedWorld:
    """Serve a world until it is interrupted or its time is over; then all robots are told to stop.

    Args:
        file: the arena, with its channel and its obstacles
        transport: to the broker, not yet open
        rules: how robots sense, and when they are missed
        awaited: how many robots are to be there before they are told to start; 0: nobody tells them
        scenario: whose robots live in the world, too
        clock: the wall's, if it is not given
        duration: how long (s)
        record: file that the session is written to
        view: what viewers get, if it is to be seen
        interrupted: asked now and then whether to end
        tell: gets sentences for people

    Returns:
        the world as it was at the end

    Raises:
        ServeError: another server was there before
        TraceError: the session cannot be written
    """
    server = Server(str(uuid4()), round(1000.0 * time.time()))
    own = None if scenario is None else own_robots(scenario)
    world = ServedWorld("world", file, rules, server, awaited, own)
    if view is not None:
        tell = view.telling(tell)
    news = News(world, tell)
    bridge = Bridge()
    gateway = world.gateway

    def farewell() -> list[Post]:
        return [] if gateway.refusal else gateway.farewell()

    bridge.connect_channels(transport, world.outgoing, world.incoming, gateway.listened, farewell=farewell)
    with Simulator(world) as simulator:
        if record is not None:
            text = "" if scenario is None else scenario.model_dump_json(round_trip=True)
            head = Head(file, rules, server, awaited, text)
            simulator.attach(SessionRecorder(record, simulator, world, head), "world/gateway")
        run = Run(simulator, clock or WallClock(), bridge, patience=LINK_PATIENCE, tell=tell)
        looks: list[Callable[[], None]] = [lambda: news.look(run.clock.now())]
        if view is not None:
            from devs_robotics.scenarios.serving.watched_world import (
                show,  # slow to load, and not every world is watched
            )

            title = (own.setup.scenario.title if own is not None else "") or TITLE
            title += ", sensed by the published server's own rules" if rules.sensing == "original" else ""
            looks.append(show(view, world, run, own, title, interrupted=interrupted, tell=tell))

        def report() -> None:
            for look in looks:
                look()

        run.until(world.fault, time=duration, interrupted=interrupted, report=report)
        news.look(inf)
        if view is not None:
            view.ended("ended", gateway.refusal or "the world is not served any more")
    if bridge.dropped:
        tell(f"{bridge.dropped} packets came faster than they could be read, and were dropped")
    if gateway.refusal:
        raise ServeError(gateway.refusal)
    return world
