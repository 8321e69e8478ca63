"""Transducers that measure until the observation is over."""

from __future__ import annotations

from math import fsum

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import In, Simulator
from devs_robotics.experimental_frames.frame import TimedTransducer
from tests.approximately import near


class Switched(TimedTransducer):
    """Measures how long something is on."""

    on = In(bool)

    def __init__(self, name: str, duration: float) -> None:
        super().__init__(name, duration)
        self.is_on = False
        self.on_s = 0.0

    def passed(self, seconds: float) -> None:
        self.on_s += seconds * self.is_on

    def deltext(self, e: float) -> None:
        super().deltext(e)
        for value in self.on.values:
            self.is_on = value


@given(st.lists(st.tuples(st.floats(0.0, 9.0), st.booleans()), max_size=8).map(sorted))
def test_time_counts_until_the_observation_is_over(switches: list[tuple[float, bool]]) -> None:
    switched = Switched("switched", 10.0)
    with Simulator(switched) as simulator:
        for at, value in switches:
            simulator.inject(switched.on, value, at=at)
        simulator.run(until=20.0)
    ends = [at for at, _ in switches[1:]] + [10.0]
    assert switched.on_s == near(fsum(end - at for (at, on), end in zip(switches, ends, strict=False) if on))
    assert (switched.time, switched.phase) == (10.0, "done")
