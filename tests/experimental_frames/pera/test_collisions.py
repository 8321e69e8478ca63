"""Collisions by the realities of a pair: held against a look at every instant, and how many pairs there are."""

from __future__ import annotations

from itertools import combinations
from math import hypot, isnan

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from devs_robotics.core.robots.outside import Reality
from devs_robotics.experimental_frames.pera.collisions import Collisions
from devs_robotics.models.environment import PoseChange
from tests.approximately import near
from tests.models.play import tell

RADIUS = 0.06


def frame(*places: tuple[float, float], realities: list[Reality] | None = None, duration: float = 60.0) -> Collisions:
    poses = [(x, y, 0.0) for x, y in places]
    made = Collisions("collisions", poses, realities or ["virtual"] * len(poses), RADIUS, duration)
    made.initialize()
    return made


def moves(made: Collisions, *changes: tuple[float, int, float, float]) -> None:
    """Robots are told to be elsewhere, each so long after the one before."""
    for after, robot, x, y in changes:
        tell(made, (made.pose_change, PoseChange(robot, x, y, 0.0)), e=after)


def test_a_collision_begins_when_bodies_touch_and_is_over_a_centimetre_later() -> None:
    made = frame((0.0, 0.0), (1.0, 0.0))
    moves(made, (1.0, 1, 0.0, 0.0), (1.0, 1, 0.88, 0.0))
    assert [(each.time, each.one, each.other) for each in made.all()] == [(near(2.0, 0.001), 1, 2)]
    moves(made, (1.0, 1, 0.871, 0.0), (1.0, 1, 0.88, 0.0))
    assert made.virtual_virtual() == 1, "there was less than a centimetre between them"
    moves(made, (1.0, 1, 0.869, 0.0), (1.0, 1, 0.88, 0.0))
    assert made.virtual_virtual() == 2


def test_who_passes_through_another_between_two_words_has_met_it() -> None:
    made = frame((0.0, 0.0), (1.0, 0.02))
    moves(made, (4.0, 1, 2.0, 0.0))
    ((time, count),) = [(each.time, 1) for each in made.all()]
    assert (time, count) == (near(2.0, 0.3), 1)


def test_counts_and_rates_are_by_the_realities_of_the_pair() -> None:
    made = frame((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), realities=["real", "real", "real", "virtual"])
    assert [made.pairs(kind) for kind in (("real", "real"), ("real", "virtual"), ("virtual", "virtual"))] == [3, 3, 0]
    moves(made, (10.0, 1, 0.9, 0.0), (10.0, 4, 2.1, 0.0))
    assert (made.real_real(), made.real_virtual()) == (1, 1)
    assert made.real_real_per_s() == near(1.0 / (3 * 20.0))
    assert isnan(made.virtual_virtual())
    assert isnan(made.virtual_virtual_per_s())
    assert made.least_way_m() == 0.0
    assert made.series()["real_robots"] == (2, 1)


steps = st.lists(
    st.tuples(st.floats(0.1, 2.0), st.integers(1, 3), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3)), max_size=20
)


@settings(max_examples=60)
@given(steps)
def test_no_more_and_no_fewer_than_a_look_at_every_instant(changes: list[tuple[float, int, float, float]]) -> None:
    places = [(0.0, 0.0), (0.2, 0.0), (0.0, 0.2)]
    made = frame(*places, duration=100.0)
    moves(made, *changes)
    knots: list[list[tuple[float, float, float]]] = [[(0.0, *place)] for place in places]
    time = 0.0
    for after, robot, x, y in changes:
        time += after
        knots[robot - 1].append((time, x, y))
    looks = np.linspace(0.0, time, 20_001)
    ways = [
        [np.interp(looks, [knot[0] for knot in each], [knot[axis] for knot in each]) for axis in (1, 2)]
        for each in knots
    ]
    least = most = 0
    for (one_x, one_y), (other_x, other_y) in combinations(ways, 2):
        gaps = np.hypot(one_x - other_x, one_y - other_y)
        least += _counted(gaps, 2 * RADIUS - 1e-4, 2 * RADIUS + 0.0105)
        most += _counted(gaps, 2 * RADIUS + 3e-4, 2 * RADIUS + 0.0095)
    assert least <= len(made.all()) <= most


def _counted(gaps: NDArray[np.float64], touching: float, apart: float) -> int:
    """Collisions by a look at every instant."""
    count, together = 0, False
    for gap in gaps:
        if not together and gap < touching:
            count, together = count + 1, True
        elif gap > apart:
            together = False
    return count


def test_distances_are_between_centres() -> None:
    made = frame((0.0, 0.0), (0.2, 0.2))
    moves(made, (1.0, 1, 0.12, 0.12))
    assert hypot(0.08, 0.08) < 0.12
    assert made.virtual_virtual() == 1
