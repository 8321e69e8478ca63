"""Runs that somebody pauses: the clock stands, what is at the bridge is held, and nothing is late afterwards."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest

from devs_robotics import (
    Bridge,
    DevsRoboticsError,
    FastClock,
    HandClock,
    HeldLink,
    Link,
    Loopback,
    Packet,
    Run,
    Simulator,
    WallClock,
)
from devs_robotics.core.distribution import AgreedClock
from devs_robotics.core.realtime.clock import PacedClock
from tests.approximately import near
from tests.devs_robotics.core.realtime.station import Station
from tests.devs_robotics.core.realtime.test_bridge import World


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What real time it is (s)."""
    now = [100.0]
    monkeypatch.setattr("devs_robotics.core.realtime.clock.time.monotonic", lambda: now[0])
    monkeypatch.setattr("devs_robotics.core.realtime.clock._monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize("rate", [0.5, 1.0, 20.0])
def test_what_passes_while_a_clock_stands_does_not_count(hand: list[float], rate: float) -> None:
    clock = WallClock(rate)
    clock.start(3.0)
    hand[0] += 2.0
    clock.stand()
    hand[0] += 1000.0
    assert clock.now() == near(3.0 + 2.0 * rate)
    clock.set_back(-0.25)  # a step
    clock.resume()
    hand[0] += 1.0
    assert clock.now() == near(3.25 + 3.0 * rate)
    clock.resume()  # which does nothing
    assert clock.now() == near(3.25 + 3.0 * rate)


def test_a_clock_changes_its_rate_without_a_jump(hand: list[float]) -> None:
    clock = WallClock(1.0)
    clock.start()
    hand[0] += 5.0
    clock.change_rate(10.0)
    assert clock.now() == near(5.0)
    hand[0] += 1.0
    assert clock.now() == near(15.0)
    clock.stand()
    clock.change_rate(2.0)
    assert clock.now() == near(15.0)
    clock.resume()
    hand[0] += 1.0
    assert clock.now() == near(17.0)


def test_a_fast_run_is_slowed_down_and_let_go_again(hand: list[float]) -> None:
    clock = PacedClock()
    clock.start()
    assert clock.now() == clock.pace == inf
    clock.set_pace(4.0, 10.0)
    hand[0] += 2.0
    assert clock.now() == near(18.0)
    clock.stand()
    hand[0] += 50.0
    clock.set_pace(1.0, 18.0)
    hand[0] += 50.0
    assert clock.now() == near(18.0)
    clock.resume()
    hand[0] += 1.0
    assert clock.now() == near(19.0)
    clock.set_pace(inf, 19.0)
    assert clock.now() == inf
    clock.stand()
    clock.set_pace(2.0, 30.0)
    hand[0] += 5.0
    assert clock.now() == near(30.0)
    clock.resume()
    hand[0] += 5.0
    assert clock.now() == near(40.0)


@pytest.mark.parametrize("clock", [FastClock(), AgreedClock(1.0, 0.0)], ids=["fast", "agreed"])
def test_clocks_of_others_cannot_stand(clock: FastClock | AgreedClock) -> None:
    with pytest.raises(DevsRoboticsError, match=f"a {type(clock).__name__} cannot stand still"):
        clock.stand()
    clock.resume()


def test_what_lives_at_the_bridge_is_held_and_hears_nothing_of_the_time_between() -> None:
    """As robots do, which live on while the run stands: they are stopped, and what they send is of use to nobody."""
    clock, station, bridge = HandClock(), Station(), Bridge()
    clock.is_real = True
    here, there = Loopback.pair("robot")
    said: list[bytes] = []
    there.listen("")
    there.open(lambda arrival: said.append(arrival.content.data) if isinstance(arrival.content, Packet) else None)
    bridge.connect(here, station.outgoing, station.incoming, stop_message=lambda: [b"stop"])
    with Simulator(station) as simulator:
        run = Run(simulator, clock, bridge)
        at: dict[float, Callable[[], None]] = {1.0: run.stand, 2.0: lambda: there.send("", b"late"), 6.0: run.go_on}
        at |= {0.5: lambda: there.send("", b"early"), 6.2: lambda: there.send("", b"over")}
        passed = [0.0]

        def report() -> None:
            passed[0] += 0.1
            for when in [when for when in at if when <= passed[0]]:
                at.pop(when)()

        run.until(station.over, report=report)
    heard = station.operator.heard
    contents = [content for _, content in heard]
    assert b"late" not in contents
    assert contents[-2:] == [True, b"over"]
    assert contents.index(False) > contents.index(b"early")
    assert said.index(b"stop") < said.index(b"OVER")
    assert heard[-1][0] < 2.0


@pytest.mark.parametrize("stoppable", [True, False])
def test_while_a_run_stands_still_packets_are_dropped_and_word_of_the_link_is_not(stoppable: bool) -> None:
    world = World(streams=False, stoppable=stoppable)
    robot = world.robots[0]
    for at, action in (
        (0.5, lambda: robot.send("", b"before")),
        (1.0, lambda: world.bridge.rest("paused")),
        (2.0, lambda: robot.send("", b"meanwhile")),
        (2.5, robot.cut),
        (3.0, lambda: world.bridge.wake("paused")),
        (3.5, robot.mend),
        (4.0, lambda: robot.send("", b"after")),
    ):
        world.clock.at(at, action)
    world.run(5.0)
    assert [data for _, data in world.packets(0)] == [b"before", b"after"]
    words = [(round(at, 1), content.up) for at, content in world.heard(0) if isinstance(content, Link)]
    assert words == (
        [(0.0, True), (1.0, False), (3.5, True)] if stoppable else [(0.0, True), (2.5, False), (3.5, True)]
    )


def test_links_that_are_held_say_so() -> None:
    bridge, station = Bridge(), Station()
    here, _ = Loopback.pair("robot")
    bridge.connect(here, station.outgoing, station.incoming, stop_message=lambda: [b"stop"])
    with Simulator(station) as simulator:
        bridge.open(HandClock())
        bridge.rest("somebody")
        assert [type(link) for _, link in bridge._told] == [HeldLink]
        bridge.wake("somebody")
        bridge.collect(simulator, 0.0)
        bridge.close()
    assert Link(up=True) != HeldLink(up=False)
