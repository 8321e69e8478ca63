"""A participant in DDS, by what it hears of itself: whatever it writes, its own readers get too."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from threading import Event, get_ident
from types import SimpleNamespace

import pytest

from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.protocols.ros2.names import ODOMETRY, STRING, TWIST
from devs_robotics.hil.protocols.ros2.type_store import Ros2Error, type_hash
from devs_robotics.hil.transports.dds import DdsBus, _policy, dds_bus
from devs_robotics.hil.transports.ros2_bus import LATCHED, READ, Quality
from tests.hil.ros2.environments import free_domain
from tests.hil.transports.heard import WITHIN, Heard, wait_for

pytestmark = pytest.mark.wall_clock

SAID = b"\0\1\0\0\x08\0\0\0welcome\0"
"""A string, as CDR; what has another length is filled up on the way."""


def said(number: int) -> bytes:
    return SAID.replace(b"welcome", b"n%06d" % number)


@pytest.fixture
def bus() -> Iterator[DdsBus]:
    made = DdsBus(free_domain(), "lo")
    yield made
    made.end()


def own(bus: DdsBus, key: str) -> Ros2Endpoint | None:
    return next((each for each in bus.endpoints() if each.key == key), None)


def test_what_is_published_is_heard_until_an_end_is_closed(bus: DdsBus) -> None:
    heard, others = Heard(), Heard()
    reader = bus.subscribe("/a", STRING, heard)
    bus.subscribe("/b", STRING, others)
    writer = bus.publish("/a", STRING, Quality())
    assert writer.send(SAID)
    heard.wait_for(lambda all_: all_ == [SAID])
    writer.flush(WITHIN)
    second = Heard()
    bus.subscribe("/a", STRING, second)
    reader.close()
    reader.close()
    wait_for(lambda: writer.send(SAID) and bool(second.all))
    assert (heard.all, others.all) == ([SAID], [])
    writer.close()
    writer.close()
    assert not writer.send(SAID)
    writer.flush(WITHIN)


def test_nothing_waits_for_a_reader_that_is_closed_and_it_leaves_the_graph(bus: DdsBus) -> None:
    kept = bus.subscribe("/a", STRING, lambda data: None)
    waiting = len(bus._waiting._calls)
    reader = bus.subscribe("/a", STRING, lambda data: None)
    wait_for(lambda: own(bus, reader.key) is not None)
    assert len(bus._waiting._calls) == waiting + 1
    reader.close()
    assert len(bus._waiting._calls) == waiting
    wait_for(lambda: own(bus, reader.key) is None)
    assert own(bus, kept.key) is not None


def test_a_message_that_is_none_of_its_type_is_not_taken(bus: DdsBus) -> None:
    writer = bus.publish("/a", STRING, Quality())
    assert not writer.send(b"\0\1\0\0\xff\0\0\0")
    assert writer.send(SAID)


def test_many_messages_come_in_their_order(bus: DdsBus) -> None:
    heard = Heard()
    bus.subscribe("/a", STRING, heard, Quality(reliable=True, depth=1000))
    writer = bus.publish("/a", STRING, Quality(reliable=True, depth=1000))
    all_ = [said(number) for number in range(200)]
    for each in all_:
        assert writer.send(each)
    heard.wait_for(lambda now: len(now) == 200)
    assert heard.all == all_


def test_those_who_come_late_are_told_the_last_messages_of_what_is_latched(bus: DdsBus) -> None:
    writer = bus.publish("/a", STRING, Quality(latched=True, depth=2))
    for number in range(3):
        writer.send(said(number))
    late, never = Heard(), Heard()
    bus.subscribe("/a", STRING, never)
    bus.subscribe("/a", STRING, late, LATCHED)
    late.wait_for(lambda all_: all_ == [said(1), said(2)])
    writer.send(said(3))
    never.wait_for(lambda all_: all_ == [said(3)])


def test_the_graph_has_all_ends_with_what_they_are(bus: DdsBus) -> None:
    writer = bus.publish("/turtle1/odom", ODOMETRY, LATCHED)
    reader = bus.subscribe("/turtle1/cmd_vel", TWIST, lambda data: None)
    wait_for(lambda: len([each for each in bus.endpoints() if each.node]) == 2)
    node = f"/devs_robotics_{os.getpid()}"
    assert own(bus, writer.key) == Ros2Endpoint(
        key=writer.key,
        topic="/turtle1/odom",
        type=ODOMETRY,
        writes=True,
        participant=bus.key,
        node=node,
        type_hash=type_hash(ODOMETRY),
        latched=True,
    )
    assert own(bus, reader.key) == Ros2Endpoint(
        key=reader.key,
        topic="/turtle1/cmd_vel",
        type=TWIST,
        writes=False,
        participant=bus.key,
        node=node,
        type_hash=type_hash(TWIST),
        latched=False,
    )
    writer.close()
    wait_for(lambda: own(bus, writer.key) is None)
    assert own(bus, reader.key) is not None


def test_what_participants_tell_each_other_is_no_topic_of_the_graph(bus: DdsBus) -> None:
    made = bus.publish("/a", STRING, Quality())
    wait_for(lambda: own(bus, made.key) is not None)
    assert {each.topic for each in bus.endpoints()} == {"/a"}


def test_who_watches_is_told_in_another_thread_until_he_ends_it(bus: DdsBus) -> None:
    told: list[int] = []
    changed = Event()

    def tell() -> None:
        told.append(get_ident())
        changed.set()

    end = bus.watch(tell)
    bus.publish("/a", STRING, Quality())
    assert changed.wait(WITHIN)
    assert get_ident() not in told
    end()
    end()
    wait_for(lambda: bool(bus.endpoints()))
    before, made = len(told), bus.publish("/b", STRING, Quality())
    wait_for(lambda: own(bus, made.key) is not None)
    assert len(told) == before


@pytest.mark.parametrize(
    ("offered", "wanted", "policy"),
    [
        (Quality(reliable=False), Quality(reliable=True), "reliability"),
        (Quality(), Quality(latched=True), "durability"),
    ],
)
def test_a_policy_that_does_not_match_is_told_to_both_once(
    offered: Quality, wanted: Quality, policy: str, bus: DdsBus
) -> None:
    told: dict[str, list[str]] = {"writer": [], "reader": []}
    bus.publish("/a", STRING, offered, told["writer"].append)
    bus.subscribe("/a", STRING, lambda data: None, wanted, told["reader"].append)
    wait_for(lambda: all(told.values()))
    made = bus.publish("/b", STRING, Quality())
    wait_for(lambda: own(bus, made.key) is not None)  # it has looked once more
    assert told == {"writer": [policy], "reader": [policy]}


@pytest.mark.parametrize(
    ("number", "name"),
    [
        (2, "durability"),
        (4, "deadline"),
        (5, "latency budget"),
        (8, "liveliness"),
        (11, "reliability"),
        (99, "quality of service"),
    ],
)
def test_policies_have_the_numbers_that_dds_gives_them(number: int, name: str) -> None:
    """As the table of the specification has them (DDS 1.4, 2.3.3)."""
    assert _policy(SimpleNamespace(last_policy_id=number)) == name


def test_what_is_read_best_effort_matches_every_publisher(bus: DdsBus) -> None:
    told, heard = list[str](), Heard()
    bus.subscribe("/a", STRING, heard, READ, told.append)
    for quality in (Quality(reliable=False), Quality(), LATCHED):
        writer = bus.publish("/a", STRING, quality, told.append)
        before = len(heard.all)
        wait_for(lambda: writer.send(SAID) and len(heard.all) > before)  # noqa: B023
    assert told == []


def test_what_is_asked_for_soon_is_called_once_for_all(bus: DdsBus) -> None:
    calls, last = Heard(), Event()

    def call() -> None:
        calls(b"")

    begun = time.monotonic()
    for _ in range(5):
        bus.soon(call)
    calls.wait_for(lambda all_: len(all_) == 1)
    assert time.monotonic() - begun >= 0.02 - 1e-3
    bus.soon(last.set)
    assert last.wait(WITHIN)
    assert len(calls.all) == 1


def test_a_domain_can_be_entered_once_by_a_participant_of_its_own(bus: DdsBus) -> None:
    with pytest.raises(
        Ros2Error, match=rf"^the domain {bus.domain} of ROS 2 cannot be entered through the interface lo"
    ):
        DdsBus(bus.domain, "lo")


def leave_all(*buses: DdsBus) -> None:
    for each in buses:
        each.close()


def test_all_who_ask_for_a_domain_share_a_participant_until_the_last_has_left() -> None:
    domain = free_domain()
    one, other = dds_bus(domain, "lo"), dds_bus(domain, "lo")
    try:
        assert one is other
        with pytest.raises(Ros2Error, match="is used with other options already: give all addresses in one domain the"):
            dds_bus(domain, "lo", ["192.0.2.7"])
        with pytest.raises(Ros2Error, match="with other options already"):
            dds_bus(domain, "lo", distro="kilted")
    finally:
        one.close()
    try:
        assert dds_bus(domain, "lo") is other
    finally:
        leave_all(other, other)
    other.close()  # a second time, when nobody is there
    another = dds_bus(domain, "lo", distro="kilted")
    try:
        assert another is not other
        assert another.distro == "kilted"
    finally:
        another.close()


def test_one_that_has_failed_is_handed_to_nobody_else_and_made_anew_when_all_have_left() -> None:
    domain = free_domain()
    bus = dds_bus(domain, "lo")
    end = bus.watch(lambda: None)
    try:
        bus.fail(OSError(12, "no memory"))
        bus.fail(OSError(28, "no space"))
        assert bus.fault == "no memory"
        with pytest.raises(Ros2Error, match=rf"the domain {domain} of ROS 2 has failed \(no memory\)"):
            dds_bus(domain, "lo")
    finally:
        end()
        bus.close()
    again = dds_bus(domain, "lo")
    try:
        assert again is not bus
        assert again.fault == ""
    finally:
        again.close()


def test_what_raises_when_it_is_heard_is_told_to_who_watches_and_others_hear_on(bus: DdsBus) -> None:
    told, heard = Event(), Heard()

    def spoilt(data: bytes) -> None:
        raise OSError(12, "no memory")

    def tell() -> None:
        if bus.fault:
            told.set()

    bus.watch(tell)
    bus.subscribe("/a", STRING, spoilt)
    bus.subscribe("/a", STRING, heard)
    writer = bus.publish("/a", STRING, Quality())
    wait_for(lambda: writer.send(SAID) and bool(heard.all))
    assert told.wait(WITHIN)
    assert bus.fault == "no memory"
    before = len(heard.all)
    wait_for(lambda: writer.send(SAID) and len(heard.all) > before)


def test_after_its_end_nothing_is_called() -> None:
    bus, heard = DdsBus(free_domain(), "lo"), Heard()
    calls: list[Callable[[], None]] = []
    reader = bus.subscribe("/a", STRING, heard)
    writer = bus.publish("/a", STRING, Quality())
    wait_for(lambda: writer.send(SAID) and bool(heard.all))
    bus.watch(lambda: calls.append(bus.end))
    bus.end()
    calls.clear()
    before = len(heard.all)
    writer.close()
    reader.close()
    assert (calls, len(heard.all)) == ([], before)
