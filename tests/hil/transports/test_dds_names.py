"""Names of nodes in DDS: what others tell of theirs, and what is told of ours, with a bus by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

import numpy as np
import pytest

from devs_robotics.hil.protocols.ros2.type_store import read, type_store, write
from devs_robotics.hil.transports import dds_names
from devs_robotics.hil.transports.dds import DdsBus
from devs_robotics.hil.transports.dds_names import INFO, TOPIC, DiscoveryNames
from devs_robotics.hil.transports.ros2_bus import Quality
from tests.hil.transports.hand_bus import HandPublisher, HandSubscription

OURS, A, B, C = (str(UUID(int=number << 96 | 0x104)) for number in (1, 2, 3, 4))


def gid(key: str) -> Any:
    return type_store().types["rmw_dds_common/msg/Gid"](np.frombuffer(UUID(key).bytes, np.uint8))


def said(*nodes: tuple[str, str, list[str], list[str]]) -> bytes:
    """What a participant tells: namespace and name of each node, and what it reads and writes."""
    types = type_store().types
    made = [
        types["rmw_dds_common/msg/NodeEntitiesInfo"](space, name, list(map(gid, reads)), list(map(gid, writes)))
        for space, name, reads, writes in nodes
    ]
    return write(INFO, types[INFO](gid(str(UUID(int=77))), made))


class HandDds:
    """What `DiscoveryNames` asks of its bus.

    Attributes:
        due: what was asked to be called soon
        renamed_times: how often others were said to have other names
    """

    key = OURS

    def __init__(self) -> None:
        self.due: list[Callable[[], None]] = []
        self.renamed_times = 0

    def discovery_writer(self, kind: str, topic: str) -> HandPublisher:
        self.writer = HandPublisher(topic, kind, Quality(), None)
        return self.writer

    def discovery_reader(self, kind: str, topic: str, heard: Callable[[bytes], None]) -> HandSubscription:
        self.reader = HandSubscription(topic, kind, heard, Quality(), None)
        return self.reader

    def soon(self, call: Callable[[], None]) -> None:
        if call not in self.due:
            self.due.append(call)

    def renamed(self) -> None:
        self.renamed_times += 1

    def told(self) -> tuple[str, str, str, list[str], list[str]]:
        """What is told now: participant, namespace and name of the node, what it reads, and what it writes."""
        (call,) = self.due
        self.due.clear()
        call()
        info = read(INFO, self.writer.sent[-1])
        (node,) = info.node_entities_info_seq
        reads, writes = (
            [str(UUID(bytes=bytes(each.data))) for each in some] for some in (node.reader_gid_seq, node.writer_gid_seq)
        )
        return str(UUID(bytes=bytes(info.gid.data))), node.node_namespace, node.node_name, reads, writes


@pytest.fixture
def bus() -> HandDds:
    return HandDds()


@pytest.fixture
def names(bus: HandDds) -> DiscoveryNames:
    return DiscoveryNames(cast("DdsBus", bus), "me")


def test_it_writes_and_reads_where_ros_looks(bus: HandDds, names: DiscoveryNames) -> None:
    assert (bus.writer.topic, bus.writer.kind) == (bus.reader.topic, bus.reader.kind) == (TOPIC, INFO)
    names.close()
    assert bus.writer.closed
    assert bus.reader.closed


def test_others_names_are_full_and_known_by_what_they_read_and_write(bus: HandDds, names: DiscoveryNames) -> None:
    bus.reader.heard(said(("/", "base", [A], [B]), ("/turtle1", "nav", [], [C])))
    assert [names.of(each) for each in (A, B, C)] == ["/base", "/base", "/turtle1/nav"]
    assert names.of(OURS) == ""


def test_only_new_names_are_news(bus: HandDds, names: DiscoveryNames) -> None:
    for reads, name, times in (
        ([], "base", 0),
        ([A], "base", 1),
        ([A], "base", 1),
        ([A, B], "base", 2),
        ([A], "other", 3),
    ):
        bus.reader.heard(said(("/", name, reads, [])))
        assert bus.renamed_times == times
    assert [names.of(each) for each in (A, B)] == ["/other", "/base"]


def test_what_is_no_such_message_changes_nothing(bus: HandDds, names: DiscoveryNames) -> None:
    bus.reader.heard(said(("/", "base", [A], [])))
    bus.reader.heard(b"\0\1\0\0\xff")
    assert (bus.renamed_times, names.of(A)) == (1, "/base")


def test_ours_are_told_together_and_told_again_when_one_has_gone(bus: HandDds, names: DiscoveryNames) -> None:
    names.add(A, writes=True)
    names.add(B, writes=False)
    names.add(C, writes=True)
    assert names.of(A) == names.of(B) == "/me"
    assert bus.told() == (OURS, "/", "me", [B], [A, C])
    names.remove(A)
    assert names.of(A) == ""
    assert bus.told() == (OURS, "/", "me", [B], [C])
    names.remove(A)
    assert bus.due == [], "who was gone already is no news"


def test_names_are_bounded(bus: HandDds, names: DiscoveryNames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dds_names, "MOST_NAMES", 2)
    bus.reader.heard(said(("/", "base", [A], [B])))
    bus.reader.heard(said(("/", "nav", [C], [])))
    assert [names.of(each) for each in (A, B, C)] == ["/base", "/base", "/nav"]
    bus.reader.heard(said(("/", "late", [OURS], [])))
    assert [names.of(each) for each in (A, B, C, OURS)] == ["", "", "", "/late"]
