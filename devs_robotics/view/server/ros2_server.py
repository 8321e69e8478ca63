"""A live run for tools of ROS 2: rviz, Foxglove's bridge, ros2 topic and bag, over DDS or zenoh.

Stamps are of the wall clock where the run goes as fast as that, and simulated where it does not: then ``/clock`` tells
the time, which tools follow with ``use_sim_time``. Nothing is ever commanded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from threading import Event
from typing import Any

from devs_robotics.hil.addresses import Ros2Address, masked, parse
from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.protocols.ros2.names import ODOMETRY
from devs_robotics.hil.protocols.ros2.type_store import Ros2Error
from devs_robotics.hil.transports.ros2_bus import Publisher, Quality, Ros2Bus
from devs_robotics.hil.transports.ros2_bus_link import bus_at
from devs_robotics.view.ros2.live_pictures import LiveRosPictures
from devs_robotics.view.ros2.ros_messages import CLOCK, write_clock
from devs_robotics.view.ros2.ros_pictures import RATE, RosTopic
from devs_robotics.view.scene import Scene
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.picture_follower import PictureFollower
from devs_robotics.view.server.serving import ServingError
from devs_robotics.view.states import ViewState

CLOCK_TOPIC = RosTopic("/clock", CLOCK)

LOOK = 1.0
"""Time within which others are heard of, before anything is published (s)."""

AGAIN = 0.5
"""Time after which poses are told again although nothing is new (s), so that tools do not take them for old."""

TICK = 0.01
"""Time between two messages of the clock (simulated s; not less than `FASTEST` real s)."""

FASTEST = 0.002

AHEAD = 0.1
"""Longest time by which the clock goes on when nothing is heard of the run (real s)."""

DEPTHS = {"/tf": 100, CLOCK_TOPIC.name: 1}
"""Number of messages that are kept for those who are slow; else 10, or 1 where a topic is latched."""


class Ros2Server(PictureFollower):
    """Publishes a run that goes on.

    Args:
        address: of a domain or a router, with a namespace for all that is published, or none
        clock: whether the run goes at another rate than the wall clock

    Raises:
        ServingError: it cannot be published there
    """

    option = "--ros2"

    def __init__(self, address: str, *, clock: bool = False) -> None:
        super().__init__(Want(rate=RATE, events=True))
        parsed = parse(address)
        assert isinstance(parsed, Ros2Address)
        self._prefix = parsed.name
        self._clock = clock
        self._publishers: dict[RosTopic, Publisher] = {}
        self._live: LiveRosPictures | None = None
        self._hub: LiveHub | None = None
        self._heard_at = 0.0
        """When the last state came (monotonic, s)."""
        self._told_at = 0.0
        """When poses were told last (monotonic, s)."""
        self._clock_time = -inf
        """What the clock has told last (s)."""
        try:
            self._bus: Ros2Bus = bus_at(parsed)
        except Ros2Error as error:
            raise ServingError(f"--ros2 {masked(address)}: {error}") from error
        if why := self._why_not():
            self._bus.close()
            raise ServingError(f"--ros2 {masked(address)}: {why}")

    def _why_not(self) -> str:
        """Why the run must not be published here, as soon as that is known; empty if nobody forbids it."""
        changed, end = Event(), time.monotonic() + LOOK
        unwatch = self._bus.watch(changed.set)
        try:
            while not (why := why_not(self._bus.endpoints(), self._prefix, clock=self._clock)):
                left = end - time.monotonic()
                if left <= 0.0:
                    break
                changed.wait(left)
                changed.clear()
            return why
        finally:
            unwatch()

    def close(self) -> None:
        """Publish no more."""
        for publisher in self._publishers.values():
            publisher.close()
        self._bus.close()

    def is_wanted(self) -> bool:
        """Until the run is over: who listens is not asked."""
        return self._hub is None or not self._hub.is_over

    def has_joined(self) -> bool:
        """Never: what is not told again and again is latched."""
        return False

    def begun(self, scene: Scene) -> LiveRosPictures:
        """A run begins."""
        self._live = LiveRosPictures(self, scene, self._prefix)
        return self._live

    def showing(self, state: ViewState) -> None:
        """A state has come."""
        self._heard_at = time.monotonic()

    def shown(self, state: ViewState) -> None:
        """Tell how everything is."""
        self._tick()
        self._tell(state, state.time if self._clock else state.looked)

    def happened(self, kind: str, at: float, *what: Any) -> None:
        """Tell what range sensors have read."""
        if kind == "see" and self._live is not None:
            robot, rays = what
            values = [inf if length is None else length for _, length in rays]
            self._live.ros.ranges(self._stamp(at), robot, values)

    def put(self, topic: RosTopic, at: float, data: bytes, /) -> None:
        """Publish a message."""
        if topic not in self._publishers:
            depth = DEPTHS.get(topic.name, 1 if topic.latched else 10)
            quality = Quality(reliable=True, latched=topic.latched, depth=depth)
            self._publishers[topic] = self._bus.publish(topic.name, topic.kind, quality)
        self._publishers[topic].send(data)

    async def serve(self, hub: LiveHub) -> None:
        """Publish a run until it is over."""
        self._hub = hub
        beating = asyncio.ensure_future(self._beat())
        try:
            await super().serve(hub)
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating

    async def _beat(self) -> None:
        """Let the clock go on between states, and tell poses again where nothing is new."""
        while True:
            pace = self._pace
            await asyncio.sleep(max(FASTEST, TICK / pace) if self._clock and pace else AGAIN / 2.0)
            if not self.is_wanted():
                return
            self._tick()
            if not self._clock and self._state is not None and time.monotonic() - self._told_at > AGAIN:
                if self._live is not None:
                    self._live.stand()
                self._tell(self._state, time.time())

    @property
    def _pace(self) -> float:
        """Simulated seconds per real second; 0: the run stands, is over, or is as fast as it can be."""
        if self._hub is None or self._hub.is_over or self._hub.run.state != "running":
            return 0.0
        return self._hub.run.pace

    def _tell(self, state: ViewState, stamp: float) -> None:
        self._told_at = time.monotonic()
        if self._live is not None:
            self._live.tell(state.time, stamp)

    def _tick(self) -> None:
        """Tell what time it is, but never an earlier one than before."""
        if not self._clock or self._state is None:
            return
        now = self._state.time + self._pace * min(time.monotonic() - self._heard_at, AHEAD)
        if now > self._clock_time:
            self._clock_time = now
            self.put(CLOCK_TOPIC, now, write_clock(now))

    def _stamp(self, at: float) -> float:
        """A simulated time in the time of ROS (s)."""
        if self._clock or self._state is None:
            return at
        return self._state.looked + at - self._state.time


def why_not(endpoints: Sequence[Ros2Endpoint], prefix: str, *, clock: bool) -> str:
    """Why a run must not be published where these are, with the remedy; empty if it may be.

    Args:
        endpoints: of others
        prefix: namespace of what is to be published; may be empty
        clock: whether it has a clock of its own
    """
    writers = [each for each in endpoints if each.writes]
    begin = f"/{prefix}/" if prefix else "/"
    for each in writers:
        if clock and (each.topic == CLOCK_TOPIC.name or each.type == ODOMETRY):
            return (
                f"{each.called} publishes {each.topic} there, and a run at another rate than 1 has a clock of its own, "
                "which would make its time jump: give another domain, as ?domain=7, or leave out --rate and --pace"
            )
        if each.type == ODOMETRY and _is_ours(each.topic.removeprefix(begin)) and each.topic.startswith(begin):
            return (
                f"{each.called} publishes {each.topic} there, as this run would: give all robots of this one a "
                "namespace, as ros2://sim, or another domain"
            )
    return ""


def _is_ours(topic: str) -> bool:
    name, _, rest = topic.partition("/")
    return rest == "odom" and name.startswith("robot") and name[5:].isdigit()
