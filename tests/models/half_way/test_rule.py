"""The rule of half of the way that is free, which cases share: however looks interlace, the clearance stays."""

from __future__ import annotations

from itertools import pairwise
from math import inf, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.half_way import LOOK, REACH, SHORTEST, half_of_the_way, problems_of, seeing_around
from devs_robotics.scenarios import wander

SPEED, CLEARANCE = 0.25, 0.3


class Oncoming:
    """A robot that comes towards another one on a line, both at one speed."""

    def __init__(self, looks_at: float) -> None:
        self.looks_at = self.leaves_at = looks_at
        self.come = self.way = 0.0
        """How far it has come before its present step, and how long that is (m)."""

    def at(self, time: float) -> float:
        return self.come + min(self.way, max(0.0, time - self.leaves_at) * SPEED)

    def look(self, gap: float, longest: float) -> None:
        self.come, self.leaves_at = self.come + self.way, self.looks_at
        way = half_of_the_way(gap, CLEARANCE)
        self.way = min(longest, way) if way >= SHORTEST else 0.0
        self.looks_at += self.way / SPEED + LOOK


@given(st.floats(0.31, 3.0), st.floats(0.0, 3.0), st.lists(st.floats(0.01, 2.0), min_size=1, max_size=40))
def test_two_that_come_towards_each_other_keep_the_clearance_however_their_looks_interlace(
    gap: float, later: float, steps: list[float]
) -> None:
    two = Oncoming(0.0), Oncoming(later)
    for longest in steps:
        who = min(two, key=lambda each: each.looks_at)
        who.look(gap - sum(each.at(who.looks_at) for each in two), longest)
    assert gap - sum(each.come + each.way for each in two) >= CLEARANCE - 1e-9


def test_who_sees_nothing_may_go_as_far_as_it_likes_and_who_is_near_may_not() -> None:
    assert half_of_the_way(inf, 0.3) == inf
    assert half_of_the_way(0.3 + 2.0 * SHORTEST, 0.3) == pytest.approx(SHORTEST)
    assert half_of_the_way(0.2, 0.3) < 0.0


def test_such_a_robot_sees_from_one_side_to_the_other_and_is_seen_on_its_way() -> None:
    kind = seeing_around()
    assert (kind.beams[0], kind.beams[-1]) == (pi / 2.0, -pi / 2.0)
    assert {round(one - other, 9) for one, other in pairwise(kind.beams)} == {round(pi / 12.0, 9)}
    assert kind.continuous
    assert kind.reach == REACH


@pytest.mark.parametrize(
    ("step", "clearance", "keys"),
    [(0.35, 0.3, []), (0.36, 0.3, [("step", "clearance")]), (0.3, -0.1, ["clearance"]), (0.5, 0.0, [])],
)
def test_a_step_is_no_more_than_half_of_what_is_seen(step: float, clearance: float, keys: list[object]) -> None:
    assert [each for each, _ in problems_of(step, clearance)] == keys


def test_the_example_that_is_read_whole_says_the_same() -> None:
    """`wander` repeats the rule, so that newcomers have it on one page."""
    study = wander.Wandering(step=0.36)
    assert [sentence for _, sentence in study.check()] == [sentence for _, sentence in problems_of(0.36, 0.3)]
    kind = seeing_around()
    assert (kind.beams, kind.reach, SHORTEST) == (wander.AROUND, wander.REACH, wander.SHORTEST)
