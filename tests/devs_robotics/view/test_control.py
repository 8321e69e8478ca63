"""What viewers may do to a run: pause it, let it go on, take a step, change its pace."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from devs_robotics import HandClock, Lateness, Run, Simulator, WallClock
from devs_robotics.core.distribution import AgreedClock
from devs_robotics.core.observe import Recorder
from devs_robotics.core.realtime.clock import PacedClock
from devs_robotics.view.control import Control, allowed
from tests.approximately import near
from tests.devs_robotics.core.realtime.test_watchdog import Robot

PLAN = [(0.5 * number, lambda: None) for number in range(1, 20)]


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What real time it is (s)."""
    now = [100.0]
    monkeypatch.setattr("devs_robotics.core.realtime.clock.time.monotonic", lambda: now[0])
    monkeypatch.setattr("devs_robotics.core.realtime.clock._monotonic", lambda: now[0])
    return now


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
