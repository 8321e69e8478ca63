"""A host and a node, each by itself: what it believes, and what it says again."""

from __future__ import annotations

import msgspec
import pytest

from devs_robotics.core.distribution import Host, Timing
from devs_robotics.core.distribution.control import (
    ANNOUNCE,
    Announcement,
    End,
    HostMessage,
    NodeMessage,
    Offer,
    Ping,
    Plan,
    Pong,
    Ready,
    Start,
    Starting,
    control_topic,
    offers_topic,
)
from devs_robotics.core.distribution.host import MOST_UNFIT_NODES
from devs_robotics.core.distribution.node import MOST_ANNOUNCED_RUNS
from tests.devs_robotics.core.distribution.test_agreement import Wire, announcement, node, report


def offer(host: Host, name: str, *robots: int, fingerprint: str = "same") -> None:
    """Have a host hear an offer."""
    data = Offer(run="run", node=name, version="1", fingerprint=fingerprint, robots=robots)
    host.hear(offers_topic("run"), msgspec.json.encode(data), 1.0)


def test_who_comes_when_all_robots_are_there_is_not_listened_to() -> None:
    host = Host(announcement(1, 2))
    offer(host, "one", 1, 7)
    offer(host, "none", 7)
    assert {name: node.robots for name, node in host.nodes.items()} == {"one": (1,)}
    offer(host, "two", 2)
    host.say(1.0)
    assert host.phase == "preparing"
    for latecomer in ("one", "late"):
        offer(host, latecomer, 1, 2, fingerprint="other")
        offer(host, latecomer, 1, 2)
    assert (list(host.nodes), host.unfit, host.failure) == (["one", "two"], {}, "")


def test_a_crowd_of_unfit_nodes_fills_no_memory() -> None:
    host = Host(announcement(1))
    for number in range(MOST_UNFIT_NODES + 100):
        offer(host, f"node{number}", 1, fingerprint="other")
    assert MOST_UNFIT_NODES <= len(host.unfit) <= MOST_UNFIT_NODES + 1


def test_a_node_keeps_the_latest_runs_in_mind_and_offers_its_robots_to_those_that_want_them() -> None:
    only = node("one", 1, 2)
    for number in range(MOST_ANNOUNCED_RUNS + 4):
        wanted = Announcement(
            run=f"run{number}", version="1", fingerprint="same", stage="loop", rate=1.0, robots=(2, 5)
        )
        only.hear(ANNOUNCE, msgspec.json.encode(wanted), 1.0)
    unwanted = Announcement(run="other", version="1", fingerprint="same", stage="loop", rate=1.0, robots=(5,))
    only.hear(ANNOUNCE, msgspec.json.encode(unwanted), 1.0)
    assert only.channels == [
        ANNOUNCE,
        *(control_topic(f"run{number}", "host") for number in range(4, MOST_ANNOUNCED_RUNS + 4)),
    ]
    offers = [message for _, message in only.say(1.0)]
    assert [each.run for each in offers] == [f"run{number}" for number in range(MOST_ANNOUNCED_RUNS + 4)]
    assert all(isinstance(each, Offer) and each.robots == (1, 2) for each in offers)
    assert only.say(1.0) == []
    for run in ("run4", "another"):  # the one that was announced again is not the oldest any more
        wanted = Announcement(run=run, version="1", fingerprint="same", stage="loop", rate=1.0, robots=(2, 5))
        only.hear(ANNOUNCE, msgspec.json.encode(wanted), 1.0)
    assert control_topic("run4", "host") in only.channels
    assert control_topic("run5", "host") not in only.channels


def test_what_a_node_has_said_is_said_again_when_the_host_has_not_heard_it() -> None:
    only, own = node("one", 1), control_topic("run", "host")
    plan, start = Plan(run="run", robots={"one": (1,)}, addresses={}), Start(run="run", at={"one": 5.0})

    def answers(message: HostMessage, channel: str = own) -> list[NodeMessage]:
        only.hear(channel, msgspec.json.encode(message), 1.0)
        return [answer for _, answer in only.say(1.0)]

    assert answers(Ping(run="run", sent=0.5)) == []  # it is not yet of this run
    answers(announcement(1), ANNOUNCE)
    assert answers(start) == answers(plan) == []
    only.ready()
    assert [answer for _, answer in only.say(1.0)] == answers(plan) == [Ready(run="run", node="one")]
    only.hear(own, msgspec.json.encode(Ping(run="run", sent=0.5)), 0.75)
    (pong,) = [answer for _, answer in only.say(1.0)]
    assert pong == Pong(run="run", node="one", sent=0.5, got=0.75, replied=1.0, epoch=0.0)
    assert answers(announcement(1), ANNOUNCE) == []
    assert answers(start) == answers(start) == [Starting(run="run", node="one")]
    only.report(report("one"))
    assert [answer for _, answer in only.say(1.0)] == [report("one")]
    end = End(run="run", ended="accepted", reason="")
    assert answers(end) == answers(end) == [report("one")]
    only.say(1000.0)
    assert only.failure == ""  # it is over


@pytest.mark.parametrize("other", [{"fingerprint": "other"}, {"version": "2"}], ids=str)
def test_a_plan_of_a_host_with_another_version_or_scenario_is_not_followed(other: dict[str, str]) -> None:
    only = node("one", 1)
    only.hear(ANNOUNCE, msgspec.json.encode(announcement(1, **other)), 1.0)
    plan = Plan(run="run", robots={"one": (1,)}, addresses={})
    only.hear(control_topic("run", "host"), msgspec.json.encode(plan), 1.0)
    assert only.phase == "waiting"


def test_a_host_asks_for_the_time_at_a_pace_quickly_before_the_start_and_slowly_after_it() -> None:
    only, timing = node("one", 1), Timing()
    host = Host(announcement(1), timing=timing)

    def pings(at: float) -> list[Ping]:
        return [message for _, message in host.say(at) if isinstance(message, Ping)]

    assert pings(1.0) == pings(2.0) == []  # while it gathers
    offer(host, "one", 1)
    pace = timing.measure
    assert [len(pings(2.0 + share * pace)) for share in (0.0, 0.5, 1.1, 1.6, 2.2)] == [1, 0, 1, 0, 1]
    host = Host(announcement(1), timing=timing)
    wire = Wire(host, {only: 0.0})
    assert wire.until(lambda: host.phase == "agreed")
    now, pace = wire.now + timing.watch, timing.watch
    assert [len(pings(now + share * pace)) for share in (0.0, 0.5, 1.1, 1.6, 2.2)] == [1, 0, 1, 0, 1]


def test_a_new_phase_is_told_at_once_and_then_now_and_again_until_it_is_answered() -> None:
    only, timing = node("one", 1), Timing()
    host = Host(announcement(1), timing=timing)
    wire = Wire(host, {only: 0.0})
    assert wire.until(lambda: host.phase == "agreed")
    host.say(wire.now)
    host.end("accepted", "all is well" * 1000)
    own, now = control_topic("run", "host"), wire.now

    def ends(at: float) -> list[End]:
        return [message for channel, message in host.say(at) if isinstance(message, End) and channel == own]

    (end,) = ends(now)
    assert (end.ended, len(end.reason)) == ("accepted", 2000)
    assert ends(now + 0.9 * timing.repeat) == []
    assert ends(now + 1.1 * timing.repeat) == [end]
    host.hear(control_topic("run", "one"), msgspec.json.encode(report("one", "it was told to")), now)
    assert ends(now + 3.0 * timing.repeat) == []
    assert (host.failure, host.reported) == ("", True)


def test_what_comes_on_another_channel_than_the_host_s_is_dropped() -> None:
    only = node("one", 1)
    host = Host(announcement(1))
    wire = Wire(host, {only: 0.0})
    assert wire.until(lambda: host.phase == "agreed")
    heard, start, end = wire.now, only.start, End(run="run", ended="failed", reason="says somebody else")
    own = control_topic("run", "host")
    for number, channel in enumerate(
        [ANNOUNCE, control_topic("run", "two"), control_topic("run", "one"), control_topic("other", "host")], 1
    ):
        only.hear(channel, msgspec.json.encode(end), heard)
        assert only.dropped == number
    only.hear(own, msgspec.json.encode(announcement(1)), heard)
    assert only.dropped == 5
    only.hear(own.replace("run", "other"), msgspec.json.encode(Start(run="other", at={"one": 1.0})), heard)
    assert (only.phase, only.start, only.end) == ("starting", start, None)
    only.hear(own, msgspec.json.encode(end), heard)
    assert (only.phase, only.end, only.dropped) == ("over", end, 5)


@pytest.mark.parametrize(
    "robots", [{"one": (3,)}, {"one": (1, 3)}, {"two": (1,)}, {}], ids=["another", "one more", "not it", "nobody"]
)
def test_a_plan_that_is_not_about_what_a_node_has_offered_is_not_followed(robots: dict[str, tuple[int, ...]]) -> None:
    only, plan = node("one", 1, 2), control_topic("run", "host")
    only.hear(plan, msgspec.json.encode(Plan(run="run", robots={"one": (1,)}, addresses={})), 1.0)
    assert only.phase == "waiting"  # it has not heard of the run
    only.hear(ANNOUNCE, msgspec.json.encode(announcement(1, 2, 3)), 1.0)
    only.hear(plan, msgspec.json.encode(Plan(run="run", robots=robots, addresses={})), 1.0)
    assert only.phase == "waiting"
    taken = Plan(run="run", robots={"one": (2,), "two": (3,)}, addresses={2: "mqtt://host/2"})
    only.hear(plan, msgspec.json.encode(taken), 1.0)
    assert (only.phase, only.plan, only.announcement) == ("planned", taken, announcement(1, 2, 3))
