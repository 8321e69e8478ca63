"""The link to one robot of ROS 2: its topics, by DDS or zenoh, and whether it is there and alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock

from devs_robotics.hil.addresses import Ros2Address
from devs_robotics.hil.protocols.ros2 import packets
from devs_robotics.hil.protocols.ros2.epuck_topics import COUNTS, sensor_type
from devs_robotics.hil.protocols.ros2.graph import (
    NAMELESS,
    Matched,
    RobotTopics,
    Ros2Endpoint,
    Stamped,
    has_equipment,
    velocity_type,
    why_blind,
    why_missing,
    why_refused,
    write_matched,
)
from devs_robotics.hil.protocols.ros2.names import (
    BATTERY_STATE,
    HAZARDS,
    LASER_SCAN,
    ODOMETRY,
    RANGE,
    STRING,
    TF_MESSAGE,
    TWIST,
    TWIST_STAMPED,
    topic_name,
)
from devs_robotics.hil.protocols.ros2.packets import BATTERY, CMD_VEL, GRAPH, ODOM, SCAN, TF_STATIC, pack, unpack
from devs_robotics.hil.protocols.ros2.packets import RANGE as RANGE_PACKET
from devs_robotics.hil.transports.receiver import Receiver
from devs_robotics.hil.transports.ros2_bus import COMMAND, EQUIPMENT, LATCHED, Publisher, Ros2Bus
from devs_robotics.hil.transports.ros2_bus_link import Ros2BusLink

NAMED_WITHIN = 4.0
"""Time in which nodes that were there before tell their names (s): Fast DDS does so after 3 s."""

MOST_STATIC = 100
"""Number of messages of static transforms that are kept for a link that comes up."""


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
        hazards=name(address.option("hazards", "hazard_detection")),
        ask=name("equipment/ask"),
        told=name("equipment/told"),
        sensors=tuple(
            [
                (f"{kind}{number}", name(each))
                for kind in COUNTS
                for number, each in enumerate(each for each in address.option(kind).split(",") if each)
            ]
        ),
    )


class Ros2Link(Ros2BusLink):
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
        super().__init__(address)
        self._topics = topics_of(address)
        self._stamped: Stamped = address.option("stamped", "auto")  # type: ignore[assignment]
        self._lock = Lock()
        self._writer: Publisher | None = None
        self._asking: Publisher | None = None
        """Of what equipment is asked, once the robot has some."""
        self._written = ""
        self._mismatches: dict[str, str] = {}
        self._static: list[bytes] = []
        self._matched: Matched | None = None
        self._heard_odom = False
        self._nameless_since: float | None = None
        self.found: tuple[tuple[str, str, str], ...] = ()

    @property
    def commands(self) -> str:
        """The topic of its velocity commands."""
        return self._topics.cmd

    def send(self, channel: str, data: bytes) -> None:
        """Publish a velocity command, or what equipment is asked."""
        topic, message = unpack(data)
        with self._lock:
            writers = {CMD_VEL: self._writer, packets.ASK: self._asking} if self._matched is not None else {}
        writer = writers.get(topic)
        if writer is not None and writer.send(message):
            self.counts.sent += 1
        else:
            self.counts.dropped += 1

    def flush(self, timeout: float) -> None:
        """Wait until the robot has got what was sent."""
        with self._lock:
            writer = self._writer
        if writer is not None:
            writer.flush(timeout)

    # in the thread of the link

    def _subscribe(self, bus: Ros2Bus, receiver: Receiver) -> None:
        topics = self._topics
        wanted = [(ODOM, topics.odom, ODOMETRY), (BATTERY, topics.battery, BATTERY_STATE)]
        wanted.append((packets.HAZARDS, topics.hazards, HAZARDS))
        wanted += [(SCAN, topics.scan, LASER_SCAN)] if topics.scan else []
        wanted += [(f"{RANGE_PACKET}{number}", each, RANGE) for number, each in enumerate(topics.ranges)]
        wanted += [(each, topic, sensor_type(each)) for each, topic in topics.sensors]
        for name, topic, kind in wanted:
            self._subscriptions.append(
                bus.subscribe(topic, kind, self._hearing(name, receiver), mismatch=partial(self._mismatched, topic))
            )
        for topic in dict.fromkeys(("/tf_static", topic_name(self._at.name, "tf_static"))) if topics.scan else ():
            self._subscriptions.append(bus.subscribe(topic, TF_MESSAGE, self._learning(receiver), LATCHED))

    def _hearing(self, name: str, receiver: Receiver) -> Callable[[bytes], None]:
        def heard(data: bytes) -> None:
            if name == ODOM and not self._heard_odom:
                self._heard_odom = True
                self._changed.set()
            if self._matched is not None:
                self._hand_on(receiver, pack(name, data))

        return heard

    def _learning(self, receiver: Receiver) -> Callable[[bytes], None]:
        """Static transforms are told once, which may be before the link is up: they are handed on when it is."""

        def heard(data: bytes) -> None:
            with self._lock:
                self._static = [*self._static[-MOST_STATIC + 1 :], data]
                up = self._matched is not None
            if up:
                self._hand_on(receiver, pack(TF_STATIC, data))

        return heard

    def _mismatched(self, topic: str, policy: str) -> None:
        self._mismatches[topic] = policy
        self._changed.set()

    def _misfit(self, others: Sequence[Ros2Endpoint]) -> str:
        """Why nothing passes though the robot is there; who only looks on may want what he likes."""
        cmd, odom = self._topics.cmd, self._topics.odom
        takers = [each for each in others if each.topic == cmd and not each.writes]
        policy, topic = self._mismatches.get(cmd, ""), cmd
        if not policy or not (all(each.latched for each in takers) if policy == "durability" else len(takers) == 1):
            policy, topic = "" if self._heard_odom else self._mismatches.get(odom, ""), odom
        if not policy:
            return ""
        return (
            f"{topic} wants another quality of service, and so nothing passes: its {policy} does not match; let the "
            "robot's program offer and ask for none but reliability and depth"
        )

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
        refusal = why_refused(bus.endpoints(), self._topics, self._own)
        if refusal and self._matched is None and self._awaits_names(refusal):
            return
        self._reach_equipment(bus, receiver)
        ranges = len(self._topics.ranges)
        delay = self._at.option("delay")
        matched = Matched(
            stamped=self._written == TWIST_STAMPED,
            stamps=self._at.option("stamp") == "now",
            delay=float(delay) if delay else None,
            ranges=ranges,
            blind="" if self._bridged else why_blind(bus.endpoints(), self._topics),
            refusal=refusal,
            equipment=self._asking is not None,
        )
        before = self._matched
        if matched != before:
            if before is None:
                receiver.up()
            with self._lock:
                self._matched = matched
                static = self._static if before is None else []
            for data in static:
                self.counts.received += 1
                receiver.packet("", pack(TF_STATIC, data))
            receiver.packet("", pack(GRAPH, write_matched(matched)))

    def _found(self, bus: Ros2Bus) -> tuple[str, str]:
        """Why the robot cannot be driven, or the type of its velocity commands."""
        if self._bridged:
            if not self._heard_odom:
                return f"nobody publishes {self._topics.odom} at the bridge {self._where}: correct its name", ""
            return "", TWIST_STAMPED if self._stamped == "yes" else TWIST
        others: list[Ros2Endpoint] = [each for each in bus.endpoints() if each.key not in self._own]
        complaint = why_missing(others, self._topics, self._stamped, self._where)
        if complaint and bus.note:
            complaint = f"{complaint}; {bus.note}"
        return complaint or self._misfit(others), velocity_type(others, self._topics, self._stamped) or ""

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
        mine |= dict.fromkeys((topics.hazards, topics.told, *topics.ranges, *dict(topics.sensors).values()), True) | {
            topics.ask: False
        }
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

    def _reach_equipment(self, bus: Ros2Bus, receiver: Receiver) -> None:
        """Ask and hear a program on the robot that plays equipment, where there is one; a bridge tells of none."""
        if self._asking is not None or not (self._bridged or has_equipment(bus.endpoints(), self._topics)):
            return
        hearing = self._hearing(packets.TOLD, receiver)
        self._subscriptions.append(bus.subscribe(self._topics.told, STRING, hearing, EQUIPMENT))
        asking = bus.publish(self._topics.ask, STRING, EQUIPMENT)
        with self._lock:
            self._asking = asking

    def _down(self, receiver: Receiver, reason: str) -> None:
        with self._lock:
            self._matched = None
        receiver.down(reason)

    def _left(self) -> None:
        with self._lock:
            writers = self._writer, self._asking
            self._writer = self._asking = self._matched = None
            self._static = []
        for writer in writers:
            if writer is not None:
                writer.close()
        self._heard_odom = False
        self._mismatches.clear()

    @property
    def _own(self) -> frozenset[str]:
        own = [each.key for each in self._subscriptions]
        return frozenset([*own, *(each.key for each in (self._writer, self._asking) if each is not None)])
