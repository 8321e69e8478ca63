"""Ends that a run cannot have, and runs without a clock."""

from __future__ import annotations

from math import inf, nan
from threading import Timer

import pytest

from devs_robotics import (
    Bridge,
    HandClock,
    Loopback,
    ModelError,
    Run,
    Simulator,
)
from tests.devs_robotics.core.realtime.station import Station
from tests.devs_robotics.core.small_models import Sender


@pytest.mark.parametrize("time", [nan, -1.0, -inf])
@pytest.mark.parametrize("begun", [False, True])
def test_a_run_cannot_last_until_a_time_that_is_none(time: float, begun: bool) -> None:
    with Simulator(Sender("sender", (1.0, 0), (2.0, 0))) as simulator:
        if begun:
            simulator.run(until=1.0)
        for run in (Run(simulator, HandClock()).until, Run(simulator).until):
            with pytest.raises(ModelError, match=r"a run cannot end at (nan|-1|-inf) s: (it is|give)"):
                run(time=time)
        with pytest.raises(ModelError, match="a run cannot end at"):
            simulator.run(until=time)
        simulator.run(until=simulator.time)


@pytest.mark.wall_clock
def test_what_arrives_in_a_run_without_a_clock_comes_at_the_simulators_time_and_is_waited_for() -> None:
    station, (here, there), bridge = Station(), Loopback.pair(), Bridge()
    there.open(lambda arrival: None)
    bridge.connect(here, station.outgoing, station.incoming, listen_on="words")
    turns = 0

    def report() -> None:
        nonlocal turns
        turns += 1
        if turns == 5:
            Timer(0.3, lambda: there.send("words", b"over")).start()

    with Simulator(station) as simulator:
        Run(simulator, bridge=bridge).until(station.over, report=report)
    assert station.operator.heard == [(0.0, True), (0.0, b"over")]
    assert turns < 200  # and nobody looks again and again meanwhile


def test_a_run_begins_where_its_simulation_has_come_to_meanwhile() -> None:
    started: list[float] = []

    class Noted(HandClock):
        def start(self, time: float = 0.0) -> None:
            started.append(time)
            super().start(time)

    with Simulator(Sender("sender", (5.0, "a"), (8.0, "b"))) as simulator:
        going = Run(simulator, Noted())
        simulator.run(until=5.0)
        going.until(time=6.0)
        going.until(time=7.0)
    assert started == [5.0, 6.0]
