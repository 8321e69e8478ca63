"""A host and its nodes agree, over a wire that delays and loses, or say clearly why they do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.core.distribution import Host, Node, Timing
from devs_robotics.core.distribution.control import (
    ANNOUNCE,
    Announcement,
    FinalReport,
    HostMessage,
    NodeMessage,
    Offer,
    Ready,
    Start,
    control_topic,
    offers_topic,
)
from devs_robotics.core.distribution.offset import ClockEstimate

STEP = 0.02
LATENCY = 0.01
TIMING = Timing(prepare=20.0)


def announcement(*robots: int, fingerprint: str = "same", version: str = "1") -> Announcement:
    return Announcement(run="run", version=version, fingerprint=fingerprint, stage="loop", rate=1.0, robots=robots)


class Wire:
    """All parties and what is under way between them; each node's clock is ahead of the host's by its offset.

    Args:
        nodes: with their offsets (s)
        fate: latency of each message (s), or None for a lost one; then all take the same
        drift: how much faster the nodes' clocks go (s per s)

    Attributes:
        step: between two looks at what is due (s)
        said: what the parties have said
    """

    def __init__(
        self, host: Host, nodes: dict[Node, float], fate: Iterable[float | None] = (), drift: float = 0.0
    ) -> None:
        self.host, self.nodes = host, nodes
        self.drift = drift
        self.step = STEP
        self.now = 0.0
        self.said: list[HostMessage | NodeMessage] = []
        self.deaf: set[Host | Node] = set()
        self.busy: set[Node] = set()
        """Nodes that take long to get ready."""
        self._fate: Iterator[float | None] = iter(fate)
        self._numbers = count()
        self._under_way: list[tuple[float, int, Host | Node, str, bytes]] = []

    def until(self, done: Callable[[], bool], limit: float = 60.0) -> bool:
        while not done() and self.now < limit:
            self._step()
        return done()

    def send(self, receiver: Host | Node, channel: str, data: bytes) -> None:
        heappush(self._under_way, (self.now, next(self._numbers), receiver, channel, data))

    def _step(self) -> None:
        self.now += self.step
        while self._under_way and self._under_way[0][0] <= self.now:
            at, _, receiver, channel, data = heappop(self._under_way)
            if channel in receiver.channels and receiver not in self.deaf:
                receiver.hear(channel, data, self.clock(receiver, at))
        parties: list[Host | Node] = [self.host, *self.nodes]
        for party in parties:
            if isinstance(party, Node) and party.phase == "planned" and party not in self.busy:
                party.ready()
            for channel, message in party.say(self.clock(party, self.now)):
                self.said.append(message)
                self._spread(party, channel, msgspec.json.encode(message))

    def clock(self, party: Host | Node, time: float) -> float:
        """What a party's clock shows at a time of the host's."""
        return time if isinstance(party, Host) else time * (1.0 + self.drift) + self.nodes[party]

    def _spread(self, sender: Host | Node, channel: str, data: bytes) -> None:
        if sender in self.deaf:
            return
        for receiver in [self.host] if isinstance(sender, Node) else list(self.nodes):
            latency = next(self._fate, LATENCY)
            if latency is not None:
                entry = (self.now + latency, next(self._numbers), receiver, channel, data)
                heappush(self._under_way, entry)


def node(name: str, *robots: int, fingerprint: str = "same", version: str = "1") -> Node:
    return Node(name, robots, version, fingerprint)


@given(
    st.lists(st.none() | st.floats(0.0, 0.4), max_size=120),
    st.floats(-1e5, 1e5),
    st.floats(-1e5, 1e5),
)
@settings(max_examples=100)
def test_all_start_at_one_instant_as_far_as_their_clocks_can_be_known(
    fate: list[float | None], first: float, second: float
) -> None:
    offsets = {node("one", 1, 2): first, node("two", 3): second}
    host = Host(announcement(1, 2, 3), timing=TIMING)
    wire = Wire(host, offsets, fate)
    assert wire.until(lambda: host.phase == "agreed" or bool(host.failure))
    if host.failure:
        assert "has not confirmed the start in time" in host.failure
        assert fate
        return
    for each, offset in offsets.items():
        state = host.nodes[each.name]
        assert each.phase == "starting"
        assert state.agreed is not None
        assert abs(each.start - offset - host.start) <= state.agreed.error + 1e-6
        assert state.offset.exchanges >= TIMING.exchanges
        assert wire.now <= host.start + STEP


@pytest.mark.parametrize("drift", [50e-6, -50e-6])
def test_a_clock_that_drifts_for_hours_is_followed_and_the_offset_of_the_start_is_kept_apart(drift: float) -> None:
    only, hours = Node("one", (1,), "1", "same", epoch=7000.0), 4.0
    host = Host(announcement(1), epoch=2000.0)
    wire = Wire(host, {only: 12.5}, drift=drift)
    assert wire.until(lambda: host.phase == "agreed")
    state = host.nodes["one"]
    assert host.clock_offset(state) == pytest.approx(5012.5, abs=1e-3)  # of unix time: 12.5 + 7000 - 2000
    at_start, said = host.clock_offset(state), state.at_start
    wire.step = 0.25
    wire.until(lambda: False, limit=3600.0 * hours)
    assert (host.clock_offset(state), state.at_start) == (at_start, said)
    found = host.clock_drift(state)
    assert abs(found.value - 3600.0 * hours * drift) <= found.error < 0.2
    assert found.error == state.offset.error + said.error
    assert found.value == pytest.approx(3600.0 * hours * drift, rel=0.01)


def test_before_the_start_is_agreed_on_there_is_an_offset_and_no_drift() -> None:
    only = node("one", 1)
    host = Host(announcement(1), epoch=2.0)
    wire = Wire(host, {only: 12.5})
    wire.busy.add(only)
    wire.until(lambda: False, limit=5.0)
    state = host.nodes["one"]
    assert state.offset.exchanges > TIMING.exchanges
    assert host.clock_offset(state) == pytest.approx(10.5, abs=0.01)
    assert host.clock_drift(state) == ClockEstimate(0.0, 0.0)


def test_the_start_is_said_again_as_it_was_agreed_on() -> None:
    first, second = node("one", 1), node("two", 2)
    host = Host(announcement(1, 2), timing=Timing(watch=0.05, lead=2.0))
    chance = random.Random(1)
    wire = Wire(host, {first: 5.0, second: -5.0}, iter(lambda: chance.uniform(0.0, 0.1), None))
    assert wire.until(lambda: host.phase == "starting")
    wire.deaf.add(second)
    wire.until(lambda: False, limit=wire.now + 1.0)
    wire.deaf.clear()
    assert wire.until(lambda: host.phase == "agreed")
    starts = [message for message in wire.said if isinstance(message, Start)]
    assert len(starts) > 3
    assert all(start == starts[0] for start in starts)
    assert {"one": first.start, "two": second.start} == starts[0].at


def test_the_end_reaches_all_and_their_reports_come_back() -> None:
    nodes = {node("one", 1): 5.0, node("two", 2): -5.0}
    host = Host(announcement(1, 2))
    wire = Wire(host, nodes)
    assert wire.until(lambda: host.phase == "agreed")
    host.end("accepted", "all is well")
    assert wire.until(lambda: all(each.phase == "over" for each in nodes))
    for each in nodes:
        assert each.end is not None
        assert (each.end.ended, each.end.reason) == ("accepted", "all is well")
        each.report(report(each.name))
    assert wire.until(lambda: host.reported)
    assert not host.failure


def report(name: str, failed: str = "") -> FinalReport:
    return FinalReport(run="run", node=name, failed=failed, steps=1, lateness_p99=0.0, lateness_max=0.0, dropped={})


def test_a_node_that_fails_tells_the_host() -> None:
    only = node("one", 1, 2, 4)
    host = Host(announcement(1, 2, 3, 4))
    wire = Wire(host, {only: 0.0, node("two", 3): 0.0})
    assert wire.until(lambda: host.phase == "agreed")
    only.report(report("one", "experiment/robot1 at 3 s: division by zero"))
    assert wire.until(lambda: bool(host.failure))
    assert host.failure == "node one (robots 1, 2, 4) has ended: experiment/robot1 at 3 s: division by zero"


@pytest.mark.parametrize("phase", ["planned", "starting"])
def test_a_node_that_loses_its_host_ends_by_itself(phase: str) -> None:
    only = node("one", 1)
    host = Host(announcement(1))
    wire = Wire(host, {only: 0.0})
    if phase == "planned":
        wire.busy.add(only)
    assert wire.until(lambda: only.phase == phase)
    lost = wire.now
    wire.deaf.add(host)
    assert wire.until(lambda: bool(only.failure))
    assert 4.5 < wire.now - lost < 6.0
    assert only.failure.startswith("the host has not been heard of for 5 s: ")


def test_a_host_waits_until_all_robots_have_been_brought_and_forgets_nodes_that_went_away() -> None:
    first, second = node("one", 1), node("two", 2)
    host = Host(announcement(1, 2))
    wire = Wire(host, {first: 0.0})
    assert not wire.until(lambda: host.phase != "gathering", limit=5.0)
    assert host.missing == (2,)
    wire.deaf.add(first)
    assert wire.until(lambda: host.missing == (1, 2), limit=10.0)
    wire.nodes[second] = 0.0
    assert wire.until(lambda: host.missing == (1,), limit=15.0)
    wire.deaf.clear()
    assert wire.until(lambda: host.phase == "agreed")


def test_a_robot_that_two_nodes_bring_is_a_failure() -> None:
    host = Host(announcement(1, 2))
    wire = Wire(host, {node("one", 1): 0.0, node("two", 1): 0.0})
    assert wire.until(lambda: bool(host.failure))
    assert host.failure == "robot 1 would run at node one and at node two: stop one of them"


@pytest.mark.parametrize(
    ("other", "at_host", "at_node"),
    [
        (node("one", 1, fingerprint="other"), "another scenario", "the same --set"),
        (node("one", 1, version="2"), "has devs-robotics 2, and the host 1", "install the same"),
    ],
)
def test_a_node_of_another_version_or_scenario_is_told_to_both_users(other: Node, at_host: str, at_node: str) -> None:
    host = Host(announcement(1))
    wire = Wire(host, {other: 0.0})
    assert not wire.until(lambda: host.phase != "gathering", limit=3.0)
    assert at_host in host.unfit["one"]
    assert at_node in other.refused[0]


def test_a_node_that_is_started_anew_is_judged_anew() -> None:
    right, wrong = node("one", 1), node("one", 1, fingerprint="other")
    host = Host(announcement(1, 2))
    wire = Wire(host, {wrong: 0.0})
    assert wire.until(lambda: "one" in host.unfit)
    del wire.nodes[wrong]
    wire.nodes[right] = 0.0
    assert wire.until(lambda: "one" in host.nodes, limit=10.0)
    assert host.unfit == {}
    del wire.nodes[right]
    wire.nodes[wrong] = 0.0
    assert wire.until(lambda: "one" in host.unfit, limit=20.0)
    assert host.nodes == {}


def test_a_node_that_takes_too_long_is_named() -> None:
    slow = node("one", 1)
    host = Host(announcement(1), timing=TIMING)
    wire = Wire(host, {slow: 0.0})
    wire.busy.add(slow)
    assert wire.until(lambda: bool(host.failure))
    assert 20.0 < wire.now < 21.0
    assert host.failure.startswith("node one (robot 1) has not become ready in time: ")


def test_words_of_one_node_on_the_topic_of_another_are_dropped() -> None:
    host = Host(announcement(1, 2))
    nodes = {node("one", 1): 0.0, node("two", 2): 0.0}
    wire = Wire(host, nodes)
    assert wire.until(lambda: host.phase == "agreed")
    before = host.dropped
    wire.send(host, control_topic("run", "two"), msgspec.json.encode(report("one", "no, not me")))
    wire.send(host, control_topic("run", "two"), msgspec.json.encode(Ready(run="other", node="two")))
    offer = Offer(run="run", node="host", version="1", fingerprint="same", robots=(1,))
    wire.send(host, offers_topic("run"), msgspec.json.encode(offer))
    wire.until(lambda: host.dropped == before + 3, limit=wire.now + 1.0)
    assert host.dropped == before + 3
    assert not host.failure


def test_ten_thousand_garbage_frames_do_no_harm() -> None:
    chance = random.Random(1)
    only = node("one", 1)
    host = Host(announcement(1))
    wire = Wire(host, {only: 0.0})
    assert wire.until(lambda: host.phase == "agreed")
    whole = msgspec.json.encode(report("one", "no")), msgspec.json.encode(announcement(1))
    for number in range(10_000):
        frame = bytearray(whole[number % 2] if number % 4 < 2 else chance.randbytes(chance.randrange(60)))
        for _ in range(2):
            if frame:
                frame[chance.randrange(len(frame))] = chance.randrange(128, 256)
        party, channel = ((host, control_topic("run", "one")), (only, ANNOUNCE))[number % 2]
        party.hear(channel, bytes(frame), wire.now)
    assert (host.dropped, only.dropped) == (5_000, 5_000)
    assert not host.failure
