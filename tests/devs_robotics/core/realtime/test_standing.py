"""Runs that somebody pauses: the clock stands, what is at the bridge is held, and nothing is late afterwards."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import pytest

from devs_robotics import (
    Bridge,
    DevsRoboticsError,
    FastClock,
    HandClock,
    HeldLink,
    Lateness,
    Link,
    Loopback,
    Packet,
    Run,
    Simulator,
    WallClock,
)
from devs_robotics.core.distribution import AgreedClock
from devs_robotics.core.observe import Recorder
from devs_robotics.core.realtime.clock import PacedClock
from devs_robotics.view.control import Control, allowed
from tests.approximately import near
from tests.devs_robotics.core.realtime.station import Station
from tests.devs_robotics.core.realtime.test_watchdog import Robot

PLAN = [(0.5 * number, lambda: None) for number in range(1, 20)]


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


def played(pause_at: float, gap: float) -> tuple[list[Any], Lateness]:
    """What happens, and how late, in a run of ten seconds that is paused on the way."""
    clock, lateness, recorder = HandClock(), Lateness(), Recorder()
    with Simulator(Robot(*PLAN)) as simulator:
        simulator.attach(recorder)
        run = Run(simulator, clock, lateness=lateness)
        gone = [0.0]

        def sleep(seconds: float) -> None:
            clock.go_on(seconds)
            gone[0] += seconds
            if gone[0] >= gap:
                assert control.obey("resume", None) == ""

        control = Control(run, "realtime", sleep=sleep)

        def report() -> None:
            if not gone[0] and simulator.time >= pause_at:
                assert control.obey("pause", None) == ""
            while control.waits():
                control.rest()

        run.until(time=10.0, report=report)
        assert gap <= gone[0] <= gap + 0.03
    return recorder.events, lateness


def test_a_pause_of_five_seconds_makes_nothing_late_and_changes_nothing() -> None:
    events, lateness = played(inf, 0.0)
    paused, late = played(3.2, 5.0)
    assert paused == events
    assert list(late.times) == list(lateness.times)
    assert list(late.values) == list(lateness.values) == [0.0] * len(lateness.values)


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


def test_what_viewers_may_do_depends_on_the_stage() -> None:
    with Simulator(Robot()) as simulator:
        assert allowed("fast", Run(simulator, PacedClock()))[0] == ("pause", "resume", "step", "pace")
        assert allowed("realtime", Run(simulator, WallClock()))[0] == ("pause", "resume", "step", "pace")
        assert allowed("loop", Run(simulator, WallClock())) == (("pause", "resume"), "")
        may, why = allowed("distributed", Run(simulator, AgreedClock(1.0, 0.0)))
        assert may == ()
        assert "agreed with other processes" in why


def test_the_pace_of_a_run_is_changed_in_bounds() -> None:
    with Simulator(Robot()) as simulator:
        clock = PacedClock()
        control = Control(Run(simulator, clock), "fast")
        assert control.pace == 0.0
        assert control.obey("pace", 2.5) == ""
        assert control.pace == clock.pace == 2.5
        for wrong in (-1.0, 1e9, "fast", float("nan")):
            assert control.obey("pace", wrong).startswith("a pace is a number")
        assert control.obey("pace", 0) == ""
        assert clock.pace == inf


def test_a_run_that_cannot_keep_its_pace_does_not_hurry_later(hand: list[float]) -> None:
    with Simulator(Robot((1.0, lambda: None))) as simulator:
        clock = PacedClock(1.0)
        clock.start()
        control = Control(Run(simulator, clock), "fast")
        hand[0] += 1.2
        control.keep_pace()
        assert clock.now() == near(1.2)
        hand[0] += 5.0
        control.keep_pace()
        assert clock.now() == near(1.0)
