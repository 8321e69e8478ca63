"""What a host and a node say to each other over a transport, on a clock that the test drives."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import msgspec
import pytest

from devs_robotics import Arrival, Link, Loopback
from devs_robotics.core.distribution import AgreedClock, ControlLine, Host, Node, control_line
from devs_robotics.core.distribution.control import ANNOUNCE, Announcement, control_topic
from devs_robotics.core.distribution.control_line import CONTROL_PERIOD, CONTROL_QUEUE_CAPACITY
from devs_robotics.core.realtime import clock as wall
from tests.hand_time import HandTime


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandTime:
    clock = HandTime(1000.0)
    monkeypatch.setattr(control_line, "time", clock)
    return clock


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def announcement() -> Announcement:
    return Announcement(run="run", version="1", fingerprint="same", stage="loop", rate=1.0, robots=(1,))


def lines(stack: ExitStack) -> tuple[ControlLine, ControlLine]:
    """A host's and a node's, entered."""
    here, there = Loopback.pair()
    host, node = ControlLine(here, Host(announcement())), ControlLine(there, Node("left", (1,), "1", "same"))
    return stack.enter_context(host), stack.enter_context(node)


def test_a_host_and_a_node_agree_over_it_and_their_times_are_those_of_the_arrivals(
    clock: HandTime, stack: ExitStack
) -> None:
    host, node = lines(stack)
    assert isinstance(host.party, Host)
    assert isinstance(node.party, Node)
    for _ in range(200):
        clock.now += CONTROL_PERIOD
        host.step()
        if node.party.phase == "planned":
            node.party.ready()
        node.step()
    assert host.party.phase == "agreed"
    assert node.party.start == pytest.approx(host.party.start)  # it is one clock
    state = host.party.nodes["left"]
    assert state.offset.value == pytest.approx(0.0, abs=1e-9)
    # a pong that came just after the last step waits until the next, which is no part of the round trip
    assert state.offset.round_trip < 0.1 * CONTROL_PERIOD
    assert (host.party.dropped, node.party.dropped) == (0, 0)


def test_it_listens_to_each_channel_once_and_to_new_ones_when_there_are_some(clock: HandTime, stack: ExitStack) -> None:
    heard: list[str] = []

    class Noting(Loopback):
        def listen(self, channel: str) -> None:
            heard.append(channel)
            super().listen(channel)

    node = stack.enter_context(ControlLine(Noting(), Node("left", (1,), "1", "same")))
    assert heard == [ANNOUNCE]
    node.step()
    assert heard == [ANNOUNCE]
    node.party.hear(ANNOUNCE, msgspec.json.encode(announcement()), clock.now)
    for _ in range(2):
        node.step()
    assert heard == [ANNOUNCE, control_topic("run", "host")]


def test_the_trouble_of_the_link_is_told_as_long_as_it_lasts(clock: HandTime, stack: ExitStack) -> None:
    here, there = Loopback.pair()
    line = stack.enter_context(ControlLine(here, Host(announcement())))
    there.open(lambda arrival: None)
    line.step()
    assert line.trouble == ""
    here.cut("the broker has gone")
    assert line.trouble == ""  # nothing happens but in a step
    line.step()
    assert line.trouble == "the broker has gone"
    here.mend()
    line.step()
    assert line.trouble == ""


def test_its_transport_ends_with_it(clock: HandTime) -> None:
    here, there = Loopback.pair()
    said: list[Arrival] = []
    there.open(said.append)
    with ControlLine(here, Host(announcement())):
        assert [arrival.content for arrival in said] == [Link(up=True)]
    assert said[-1].content == Link(up=False, reason="the other end was closed")


def test_it_is_stepped_at_a_pace_however_often_it_is_watched(clock: HandTime, stack: ExitStack) -> None:
    here, there = Loopback.pair()
    said: list[Arrival] = []
    there.listen(ANNOUNCE)
    there.open(said.append)
    line = stack.enter_context(ControlLine(here, Host(announcement())))
    line.step()
    words = len(said)
    assert words == 2  # that the link is up, and the announcement
    for _ in range(10):
        clock.now += 0.09 * CONTROL_PERIOD
        here.cut("broken")
        line.watch()
        assert line.trouble == ""
    clock.now += 0.2 * CONTROL_PERIOD
    line.watch()
    assert line.trouble == "broken"


def test_it_waits_until_something_is_so_or_its_patience_is_over_or_somebody_interrupts(stack: ExitStack) -> None:
    host, node = lines(stack)
    looks = iter([False, False, True, True])
    assert host.until(lambda: next(looks), 60.0)
    assert not host.until(lambda: False, 2 * CONTROL_PERIOD)
    assert not node.until(lambda: False, 60.0, lambda: True)
    assert node.until(lambda: True, 0.0, lambda: True)


def test_a_flood_is_dropped_above_a_bound_and_holds_no_step_up(clock: HandTime, stack: ExitStack) -> None:
    here, there = Loopback.pair()
    node = Node("left", (1,), "1", "same")
    line = stack.enter_context(ControlLine(here, node))
    there.open(lambda arrival: None)
    line.step()
    for _ in range(CONTROL_QUEUE_CAPACITY + 10):
        there.send(ANNOUNCE, b"garbage")
    line.step()
    assert node.dropped == CONTROL_QUEUE_CAPACITY
    there.send(ANNOUNCE, b"garbage")
    hear, times = node.hear, 0

    def hear_and_be_sent_more(channel: str, data: bytes, at: float) -> None:
        nonlocal times
        times += 1
        assert times < 10, "one step goes on for ever"
        there.send(ANNOUNCE, b"more")
        hear(channel, data, at)

    node.hear = hear_and_be_sent_more  # type: ignore[method-assign]
    line.step()
    assert times == 1


def test_an_agreed_clock_shows_zero_when_that_was_agreed_whenever_the_run_is_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = HandTime(1000.0)
    monkeypatch.setattr(wall, "time", clock)
    agreed = AgreedClock(4.0, begins=1010.0)
    for shows in (-40.0, 0.0, 4.0):
        assert agreed.now() == shows
        agreed.start()
        assert agreed.now() == shows
        clock.now = 1010.0 + (shows + 4.0) / 4.0 if shows >= 0.0 else 1010.0
