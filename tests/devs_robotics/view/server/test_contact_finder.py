"""Contacts are found in states."""

from __future__ import annotations

from itertools import combinations
from math import dist, nan

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.view.scene import SceneBody
from devs_robotics.view.server.contact_finder import ContactFinder
from devs_robotics.view.states import packed, unpacked

places = st.lists(st.one_of(st.tuples(st.integers(0, 40), st.integers(0, 40)), st.none()), min_size=9, max_size=9).map(
    lambda found: [(nan, nan) if place is None else (0.05 * place[0], 0.05 * place[1]) for place in found]
)

BODIES = [
    SceneBody(
        slot, 0 if slot == 4 else 10 - slot, "", "real" if slot == 7 else "virtual", radius=0.1 + 0.05 * (slot % 3)
    )
    for slot in range(9)
]


@given(st.lists(places, max_size=5))
def test_all_that_touch_now_and_did_not_before_are_found(steps: list[list[tuple[float, float]]]) -> None:
    finder, before = ContactFinder(), set[tuple[int, int]]()
    finder.learn(BODIES)
    robots = [body for body in BODIES if body.robot and body.kind != "real"]
    for step in steps:
        poses = np.array([(*place, 0.0) for place in step], dtype=np.float32).T
        there = np.array([place[0] == place[0] for place in step], dtype=np.uint8)
        now = {
            (min(one.robot, other.robot), max(one.robot, other.robot))
            for one, other in combinations(robots, 2)
            if dist(step[one.slot], step[other.slot]) <= one.radius + other.radius + 1e-4
        }
        assert finder.find(unpacked(packed(1, 0.0, 0.0, 1, poses, there))) == sorted(now - before)
        before = now


def test_a_state_of_fewer_or_no_bodies_has_no_others() -> None:
    finder = ContactFinder()
    state = unpacked(packed(1, 0.0, 0.0, 1, np.zeros((3, 2)), np.ones(2)))
    assert finder.find(state) == []
    finder.learn(BODIES)
    assert finder.find(state) == [(9, 10)]
    assert finder.find(state) == []
