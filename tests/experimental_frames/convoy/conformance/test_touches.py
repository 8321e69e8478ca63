"""The generator that touches robots' whiskers: one after the other, at times that a seed gives."""

from __future__ import annotations

from itertools import pairwise

import pytest

from devs_robotics import Simulator, Touch
from devs_robotics.experimental_frames.convoy.conformance.touches import Touches

MEAN = 2.0


def touched(seed: int, robots: tuple[int, ...] = (2, 5, 7), until: float = 600.0) -> list[tuple[float, str]]:
    """When which robot was touched."""
    generator = Touches("touches", robots, seed, MEAN)
    found: list[tuple[float, str]] = []
    with Simulator(generator) as simulator:
        while simulator.next_time <= until:
            simulator.run(max_steps=1)
            for port in generator.out_ports:
                assert list(port.values) in ([], [Touch(True)])
                found += [(simulator.time, port.name) for _ in port.values]
    return found


def test_each_robot_has_its_turn() -> None:
    names = [name for _, name in touched(1)]
    assert len(names) > 100
    assert names == [("robot2", "robot5", "robot7")[number % 3] for number in range(len(names))]
    assert {name for _, name in touched(1, (4,))} == {"robot4"}


def test_times_between_are_uniform_between_none_and_twice_the_mean() -> None:
    times = [0.0, *(time for time, _ in touched(2, until=6000.0))]
    gaps = [later - before for before, later in pairwise(times)]
    assert all(0.0 <= gap <= 2.0 * MEAN for gap in gaps)
    share = [sum(gap <= part * 2.0 * MEAN for gap in gaps) / len(gaps) for part in (0.25, 0.5, 0.75)]
    assert share == pytest.approx([0.25, 0.5, 0.75], abs=0.04)


def test_a_seed_gives_the_same_times_and_another_one_others() -> None:
    assert touched(3) == touched(3)
    assert touched(3) != touched(4)
