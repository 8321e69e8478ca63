"""Sessions of zenoh, one of which is the router: what each hears of the other, and knows of it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Event, get_ident
from typing import Any

import pytest

from devs_robotics.hil.protocols.ros2.attachments import read_attachment
from devs_robotics.hil.protocols.ros2.graph import Ros2Endpoint
from devs_robotics.hil.protocols.ros2.names import ODOMETRY, TWIST
from devs_robotics.hil.protocols.ros2.type_store import Ros2Error, type_hash
from devs_robotics.hil.transports import zenoh
from devs_robotics.hil.transports.ros2_bus import LATCHED, Quality
from devs_robotics.hil.transports.zenoh import ZenohBus
from tests.hil.transports.heard import WITHIN, Heard, wait_for
from tests.real_components import free_port

pytestmark = pytest.mark.wall_clock

NODE = f"/devs_robotics_{os.getpid()}"


class Sessions:
    """A router, `there`, and whoever joins it."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.port = free_port()
        self.there = self._kept(ZenohBus("127.0.0.1", self.port, 3, router=True))

    def join(self, domain: int = 3, *, bridge: bool = False) -> ZenohBus:
        return self._kept(ZenohBus("127.0.0.1", self.port, domain, bridge=bridge))

    def _kept(self, bus: ZenohBus) -> ZenohBus:
        self._stack.callback(bus.close)
        return bus

    def close(self) -> None:
        self._stack.close()


@pytest.fixture
def sessions() -> Iterator[Sessions]:
    made = Sessions()
    yield made
    made.close()


def of_others(bus: ZenohBus, *own: str) -> list[Ros2Endpoint]:
    return [each for each in bus.endpoints() if each.key not in own]


def test_what_is_published_is_heard_until_an_end_is_closed(sessions: Sessions) -> None:
    here, heard, later = sessions.join(), Heard(), Heard()
    reader = here.subscribe("/a", ODOMETRY, heard)
    writer = sessions.there.publish("/a", ODOMETRY, Quality())
    wait_for(lambda: writer.send(b"first") and bool(heard.all))
    assert set(heard.all) == {b"first"}
    reader.close()
    reader.close()
    before = len(heard.all)
    here.subscribe("/a", ODOMETRY, later)
    wait_for(lambda: writer.send(b"second") and bool(later.all))
    assert len(heard.all) == before
    writer.close()
    writer.close()
    assert not writer.send(b"third")


def test_other_topics_types_and_domains_are_not_heard(sessions: Sessions) -> None:
    here, other = sessions.join(), sessions.join(4)
    heard, right = Heard(), Heard()
    here.subscribe("/a", ODOMETRY, right)
    here.subscribe("/b", ODOMETRY, heard)
    here.subscribe("/a", TWIST, heard)
    other.subscribe("/a", ODOMETRY, heard)
    writer = sessions.there.publish("/a", ODOMETRY, Quality())
    wait_for(lambda: writer.send(b"x") and len(right.all) > 2)
    assert heard.all == []
    assert of_others(other) != []
    assert {each.topic for each in other.endpoints()} == {"/a"}, "it knows of its own domain alone"
    assert len(other.endpoints()) == 1


def test_those_who_come_late_are_told_the_last_messages_of_what_is_latched(sessions: Sessions) -> None:
    here, late, never = sessions.join(), Heard(), Heard()
    writer = sessions.there.publish("/a", ODOMETRY, Quality(latched=True, depth=2))
    plain = sessions.there.publish("/b", ODOMETRY, Quality(depth=2))
    for number in (b"1", b"2", b"3"):
        writer.send(number)
        plain.send(number)
    here.subscribe("/a", ODOMETRY, late, LATCHED)
    here.subscribe("/b", ODOMETRY, never, LATCHED)
    late.wait_for(lambda all_: all_ == [b"2", b"3"])
    wait_for(lambda: plain.send(b"4") and bool(never.all))
    assert set(never.all) == {b"4"}


@pytest.mark.parametrize("latched", [False, True])
def test_the_graph_has_all_ends_with_what_they_are(latched: bool, sessions: Sessions) -> None:
    here = sessions.join()
    quality = LATCHED if latched else Quality(reliable=False)
    writer = sessions.there.publish("/turtle1/odom", ODOMETRY, quality)
    reader = sessions.there.subscribe("/turtle1/cmd_vel", TWIST, lambda data: None)
    wait_for(lambda: len(here.endpoints()) == 2)
    by_topic = {each.topic: each for each in here.endpoints()}
    odom, cmd = by_topic["/turtle1/odom"], by_topic["/turtle1/cmd_vel"]
    assert (odom.key, odom.type, odom.writes, odom.node) == (writer.key, ODOMETRY, True, NODE)
    assert (odom.type_hash, odom.latched) == (type_hash(ODOMETRY), latched)
    assert (cmd.key, cmd.type, cmd.writes, cmd.node) == (reader.key, TWIST, False, NODE)
    assert (cmd.type_hash, cmd.latched) == (type_hash(TWIST), False)
    assert odom.participant == cmd.participant
    mine = here.publish("/turtle1/cmd_vel", TWIST, Quality())
    wait_for(lambda: len(here.endpoints()) == 3)
    (own,) = [each for each in here.endpoints() if each.key == mine.key]
    assert own.participant != cmd.participant
    writer.close()
    wait_for(lambda: len(here.endpoints()) == 2)
    sessions.there.close()
    wait_for(lambda: of_others(here, mine.key) == [])


def test_who_watches_is_told_of_each_change_until_he_ends_it(sessions: Sessions) -> None:
    here, told = sessions.join(), list[int]()
    changed = Event()

    def tell() -> None:
        told.append(get_ident())
        changed.set()

    end = here.watch(tell)
    made = sessions.there.publish("/a", ODOMETRY, Quality())
    assert changed.wait(WITHIN)
    assert get_ident() not in told
    changed.clear()
    made.close()
    assert changed.wait(WITHIN)
    end()
    before = len(told)
    sessions.there.publish("/b", ODOMETRY, Quality())
    wait_for(lambda: bool(here.endpoints()))
    assert len(told) == before


def test_no_more_ends_are_known_than_are_allowed(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zenoh, "MOST_ENDPOINTS", 2)
    here, told = sessions.join(), list[int]()
    here.watch(lambda: told.append(len(here.endpoints())))
    for topic in "abcd":
        sessions.there.publish(f"/{topic}", ODOMETRY, Quality())
    wait_for(lambda: len(told) == 4)
    assert told == [1, 2, 2, 2]


def test_a_publisher_writes_for_the_type_that_those_who_listen_have(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = sessions.join(), "RIHS01_" + "1" * 64
    with monkeypatch.context() as patch:
        patch.setattr(zenoh, "type_hash", lambda kind, distro: other)
        sessions.there.subscribe("/a", ODOMETRY, lambda data: None)
    wait_for(lambda: len(here.endpoints()) == 1)
    for topic, hashed in (("/a", other), ("/b", type_hash(ODOMETRY))):
        made = here.publish(topic, ODOMETRY, Quality())
        wait_for(lambda: made.key in [each.key for each in here.endpoints()])  # noqa: B023
        (own,) = [each for each in here.endpoints() if each.key == made.key]
        assert own.type_hash == hashed


def test_behind_a_bridge_keys_are_plain_and_nobody_is_known(sessions: Sessions) -> None:
    here, robot, heard, plain = sessions.join(bridge=True), sessions.join(bridge=True), Heard(), Heard()
    here.subscribe("/turtle1/odom", ODOMETRY, heard)
    sessions.there.session.declare_subscriber("turtle1/odom", lambda sample: plain(sample.payload.to_bytes()))
    writer = robot.publish("/turtle1/odom", ODOMETRY, Quality())
    wait_for(lambda: writer.send(b"x") and bool(heard.all) and bool(plain.all))
    assert (set(heard.all), set(plain.all)) == ({b"x"}, {b"x"})
    assert list(here.endpoints()) == list(sessions.there.endpoints()) == []
    writer.close()


@pytest.mark.parametrize("bridge", [False, True])
def test_who_has_sent_a_message_goes_with_it_but_not_over_a_bridge(bridge: bool, sessions: Sessions) -> None:
    here, came = sessions.join(bridge=bridge), list[Any]()
    key = here.key("/a", ODOMETRY, "*")
    listening = sessions.there.session.declare_subscriber(key, came.append)
    writer = here.publish("/a", ODOMETRY, Quality())
    wait_for(lambda: writer.send(b"x") and len(came) > 1)
    assert listening is not None
    if bridge:
        assert [each.attachment for each in came[:2]] == [None, None]
        return
    first, second = (read_attachment(each.attachment.to_bytes()) for each in came[:2])
    assert second.sequence == first.sequence + 1
    assert first.gid == second.gid
    assert abs(1e-9 * second.time - time.time()) < WITHIN


@pytest.mark.parametrize("whole", [False, True])
def test_who_closes_it_waits_for_a_call_that_is_under_way(whole: bool, sessions: Sessions) -> None:
    here, begun, go_on, did = sessions.join(), Event(), Event(), list[str]()

    def heard(data: bytes) -> None:
        if not begun.is_set():
            begun.set()
            go_on.wait(WITHIN)
            did.append("heard")

    reader = here.subscribe("/a", ODOMETRY, heard)
    writer = sessions.there.publish("/a", ODOMETRY, Quality())
    wait_for(lambda: writer.send(b"x") and begun.is_set())

    def close() -> None:
        (here if whole else reader).close()
        did.append("closed")

    closing = threading.Thread(target=close)
    closing.start()
    closing.join(0.2)  # it would have ended by then
    assert did == []
    go_on.set()
    closing.join(WITHIN)
    assert did == ["heard", "closed"]


def test_tokens_that_are_none_of_a_topic_are_passed_over(sessions: Sessions) -> None:
    here, told = sessions.join(), Heard()
    here.watch(lambda: told(b""))
    kept = [sessions.there.session.liveliness().declare_token(f"@ros2_lv/3/{rest}") for rest in ("x", "a/1/2/SS/%/%/n")]
    sessions.there.publish("/a", ODOMETRY, Quality())
    wait_for(lambda: bool(here.endpoints()))
    assert [each.topic for each in here.endpoints()] == ["/a"]
    assert len(told.all) == 1
    assert len(kept) == 2


def test_where_somebody_listens_no_router_can(sessions: Sessions) -> None:
    expected = f"a zenoh router cannot listen at 127.0.0.1:{sessions.port}: choose another port"
    with pytest.raises(Ros2Error, match=expected):
        ZenohBus("127.0.0.1", sessions.port, 0, router=True)


def test_a_session_that_has_ended_sends_nothing_and_leaves_no_thread(sessions: Sessions) -> None:
    before = threading.active_count()
    here = sessions.join()
    reader, writer = here.subscribe("/a", ODOMETRY, lambda data: None), here.publish("/a", ODOMETRY, Quality())
    assert threading.active_count() > before
    here.close()
    assert threading.active_count() == before
    assert not writer.send(b"x")
    writer.close()
    reader.close()


def test_who_hears_may_end_it(sessions: Sessions) -> None:
    here, ended = sessions.join(), Event()

    def heard(data: bytes) -> None:
        here.close()
        ended.set()

    here.subscribe("/a", ODOMETRY, heard)
    writer = sessions.there.publish("/a", ODOMETRY, Quality())
    wait_for(lambda: writer.send(b"x") and ended.is_set())
