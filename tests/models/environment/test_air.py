"""The air: who is in range is known at every instant, channels are private, losses depend on nobody else."""

from __future__ import annotations

from math import hypot, inf, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import ModelError
from devs_robotics.models.environment import Air, Reception, TrajectoryChange, Transmit
from devs_robotics.models.environment.motion.arc import Arc
from tests.approximately import near

Heard = list[tuple[float, str, Reception]]
"""When (s), by whom, and what."""


class Bench:
    """Air with robots that a test moves, and whose transceivers it commands."""

    def __init__(self, *arcs: Arc, reach: float = 2.0, latency: float = 0.0, loss: float = 0.0, queue: int = 100):
        self.air = Air("air", [arc.pose(0.0) for arc in arcs], 1, reach, latency, loss, queue)
        self.ports = {}
        for robot in range(1, len(arcs) + 1):
            exchange = self.air.offer(robot, Transmit, Reception)
            assert exchange is not None
            self.ports[robot] = exchange
        self.time = 0.0
        self.heard: Heard = []
        self.seen: list[tuple[float, tuple[tuple[int, int], ...]]] = []
        self.air.initialize()
        self.move(**{f"r{robot}": arc for robot, arc in enumerate(arcs, 1)})

    def move(self, **arcs: Arc) -> None:
        for name, arc in arcs.items():
            self.air.trajectory_change.add(TrajectoryChange(int(name[1:]), arc))
        self._tell()

    def say(self, robot: int, command: Transmit) -> None:
        self.ports[robot].ask.add(command)
        self._tell()

    def _tell(self, e: float = 0.0) -> None:
        self.air.deltext(e)
        for port in self.air.in_ports:
            port.clear()
        self._look()

    def until(self, time: float) -> None:
        while self.time + self.air.ta() <= time:
            self.time += self.air.ta()
            self.air.lambdaf()
            for port in self.air.out_ports:
                self.heard += [(self.time, port.name, value) for value in port.values]
                port.clear()
            self.air.deltint()
            self._look()
        if self.air.ta() < inf or time > self.time:
            self._tell(time - self.time)
        self.time = time

    def _look(self) -> None:
        pairs = tuple((one, other) for one, others in self.air.near.items() for other in sorted(others) if one < other)
        if not self.seen or self.seen[-1][1] != pairs:
            self.seen.append((self.time, pairs))


def test_robots_on_two_lines_are_in_range_as_long_as_the_chord_says() -> None:
    for w, v in ((0.5, 0.5), (0.0, 0.3), (1.9, 1.0)):
        bench = Bench(Arc(0.0, -40.0, 0.0, 0.0, v), Arc(0.0, 40.0, w, 3.141592653589793, v))
        bench.until(400.0)
        (_, none), (entry, pair), (exit_, none_again) = bench.seen
        assert (none, pair, none_again) == ((), ((1, 2),), ())
        assert exit_ - entry == near(2.0 * sqrt(4.0 - w * w) / (2.0 * v), 1e-6)
    assert 2.0 * sqrt(4.0 - 0.25) == near(3.873, 1e-3)


arcs = st.builds(
    Arc,
    st.just(0.0),
    st.floats(-6.0, 6.0),
    st.floats(-6.0, 6.0),
    st.floats(-3.0, 3.0),
    st.sampled_from([0.0, 0.3, 0.6, -0.6]),
    st.sampled_from([0.0, 0.0, 0.59, -0.2]),
)


@settings(max_examples=60)
@given(st.lists(st.lists(arcs, min_size=3, max_size=3), min_size=1, max_size=3))
def test_at_every_instant_it_knows_who_is_in_range(legs: list[list[Arc]]) -> None:
    bench = Bench(*legs[0])
    now = list(legs[0])
    for number, leg in enumerate(legs):
        begin = 4.0 * number
        if number:
            now = [
                Arc(begin, *arc.pose(begin)[:2], new.heading, new.speed, new.turn_rate)
                for arc, new in zip(now, leg, strict=True)
            ]
            bench.move(**{f"r{robot}": arc for robot, arc in enumerate(now, 1)})
        for tenth in range(1, 41):
            time = begin + tenth / 10.0
            bench.until(time)
            for one in (1, 2, 3):
                for other in range(one + 1, 4):
                    (ax, ay, _), (bx, by, _) = now[one - 1].pose(time), now[other - 1].pose(time)
                    gap = hypot(bx - ax, by - ay) - 2.0
                    if abs(gap) > 2e-3:
                        assert (other in bench.air.near[one]) == (gap < 0.0), (time, one, other, gap)
                        assert (one in bench.air.near[other]) == (gap < 0.0)


def test_what_is_repeated_goes_out_at_entry_and_then_each_period_as_long_as_somebody_is_there() -> None:
    bench = Bench(Arc(0.0, -12.0, 0.0, 0.0, 1.0), Arc(0.0, 0.0, 0.0, 0.0))
    for robot in (1, 2):
        bench.say(robot, Transmit(0, "here", (float(robot),), period=1.5))
    bench.until(60.0)
    assert [time for time, port, _ in bench.heard if port == "hears2"] == [near(10.0), near(11.5), near(13.0)]
    assert [each.numbers for _, port, each in bench.heard if port == "hears1"] == [(2.0,)] * 3


def test_nobody_else_hears_what_is_sent_on_another_channel_and_who_comes_back_is_told_who_is_there() -> None:
    bench = Bench(*(Arc(0.0, 0.5 * robot, 0.0, 0.0) for robot in range(3)), latency=0.1)
    bench.say(3, Transmit(0, "here", period=5.0))
    bench.until(0.5)
    assert [(time, port) for time, port, _ in bench.heard] == [(0.1, "hears1"), (0.1, "hears2")]
    bench.say(1, Transmit(7))
    bench.say(2, Transmit(7, "psst"))
    bench.until(4.0)
    assert [(time, port, each.text) for time, port, each in bench.heard[2:]] == [(near(0.6), "hears1", "psst")]
    bench.say(1, Transmit(0, "back", period=5.0))
    bench.until(4.5)
    assert sorted((port, each.text) for _, port, each in bench.heard[3:]) == [("hears1", "here"), ("hears3", "back")]


def test_who_is_on_another_channel_when_it_comes_does_not_hear_it() -> None:
    bench = Bench(Arc(0.0, 0.0, 0.0, 0.0), Arc(0.0, 1.0, 0.0, 0.0), latency=0.2)
    bench.say(1, Transmit(0, "too late"))
    bench.say(2, Transmit(3))
    bench.until(1.0)
    assert bench.heard == []


def test_a_full_queue_drops_the_oldest() -> None:
    bench = Bench(Arc(0.0, 0.0, 0.0, 0.0), Arc(0.0, 1.0, 0.0, 0.0), latency=0.2, queue=3)
    for number in range(5):
        bench.say(1, Transmit(0, "number", (float(number),)))
    bench.until(1.0)
    assert [each.numbers[0] for _, _, each in bench.heard] == [2.0, 3.0, 4.0]
    assert (bench.air.sent, bench.air.heard, bench.air.dropped) == (5, 3, 2)


def heard_of(robots: int, loss: float, order: tuple[int, ...]) -> list[float]:
    """Which numbers robot 2 hears from robot 1, where others talk too."""
    bench = Bench(*(Arc(0.0, 0.1 * robot, 0.0, 0.0) for robot in range(robots)), loss=loss)
    for number in range(60):
        for robot in order:
            bench.say(robot, Transmit(0, "number", (float(number),)))
        bench.until(0.0)
    return [each.numbers[0] for _, port, each in bench.heard if (port, each.sender) == ("hears2", 1)]


def test_what_is_lost_depends_on_nobody_else_nor_on_an_order() -> None:
    alone = heard_of(2, 0.4, (1,))
    assert 20 < len(alone) < 50
    assert heard_of(4, 0.4, (3, 1, 4, 2)) == heard_of(4, 0.4, (2, 1)) == alone
    assert len(heard_of(2, 0.0, (1,))) == 60
    assert heard_of(2, 1.0, (1,)) == []


def test_of_offers_and_answers_that_may_be_lost_all_fail_as_often_as_computed() -> None:
    """Loss q of a message: all of k offers are in vain with the probability (1 - (1 - q)^2)^k."""
    q, k, trials = 0.5, 4, 3000
    bench = Bench(Arc(0.0, 0.0, 0.0, 0.0), Arc(0.0, 1.0, 0.0, 0.0), loss=q)
    in_vain = 0
    for _ in range(trials):
        for _ in range(k):
            before = bench.air.heard
            bench.say(1, Transmit(0, "ACCEPT"))
            bench.until(bench.time)
            if bench.air.heard > before:
                bench.say(2, Transmit(0, "ACCEPTACK"))
                bench.until(bench.time)
                if bench.air.heard > before + 1:
                    break
        else:
            in_vain += 1
    wanted = (1.0 - (1.0 - q) ** 2) ** k
    assert abs(in_vain / trials - wanted) < 4.0 * sqrt(wanted * (1.0 - wanted) / trials)
    assert [near((1.0 - (1.0 - q) ** 2) ** 9, 0.05) for q in (0.1, 0.3, 0.5)] == [3.2e-7, 0.0023, 0.075]


@pytest.mark.parametrize("wrong", [{"reach": 0.0}, {"latency": -1.0}, {"loss": 1.5}, {"queue": 0}])
def test_air_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ModelError, match="reach must be above 0, latency at least 0, loss from 0 to 1, queue at least"):
        Air("air", [], 1, **{"reach": 2.0, **wrong})  # type: ignore[arg-type]
