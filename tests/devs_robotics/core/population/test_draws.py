"""Random numbers by their place: numpy is the oracle, and one by one and in arrays they are the same."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator, Philox

from devs_robotics.core.population.draws import Draw, DrawArray

SEEDS = st.integers(0, 2**64 - 1)


@settings(max_examples=15)
@given(SEEDS, st.integers(1, 10**6), st.text(max_size=5))
def test_the_numbers_are_those_of_numpy(seed: int, robot: int, what: str) -> None:
    draw = Draw(seed, robot, what)
    for block in range(3):
        counter = np.array([robot, block, seed, 0], np.uint64)
        key = np.array([crc32(what.encode()), 0], np.uint64)
        oracle = Generator(Philox(key=key, counter=counter)).random(4)
        assert [draw() for _ in range(4)] == oracle.tolist()


@settings(max_examples=30)
@given(SEEDS, st.lists(st.sets(st.integers(0, 8)), max_size=60))
def test_arrays_draw_for_each_robot_what_it_draws_alone(seed: int, rounds: list[set[int]]) -> None:
    alone = [Draw(seed, robot, "turn") for robot in range(3, 12)]
    together = DrawArray([Draw(seed, robot, "turn") for robot in range(3, 12)])
    for who in rounds:
        places = sorted(who)
        assert together(np.array(places, np.int64)).tolist() == [alone[place]() for place in places]


def test_one_robot_may_draw_on_and_on_while_others_wait() -> None:
    alone, together = Draw(7, 1, "turn"), DrawArray([Draw(7, robot, "turn") for robot in (1, 2)])
    assert [float(together(np.array([0]))[0]) for _ in range(200)] == [alone() for _ in range(200)]
    other = Draw(7, 2, "turn")
    assert [float(together(np.array([1]))[0]) for _ in range(50)] == [other() for _ in range(50)]


@settings(max_examples=20)
@given(SEEDS, st.lists(st.integers(1, 4), min_size=1, max_size=4))
def test_groups_whose_robots_follow_each_other_draw_what_each_of_them_draws(seed: int, counts: list[int]) -> None:
    firsts = [Draw(seed + group, 5 * group + 1, "turn") for group in range(len(counts))]
    each = [
        Draw(first.seed, first.robot + more, "turn")
        for first, n in zip(firsts, counts, strict=True)
        for more in range(n)
    ]
    who = np.arange(len(each))
    assert [DrawArray(firsts, counts)(who).tolist()] == [[draw() for draw in each]]
