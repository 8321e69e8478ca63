"""DDS, by Cyclone DDS: topics of ROS 2 as rmw_cyclonedds and rmw_fastrtps have them. One participant a domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any

from cyclonedds.builtin import BuiltinDataReader, BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription
from cyclonedds.core import DDSException, InstanceState, Policy, Qos, ReadCondition, SampleState, ViewState
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.protocols.ros2.names import dds_topic, topic_of_dds, type_of_dds
from devs_robotics.hil.protocols.ros2.type_store import DISTRO, Ros2Error, type_hash
from devs_robotics.hil.transports.dds_configuration import MOST_PARTICIPANTS, check_interface, configuration
from devs_robotics.hil.transports.dds_names import DiscoveryNames
from devs_robotics.hil.transports.dds_types import Silent, raw_sample, raw_type
from devs_robotics.hil.transports.dds_waiting import DdsWaiting
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

BLOCKING = 0.1
"""Longest time for which a reliable message waits for room (s)."""

SETTLING = 0.02
"""Time for which changes of the graph are collected (s): robots come with dozens of endpoints, one after the other, and
each look goes through all that are known."""

AT_ONCE = 32
"""Number of messages that are taken from a reader in one call."""

DISCOVERY = Quality(reliable=True, latched=True, depth=1)
"""Of what participants tell each other."""

_POLICIES = {2: "durability", 4: "deadline", 5: "latency budget", 8: "liveliness", 11: "reliability"}
"""Names of policies, by the numbers that DDS gives them."""


class DdsBus(Ros2Bus):
    """A participant in a domain; all who ask for the same domain in this process share it (`dds_bus`).

    Args:
        domain: number, from 0 to 101
        interface: of the network, such as ``wlan0``, or ``lo`` for this computer only; empty for what Cyclone chooses
        peers: hosts that are called directly, where a network carries no multicast
        distro: release whose types are taken

    Raises:
        Ros2Error: the domain cannot be entered
    """

    def __init__(self, domain: int, interface: str = "", peers: Sequence[str] = (), distro: str = DISTRO) -> None:
        self.domain, self.interface, self.peers, self.distro = domain, interface, tuple(peers), distro
        super().__init__()
        check_interface(interface)
        self._silent = Silent()
        self._topics: dict[tuple[str, str], Any] = {}
        self._known: tuple[Ros2Endpoint, ...] = ()
        self._closing = False
        try:
            self._domain = Domain(domain, configuration(interface, peers))
            self._participant = DomainParticipant(domain, qos=Qos(Policy.Userdata(b"enclave=/;")))
        except DDSException as error:
            raise Ros2Error(
                f"the domain {domain} of ROS 2 cannot be entered"
                f"{f' through the interface {interface}' if interface else ''} ({error}): correct its options"
            ) from error
        self._waiting = DdsWaiting(self._participant, f"domain {domain}", self.fail)
        self._builtin = [
            BuiltinDataReader(self._participant, each)
            for each in (BuiltinTopicDcpsPublication, BuiltinTopicDcpsSubscription)
        ]
        self._conditions = [_conditions(each) for each in self._builtin]
        self._own: dict[str, _DdsWriter | _DdsReader] = {}
        self._names = DiscoveryNames(self, node_name())
        for new, _, _ in self._conditions:
            self._waiting.add(new, self._changed)

    @property
    def key(self) -> str:
        """Identifies the participant."""
        return str(self._participant.guid)

    def discovery_writer(self, kind: str, topic: str) -> Publisher:
        """A writer of what participants tell each other."""
        return _DdsWriter(
            self._made(DataWriter, topic, kind, DISCOVERY), raw_type(kind, self.distro), _nothing, _nothing
        )

    def discovery_reader(self, kind: str, topic: str, heard: Callable[[bytes], None]) -> Subscription:
        """A reader of the same."""
        reader = self._made(DataReader, topic, kind, Quality(latched=True, depth=MOST_PARTICIPANTS))
        return _DdsReader(reader, self._waiting, heard, _nothing, _nothing)

    def publish(self, topic: str, kind: str, quality: Quality, mismatch: Mismatch | None = None) -> Publisher:
        """A writer."""
        made = _DdsWriter(
            self._made(DataWriter, topic, kind, quality),
            raw_type(kind, self.distro),
            self._without,
            mismatch or _nothing,
        )
        self._with(made, writes=True)
        return made

    def subscribe(
        self,
        topic: str,
        kind: str,
        heard: Callable[[bytes], None],
        quality: Quality = READ,
        mismatch: Mismatch | None = None,
    ) -> Subscription:
        """A reader."""
        made = _DdsReader(
            self._made(DataReader, topic, kind, quality), self._waiting, heard, self._without, mismatch or _nothing
        )
        self._with(made, writes=False)
        return made

    def _with(self, made: _DdsWriter | _DdsReader, *, writes: bool) -> None:
        with self._lock:
            self._own[made.key] = made
        self._names.add(made.key, writes=writes)

    def _without(self, key: str) -> None:
        with self._lock:
            self._own.pop(key, None)
        if not self._closing:
            self._names.remove(key)

    def endpoints(self) -> Sequence[Ros2Endpoint]:
        """As the last look has found them."""
        return self._known

    def renamed(self) -> None:
        """Nodes have told their names."""
        self.soon(self._look)

    def soon(self, call: Callable[[], None]) -> None:
        """Have a function called once in a moment, however often it is asked for until then."""
        self._waiting.soon(call, SETTLING)

    def close(self) -> None:
        """Leave the domain, if nobody else of this process is in it."""
        _leave(self)

    def end(self) -> None:
        """Leave the domain."""
        self._closing = True
        self._names.close()
        self._waiting.close()
        with self._lock:
            self._conditions.clear()
            self._builtin.clear()
            self._topics.clear()
            del self._participant
            del self._domain

    def _made(self, kind: Any, topic: str, name: str, quality: Quality) -> Any:
        """A reader or a writer of a topic."""
        announced = Policy.Userdata(f"typehash={type_hash(name, self.distro)};".encode())
        with self._lock:
            return kind(self._participant, self._topic(topic, name), qos=_qos(quality, announced))

    def _topic(self, topic: str, kind: str) -> Any:
        key = topic, kind
        if key not in self._topics:
            name = dds_topic(topic) if topic.startswith("/") else topic
            with self._silent.making(kind):
                made = Topic(self._participant, name, raw_type(kind, self.distro))
            self._silent.silence(kind, made)
            if self._silent.failed:
                self.note = (
                    "this version of Cyclone DDS announces types, which Fast DDS 3 does not understand: for robots on "
                    "Kilted or later use cyclonedds 11.0.1, or zenoh"
                )
            self._topics[key] = made
        return self._topics[key]

    def _changed(self) -> None:
        """In the thread that waits: somebody has come or gone. What is new is read, so that it waits for more."""
        with self._lock:  # both are empty once it has been left
            for reader, (new, _, _) in zip(self._builtin, self._conditions, strict=True):
                reader.read(MOST_ENDPOINTS, new)
        self.soon(self._look)

    def _look(self) -> None:
        """In the thread that waits: see who is there, a moment after that has changed."""
        with self._lock:
            if self._closing:
                return
            known = tuple(self._read())
            changed, self._known = known != self._known, known
            watching = list(self._watching) if changed else []
            own = list(self._own.values())
        for each in own:
            each.look()
        for call in watching:
            call()

    def _read(self) -> list[Ros2Endpoint]:
        found = []
        for writes, reader, (_, gone, alive) in zip((True, False), self._builtin, self._conditions, strict=True):
            reader.take(MOST_ENDPOINTS, gone)
            for sample in reader.read(MOST_ENDPOINTS, alive):
                topic, kind = topic_of_dds(sample.topic_name or ""), type_of_dds(sample.type_name or "")
                if topic is not None and kind is not None:
                    found.append(self._endpoint(sample, topic, kind, writes=writes))
        return found

    def _endpoint(self, sample: Any, topic: str, kind: str, *, writes: bool) -> Ros2Endpoint:
        said = sample.qos[Policy.Userdata]
        text = bytes(said.data).decode(errors="replace") if said is not None else ""
        return Ros2Endpoint(
            key=str(sample.key),
            topic=topic,
            type=kind,
            writes=writes,
            participant=str(sample.participant_key),
            node=self._names.of(str(sample.key)),
            type_hash=text.removeprefix("typehash=").partition(";")[0],
            latched=sample.qos[Policy.Durability] == Policy.Durability.TransientLocal,
        )


class _DdsWriter(Publisher):
    def __init__(self, writer: Any, kind: Any, closed: Callable[[str], None], mismatch: Mismatch) -> None:
        self.key = str(writer.guid)
        self._writer, self._kind, self._closed, self._mismatch = writer, kind, closed, mismatch
        self._lock = Lock()

    def send(self, data: bytes) -> bool:
        with self._lock:
            if self._writer is None:
                return False
            try:
                self._writer.write(raw_sample(self._kind, data))
            except DDSException:
                return False
            return True

    def flush(self, timeout: float) -> None:
        with self._lock, suppress(DDSException, AttributeError):  # the second is what 11.0.1 makes of a time-out
            if self._writer is not None:
                self._writer.wait_for_acks(duration(seconds=timeout))

    def look(self) -> None:
        """See whether somebody wants another quality of service."""
        with self._lock:
            status = None if self._writer is None else self._writer.get_offered_incompatible_qos_status()
        if status is not None and status.total_count_change:
            self._mismatch(_policy(status))

    def close(self) -> None:
        with self._lock:
            writer, self._writer = self._writer, None
        if writer is not None:
            self._closed(self.key)


class _DdsReader(Subscription):
    def __init__(
        self,
        reader: Any,
        waiting: DdsWaiting,
        heard: Callable[[bytes], None],
        closed: Callable[[str], None],
        mismatch: Mismatch,
    ) -> None:
        self.key = str(reader.guid)
        self._reader, self._heard, self._closed, self._mismatch = reader, heard, closed, mismatch
        self._condition = ReadCondition(reader, ViewState.Any | SampleState.NotRead | InstanceState.Any)
        self._end = waiting.add(self._condition, self._take)

    def look(self) -> None:
        """See whether somebody offers another quality of service."""
        reader = self._reader
        if reader is not None:
            status = reader.get_requested_incompatible_qos_status()
            if status.total_count_change:
                self._mismatch(_policy(status))

    def close(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            self._end()
            del self._condition, self._end  # which keep it in the domain
            self._closed(self.key)

    def _take(self) -> None:
        reader = self._reader
        if reader is None:
            return
        for sample in reader.take(AT_ONCE):
            data = getattr(sample, "cdr", b"")
            if data:
                self._heard(data)


def _conditions(reader: Any) -> tuple[Any, Any, Any]:
    """Of a reader of the graph: something is new, something has gone, and all that is there."""
    gone = InstanceState.NotAliveDisposed | InstanceState.NotAliveNoWriters
    return (
        ReadCondition(reader, ViewState.Any | SampleState.NotRead | InstanceState.Any),
        ReadCondition(reader, ViewState.Any | SampleState.Any | gone),
        ReadCondition(reader, ViewState.Any | SampleState.Any | InstanceState.Alive),
    )


def _nothing(_text: str) -> None:
    """Nobody is told."""


def _policy(status: Any) -> str:
    """The name of the policy that does not match."""
    return _POLICIES.get(int(status.last_policy_id), "quality of service")


def _qos(quality: Quality, announced: Any) -> Any:
    history, no_limit = Policy.History.KeepLast(quality.depth), -1
    # what those who come late are told has a history of its own in DDS, of one message unless it is said
    kept = Policy.DurabilityService(0, history, no_limit, no_limit, no_limit)
    return Qos(
        Policy.Reliability.Reliable(duration(seconds=BLOCKING)) if quality.reliable else Policy.Reliability.BestEffort,
        history,
        Policy.Durability.TransientLocal if quality.latched else Policy.Durability.Volatile,
        *([kept] if quality.latched else []),
        Policy.DataRepresentation(use_cdrv0_representation=True, use_xcdrv2_representation=False),
        announced,
    )


_shared: dict[int, tuple[DdsBus, list[None]]] = {}
_sharing = Lock()


def dds_bus(domain: int, interface: str = "", peers: Sequence[str] = (), distro: str = DISTRO) -> DdsBus:
    """The bus of a domain in this process; who has it calls `close` once.

    Raises:
        Ros2Error: somebody of this process is in the domain with other options, or it cannot be entered, or has failed
            and not all have left it
    """
    with _sharing:
        if domain not in _shared:
            _shared[domain] = DdsBus(domain, interface, peers, distro), []
        bus, users = _shared[domain]
        if (bus.interface, bus.peers, bus.distro) != (interface, tuple(peers), distro):
            raise Ros2Error(
                f"the domain {domain} of ROS 2 is used with other options already: give all addresses in one domain "
                "the same interface, peers and distro"
            )
        if bus.fault:
            raise Ros2Error(f"the domain {domain} of ROS 2 has failed ({bus.fault})")
        users.append(None)
        return bus


def _leave(bus: DdsBus) -> None:
    with _sharing:
        shared = _shared.get(bus.domain)
        if shared is None or shared[0] is not bus:
            return
        shared[1].pop()
        if not shared[1]:
            del _shared[bus.domain]
            bus.end()
