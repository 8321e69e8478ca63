"""zenoh: topics of ROS 2 as rmw_zenoh has them, through a router; a session for each robot, so that none loses."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from itertools import count
from threading import Lock, Thread, current_thread
from typing import Any

import zenoh
from zenoh.ext import CacheConfig, HistoryConfig, declare_advanced_publisher, declare_advanced_subscriber
from zenoh.handlers import FifoChannel

from devs_robotics.hil.protocols.ros2.attachments import GID, Attachment, write_attachment
from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.protocols.ros2.names import bridge_key, zenoh_key
from devs_robotics.hil.protocols.ros2.tokens import PREFIX, LivelinessToken, TokenKind, read_token, write_token
from devs_robotics.hil.protocols.ros2.type_store import DISTRO, MessageError, Ros2Error, type_hash
from devs_robotics.hil.transports.ros2_bus import (
    MOST_ENDPOINTS,
    READ,
    Mismatch,
    Publisher,
    Quality,
    Ros2Bus,
    Subscription,
    node_name,
)

WAITING = 256
"""Number of samples that wait for a thread at which zenoh waits for it."""

ENDED_WITHIN = 2.0
"""Longest time for which a thread is waited for at its end (s)."""


class ZenohBus(Ros2Bus):
    """A session with a router, or one that is a router itself.

    Args:
        host, port: of the router
        domain: number of the domain of ROS
        distro: release whose types are taken
        bridge: whether a robot is behind zenoh-bridge-ros2dds: its keys have no type and no domain, and nobody tells
            who is there
        router: whether this session is the router, and listens there

    Raises:
        Ros2Error: nobody can be reached there, or listen there
    """

    def __init__(
        self, host: str, port: int, domain: int, distro: str = DISTRO, *, bridge: bool = False, router: bool = False
    ) -> None:
        self.domain, self.distro, self.bridge = domain, distro, bridge
        super().__init__()
        self._entities = count(1)
        self._known: dict[str, Ros2Endpoint] = {}
        self._open: set[Publisher | Subscription] = set()
        """What nobody keeps, zenoh would undeclare."""
        self._session = _session(host, port, router=router)
        self._zid = str(self._session.zid())
        self._node = node_name()
        self._listening: set[_Listening] = set()
        self._kept: list[Any] = [] if bridge else [self._token("NN", next(self._entities), "", "", Quality(), "")[1]]
        if not bridge:
            tokens = self._session.liveliness().declare_subscriber(
                f"{PREFIX}/{domain}/**", FifoChannel(WAITING), history=True
            )
            self.listen(tokens, self._token_changed)

    def publish(self, topic: str, kind: str, quality: Quality, mismatch: Mismatch | None = None) -> Publisher:
        """A publisher, whose key has the hash that those who listen announce."""
        hashed = next((each.type_hash for each in self.endpoints() if each.topic == topic and each.type == kind), "")
        made = _ZenohPublisher(self, topic, kind, quality, hashed or type_hash(kind, self.distro))
        self._open.add(made)
        return made

    def subscribe(
        self,
        topic: str,
        kind: str,
        heard: Callable[[bytes], None],
        quality: Quality = READ,
        mismatch: Mismatch | None = None,
    ) -> Subscription:
        """A subscription, whatever hash the type has there."""
        made = _ZenohSubscription(self, topic, kind, heard, quality)
        self._open.add(made)
        return made

    def closed(self, end: Publisher | Subscription) -> None:
        """A publisher or a subscription is open no more."""
        self._open.discard(end)

    def endpoints(self) -> Sequence[Ros2Endpoint]:
        """As tokens tell."""
        with self._lock:
            return tuple(self._known.values())

    def listen(self, subscriber: Any, heard: Callable[[zenoh.Sample], None]) -> _Listening:
        """Have a function called with what a subscriber gets, until that is undeclared or the session ends."""
        made = _Listening(subscriber, heard, self.fail)
        self._listening.add(made)
        return made

    def end_listening(self, listening: _Listening) -> None:
        """Undeclare its subscriber."""
        self._listening.discard(listening)
        listening.end()

    def close(self) -> None:
        """End the session."""
        self._kept.clear()
        self._open.clear()
        self._session.close()  # type: ignore[no-untyped-call]
        while self._listening:
            self._listening.pop().end()

    @property
    def session(self) -> zenoh.Session:
        """Of zenoh."""
        return self._session

    def key(self, topic: str, kind: str, hashed: str) -> str:
        """Of a topic."""
        return bridge_key(topic) if self.bridge else zenoh_key(self.domain, topic, kind, hashed)

    def announce(self, kind: TokenKind, topic: str, name: str, quality: Quality, hashed: str) -> tuple[str, Any]:
        """Tell others of an endpoint: its key in the graph, and what has to be undeclared at its end."""
        return self._token(kind, next(self._entities), topic, name, quality, hashed)

    def _token(
        self, kind: TokenKind, entity: int, topic: str, name: str, quality: Quality, hashed: str
    ) -> tuple[str, Any]:
        token = LivelinessToken(
            domain=self.domain,
            session=self._zid,
            node_id=0,
            entity=entity,
            kind=kind,
            node=self._node,
            topic=topic,
            type=name,
            type_hash=hashed,
            reliable=quality.reliable,
            latched=quality.latched,
            depth=quality.depth,
        )
        key = write_token(token)
        return key, None if self.bridge else self._session.liveliness().declare_token(key)

    def _token_changed(self, sample: zenoh.Sample) -> None:
        """In a thread of its own: somebody has come or gone."""
        key = str(sample.key_expr)
        try:
            token = read_token(key)
        except MessageError:  # of a service, for instance
            return
        if token.kind == "NN" or not token.type:
            return
        with self._lock:
            if sample.kind == zenoh.SampleKind.DELETE:
                self._known.pop(key, None)
            elif len(self._known) < MOST_ENDPOINTS:
                self._known[key] = _endpoint(key, token)
            watching = list(self._watching)
        for call in watching:
            call()


class _ZenohPublisher(Publisher):
    def __init__(self, bus: ZenohBus, topic: str, kind: str, quality: Quality, hashed: str) -> None:
        key = bus.key(topic, kind, hashed)
        how: dict[str, Any] = {
            "congestion_control": zenoh.CongestionControl.DROP,
            "express": True,
            "reliability": zenoh.Reliability.RELIABLE if quality.reliable else zenoh.Reliability.BEST_EFFORT,
        }
        self._publisher: Any = (
            declare_advanced_publisher(bus.session, key, cache=CacheConfig(quality.depth), **how)
            if quality.latched
            else bus.session.declare_publisher(key, **how)
        )
        self._bus, self._attaches = bus, not bus.bridge
        self.key, self._token = bus.announce("MP", topic, kind, quality, hashed)
        self._gid = hashlib.blake2b(self.key.encode(), digest_size=GID).digest()
        self._sequence = count(1)
        self._lock = Lock()

    def send(self, data: bytes) -> bool:
        with self._lock:
            if self._publisher is None:
                return False
            said = Attachment(next(self._sequence), time.time_ns(), self._gid)
            try:
                self._publisher.put(data, attachment=write_attachment(said) if self._attaches else None)
            except zenoh.ZError:
                return False
            return True

    def close(self) -> None:
        with self._lock:
            publisher, self._publisher = self._publisher, None
        if publisher is not None:
            _undeclare(self._token)
            _undeclare(publisher)
            self._bus.closed(self)


class _Listening:
    """A thread that calls a function with what a subscriber gets, until that is undeclared or its session ends.

    zenoh would call functions in threads of its own, for which nobody can wait: a program that ends while one of them
    comes back to Python is aborted.

    Args:
        subscriber: of zenoh, with a channel
        heard: gets each sample, in the thread
        failed: gets what that raises; the thread goes on
    """

    def __init__(
        self, subscriber: Any, heard: Callable[[zenoh.Sample], None], failed: Callable[[Exception], None]
    ) -> None:
        self._subscriber = subscriber
        self._heard = heard
        self._failed = failed
        self._thread = Thread(target=self._run, args=(subscriber.handler,), name="zenoh", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Undeclare the subscriber, and wait until the function is not called any more."""
        _undeclare(self._subscriber)
        if self._thread is not current_thread():
            self._thread.join(ENDED_WITHIN)

    def _run(self, handler: Any) -> None:
        while True:
            try:
                sample = handler.recv()
            except zenoh.ZError:  # it is undeclared
                return
            try:
                self._heard(sample)
            except Exception as error:  # whatever it is, the thread by which others are heard goes on
                self._failed(error)


class _ZenohSubscription(Subscription):
    def __init__(self, bus: ZenohBus, topic: str, kind: str, heard: Callable[[bytes], None], quality: Quality) -> None:
        self._bus = bus
        key = bus.key(topic, kind, "*")

        def arrived(sample: zenoh.Sample) -> None:
            heard(sample.payload.to_bytes())

        subscriber: Any = (
            declare_advanced_subscriber(
                bus.session, key, FifoChannel(WAITING), history=HistoryConfig(detect_late_publishers=True)
            )
            if quality.latched
            else bus.session.declare_subscriber(key, FifoChannel(WAITING))
        )
        self._listening: _Listening | None = bus.listen(subscriber, arrived)
        self.key, self._token = bus.announce("MS", topic, kind, quality, type_hash(kind, bus.distro))

    def close(self) -> None:
        listening, self._listening = self._listening, None
        if listening is not None:
            _undeclare(self._token)
            self._bus.end_listening(listening)
            self._bus.closed(self)


def _endpoint(key: str, token: LivelinessToken) -> Ros2Endpoint:
    return Ros2Endpoint(
        key=key,
        topic=token.topic,
        type=token.type,
        writes=token.kind == "MP",
        participant=f"{token.session}/{token.node_id}",
        node=f"{token.namespace.rstrip('/')}/{token.node}",
        type_hash=token.type_hash,
        latched=token.latched,
    )


def _undeclare(declared: Any) -> None:
    try:
        if declared is not None:
            declared.undeclare()
    except zenoh.ZError:  # the session has ended before
        pass


def _session(host: str, port: int, *, router: bool) -> zenoh.Session:
    place = f"tcp/{f'[{host}]' if ':' in host else host}:{port}"
    config = zenoh.Config()
    config.insert_json5("mode", json.dumps("router" if router else "client"))
    config.insert_json5("listen/endpoints", json.dumps([place] if router else []))
    config.insert_json5("connect/endpoints", json.dumps([] if router else [place]))
    config.insert_json5("scouting/multicast/enabled", "false")
    config.insert_json5("scouting/gossip/enabled", "false")
    config.insert_json5("timestamping/enabled", "true")  # without which nothing can be kept for those who come late
    if not router:
        config.insert_json5("connect/timeout_ms", "2000")
    try:
        return zenoh.open(config)
    except zenoh.ZError as error:
        if router:
            raise Ros2Error(f"a zenoh router cannot listen at {host}:{port}: choose another port") from error
        raise Ros2Error(
            f"the zenoh router at {host}:{port} cannot be reached: start it (ros2 run rmw_zenoh_cpp rmw_zenohd), or "
            "correct the address"
        ) from error
