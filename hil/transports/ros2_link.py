"""The link to one robot of ROS 2: its topics, by DDS or zenoh, and whether it is there and alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Event, Lock, Thread

from devs_robotics.core.realtime.transport import Arrived, Counts, Transport
from devs_robotics.hil.addresses import Ros2Address
from devs_robotics.hil.protocols.ros2.graph import (
    NAMELESS,
    Matched,
    RobotTopics,
    Ros2Endpoint,
    Stamped,
    velocity_type,
    why_blind,
    why_missing,
    why_refused,
    write_matched,
)
from devs_robotics.hil.protocols.ros2.names import (
    BATTERY_STATE,
    LASER_SCAN,
    ODOMETRY,
    RANGE,
    TWIST,
    TWIST_STAMPED,
    topic_name,
)
from devs_robotics.hil.protocols.ros2.packets import BATTERY, CMD_VEL, GRAPH, ODOM, SCAN, pack, unpack
from devs_robotics.hil.protocols.ros2.packets import RANGE as RANGE_PACKET
from devs_robotics.hil.protocols.ros2.type_store import DISTRO, MISSING, Ros2Error, type_store
from devs_robotics.hil.transports.backoff import Backoff
from devs_robotics.hil.transports.receiver import Receiver, reason_of
from devs_robotics.hil.transports.ros2_bus import COMMAND, Publisher, Ros2Bus, Subscription

NAMED_WITHIN = 4.0
"""Time in which nodes that were there before tell their names (s): Fast DDS does so after 3 s."""

LOOK = 1.0
"""Longest time between two looks at who is there (s)."""


def load(address: Ros2Address) -> None:
    """Load what an address needs, which takes a while.

    Raises:
        Ros2Error: it is not installed
    """
    try:
        type_store(address.option("distro", DISTRO))
        if address.host:
            import devs_robotics.hil.transports.zenoh
        else:
            import devs_robotics.hil.transports.dds  # noqa: F401
    except ImportError as error:
        raise Ros2Error(MISSING.format(error.name)) from error


def bus_at(address: Ros2Address) -> Ros2Bus:
    """The bus of an address: the one of its domain in this process, or a session of its own with its router.

    Raises:
        Ros2Error: what it needs is not installed, or it cannot be reached
    """
    load(address)
    distro = address.option("distro", DISTRO)
    if address.host:
        from devs_robotics.hil.transports.zenoh import ZenohBus

        bridge = address.option("bridge") == "ros2dds"
        return ZenohBus(address.host, address.port, address.domain, distro, bridge=bridge)
    from devs_robotics.hil.transports.dds import dds_bus

    return dds_bus(address.domain, address.option("interface"), address.peers, distro)


def topics_of(address: Ros2Address) -> RobotTopics:
    """What the topics of a robot are called; one that has single range sensors is not asked for a lidar."""
    name = partial(topic_name, address.name)
    ranges = tuple([name(each) for each in address.option("range").split(",") if each])
    return RobotTopics(
        cmd=name(address.option("cmd", "cmd_vel")),
        odom=name(address.option("odom", "odom")),
        scan="" if ranges and not address.option("scan") else name(address.option("scan", "scan")),
        ranges=() if address.option("scan") else ranges,
        battery=name(address.option("battery", "battery_state")),
    )


class Ros2Link(Transport):
    """The link to a robot. It is up while somebody subscribes to its `cmd_vel` and publishes its `odom`.

    A packet is a topic, NUL and bytes (`protocols.ros2.packets`). What has been found out of the robot comes as a
    packet too, after the link has come up and whenever that has changed.

    Args:
        address: of the robot

    Attributes:
        found: topics of the robot that are there: full name, type, and whose they are

    Raises:
        Ros2Error: what it needs is not installed
    """

    def __init__(self, address: Ros2Address) -> None:
        load(address)
        self.address = str(address)
        self.counts = Counts()
        self._at = address
        self._topics = topics_of(address)
        self._stamped: Stamped = address.option("stamped", "auto")  # type: ignore[assignment]
        self._closing, self._changed = Event(), Event()
        self._lock = Lock()
        self._writer: Publisher | None = None
        self._written = ""
        self._subscriptions: list[Subscription] = []
        self._mismatch = ""
        self._matched: Matched | None = None
        self._heard_odom = False
        self._nameless_since: float | None = None
        self._thread: Thread | None = None
        self.found: tuple[tuple[str, str, str], ...] = ()

    @property
    def commands(self) -> str:
        """The topic of its velocity commands."""
        return self._topics.cmd

    def listen(self, channel: str) -> None:
        """Nothing to do: there is one channel."""

    def open(self, arrived: Arrived) -> None:
        """Begin to look for the robot."""
        self._closing.clear()
        receiver = Receiver(arrived, self._closing)
        self._thread = Thread(target=self._run, args=(receiver,), name=self.address, daemon=True)
        self._thread.start()

    def send(self, channel: str, data: bytes) -> None:
        """Publish a velocity command."""
        topic, message = unpack(data)
        with self._lock:
            writer = self._writer if self._matched is not None else None
        if writer is not None and topic == CMD_VEL and writer.send(message):
            self.counts.sent += 1
        else:
            self.counts.dropped += 1

    def flush(self, timeout: float) -> None:
        """Wait until the robot has got what was sent."""
        with self._lock:
            writer = self._writer
        if writer is not None:
            writer.flush(timeout)

    def close(self, timeout: float = 1.0) -> None:
        """Have the robot get what was sent, and leave."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self.flush(timeout)
            self._closing.set()
            self._changed.set()
            thread.join(timeout + LOOK)

    # in the thread of the link

    def _run(self, receiver: Receiver) -> None:
        backoff = Backoff()
        while not self._closing.is_set():
            try:
                bus = bus_at(self._at)
            except Exception as error:  # a library may raise more than it says
                receiver.down(str(error) if isinstance(error, Ros2Error) else reason_of(error))
                self._closing.wait(backoff.lost())
                continue
            try:
                self._serve(bus, receiver)
            except Exception as error:  # of the middleware, or of the receiver
                receiver.down(f"{self.address} was lost ({reason_of(error)})")
            finally:
                self._leave(bus)
            self._closing.wait(backoff.lost())

    def _serve(self, bus: Ros2Bus, receiver: Receiver) -> None:
        end = bus.watch(self._changed.set)
        try:
            self._subscribe(bus, receiver)
            while not self._closing.is_set():
                self._look(bus, receiver)
                self._changed.wait(LOOK)
                self._changed.clear()
        finally:
            end()

    def _subscribe(self, bus: Ros2Bus, receiver: Receiver) -> None:
        topics = self._topics
        wanted = [(ODOM, topics.odom, ODOMETRY), (BATTERY, topics.battery, BATTERY_STATE)]
        wanted += [(SCAN, topics.scan, LASER_SCAN)] if topics.scan else []
        wanted += [(f"{RANGE_PACKET}{number}", each, RANGE) for number, each in enumerate(topics.ranges)]
        for name, topic, kind in wanted:
            self._subscriptions.append(
                bus.subscribe(topic, kind, self._hearing(name, receiver), mismatch=partial(self._mismatched, topic))
            )

    def _hearing(self, name: str, receiver: Receiver) -> Callable[[bytes], None]:
        def heard(data: bytes) -> None:
            if name == ODOM and not self._heard_odom:
                self._heard_odom = True
                self._changed.set()
            if self._matched is not None:
                self.counts.received += 1
                receiver.packet("", pack(name, data))

        return heard

    def _mismatched(self, topic: str, policy: str) -> None:
        self._mismatch = (
            f"{topic} wants another quality of service, and so nothing passes: its {policy} does not match; let the "
            "robot's program offer and ask for none but reliability and depth"
        )
        self._changed.set()

    def _look(self, bus: Ros2Bus, receiver: Receiver) -> None:
        """See who is there, and tell when that has become another one."""
        self.found = self._here(bus)
        complaint, kind = self._found(bus)
        if complaint:
            self._down(receiver, complaint)
            return
        if self._writer is None or self._written != kind:
            if self._matched is not None:
                self._down(receiver, f"{self._topics.cmd} takes {kind} now")
            self._write(bus, kind)
            if self._mismatch:
                return
        refusal = why_refused(bus.endpoints(), self._topics, self._own)
        if refusal and self._matched is None and self._awaits_names(refusal):
            return
        ranges = len(self._topics.ranges)
        delay = self._at.option("delay")
        matched = Matched(
            stamped=self._written == TWIST_STAMPED,
            stamps=self._at.option("stamp") == "now",
            delay=float(delay) if delay else None,
            ranges=ranges,
            blind="" if self._at.option("bridge") else why_blind(bus.endpoints(), self._topics),
            refusal=refusal,
        )
        before = self._matched
        if matched != before:
            if before is None:
                receiver.up()
            self._matched = matched
            receiver.packet("", pack(GRAPH, write_matched(matched)))

    def _found(self, bus: Ros2Bus) -> tuple[str, str]:
        """Why the robot cannot be driven, or the type of its velocity commands."""
        if self._at.option("bridge"):
            if not self._heard_odom:
                return f"nobody publishes {self._topics.odom} at the bridge {self._where}: correct its name", ""
            return "", TWIST_STAMPED if self._stamped == "yes" else TWIST
        others: list[Ros2Endpoint] = [each for each in bus.endpoints() if each.key not in self._own]
        complaint = why_missing(others, self._topics, self._stamped, self._where)
        if complaint and bus.note:
            complaint = f"{complaint}; {bus.note}"
        return complaint or self._mismatch, velocity_type(others, self._topics, self._stamped) or ""

    def _awaits_names(self, refusal: str) -> bool:
        """Whether somebody is to be named who may still tell his name."""
        if NAMELESS not in refusal:
            return False
        now = time.monotonic()
        self._nameless_since = self._nameless_since or now
        return now - self._nameless_since < NAMED_WITHIN

    def _here(self, bus: Ros2Bus) -> tuple[tuple[str, str, str], ...]:
        topics = self._topics
        mine = {topics.cmd: False, topics.odom: True, topics.scan: True, topics.battery: True}
        mine |= dict.fromkeys(topics.ranges, True)
        here = {
            (each.topic, each.type, each.called)
            for each in bus.endpoints()
            if each.topic and mine.get(each.topic) is each.writes and each.key not in self._own
        }
        return tuple(sorted(here))

    def _write(self, bus: Ros2Bus, kind: str) -> None:
        if self._writer is not None:
            self._writer.close()
        writer = bus.publish(self._topics.cmd, kind, COMMAND, partial(self._mismatched, self._topics.cmd))
        with self._lock:
            self._writer, self._written = writer, kind

    def _down(self, receiver: Receiver, reason: str) -> None:
        with self._lock:
            self._matched = None
        receiver.down(reason)

    def _leave(self, bus: Ros2Bus) -> None:
        with self._lock:
            writer, self._writer, self._matched = self._writer, None, None
        for each in self._subscriptions:
            each.close()
        if writer is not None:
            writer.close()
        self._subscriptions.clear()
        self._heard_odom, self._mismatch = False, ""
        bus.close()

    @property
    def _own(self) -> frozenset[str]:
        own = [each.key for each in self._subscriptions]
        return frozenset([*own, self._writer.key] if self._writer is not None else own)

    @property
    def _where(self) -> str:
        at = self._at
        return f"by the router {at.host}:{at.port} in domain {at.domain}" if at.host else f"in domain {at.domain}"
