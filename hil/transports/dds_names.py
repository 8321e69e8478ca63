"""Names of nodes in DDS: each participant tells which endpoint belongs to which of its nodes (ros_discovery_info)."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any
from uuid import UUID

import numpy as np

from devs_robotics.hil.protocols.ros2.type_store import MessageError, read, type_store, write

if TYPE_CHECKING:
    from devs_robotics.hil.transports.dds import DdsBus

INFO, TOPIC = "rmw_dds_common/msg/ParticipantEntitiesInfo", "ros_discovery_info"

MOST_NAMES = 10_000
"""Number of endpoints whose names are remembered."""


class DiscoveryNames:
    """The names that others tell of their endpoints, and what this participant tells of its own.

    Args:
        bus: whose participant it is
        node: name of the node that all its endpoints belong to
    """

    def __init__(self, bus: DdsBus, node: str) -> None:
        self._bus = bus
        self._node = node
        self._lock = Lock()
        self._names: dict[str, str] = {}
        self._own: dict[str, bool] = {}
        """Keys of this participant's endpoints, and whether each writes."""
        self._writer = bus.discovery_writer(INFO, TOPIC)
        self._reader = bus.discovery_reader(INFO, TOPIC, self._heard)

    def of(self, key: str) -> str:
        """The full name of the node that an endpoint belongs to; empty where nobody has told it."""
        if key in self._own:
            return f"/{self._node}"
        return self._names.get(key, "")

    def add(self, key: str, *, writes: bool) -> None:
        """This participant has one more endpoint; all that come within a moment are told of at once."""
        with self._lock:
            self._own[key] = writes
        self._bus.soon(self._tell)

    def remove(self, key: str) -> None:
        """It has one less."""
        with self._lock:
            gone = self._own.pop(key, None)
        if gone is not None:
            self._bus.soon(self._tell)

    def close(self) -> None:
        """Hear and tell no more."""
        self._reader.close()
        self._writer.close()

    def _tell(self) -> None:
        types = type_store().types
        gids: dict[bool, list[Any]] = {True: [], False: []}
        with self._lock:
            own = list(self._own.items())
        for key, writes in own:
            gids[writes].append(_gid(key))
        node = types["rmw_dds_common/msg/NodeEntitiesInfo"]("/", self._node, gids[False], gids[True])
        self._writer.send(write(INFO, types[INFO](_gid(self._bus.key), [node])))

    def _heard(self, data: bytes) -> None:
        try:
            said = read(INFO, data)
        except MessageError:  # as that of Humble, whose identifiers are longer: its nodes stay without names
            return
        told = {
            str(UUID(bytes=bytes(gid.data))): f"{node.node_namespace.rstrip('/')}/{node.node_name}"
            for node in said.node_entities_info_seq
            for gid in (*node.reader_gid_seq, *node.writer_gid_seq)
        }
        if any(self._names.get(key) != name for key, name in told.items()):
            if len(self._names) > MOST_NAMES:
                self._names.clear()
            self._names |= told
            self._bus.renamed()


def _gid(key: str) -> Any:
    return type_store().types["rmw_dds_common/msg/Gid"](np.frombuffer(UUID(key).bytes, np.uint8))
