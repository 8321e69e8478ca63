"""Lists of neighbours of a crowd: whoever may come within reach while they hold is in them."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, inf, nan, pi
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from devs_robotics import ModelError
from devs_robotics.models.environment import Field
from devs_robotics.models.environment.contacts import LATER, Contacts
from devs_robotics.models.environment.crowd import Crowd
from devs_robotics.models.environment.sensing.crowd import CrowdNearby
from devs_robotics.models.environment.sensing.pose_arrays import PoseArrays

RADIUS = 0.035
REACH = 2.0 * RADIUS

places = st.tuples(st.floats(0.05, 0.95), st.floats(0.05, 0.95), st.floats(-pi, pi))
motions = st.tuples(st.sampled_from([0.0, 0.02, 0.05, 0.12]), st.sampled_from([0.0, 0.0, 0.7, -2.0]))
bodies = st.lists(st.tuples(places, motions), min_size=2, max_size=12)

Moving = Sequence[tuple[tuple[float, float, float], tuple[float, float]]]


def crowd_of(moving: Moving) -> tuple[Field, CrowdNearby]:
    """Bodies that set out at 0 s, with their lists."""
    field = Field(1.0, 1.0)
    for place, _ in moving:
        field.add_body(*place, RADIUS)
    crowd = CrowdNearby(field, REACH, PoseArrays(field))
    for body, (_, (speed, rate)) in enumerate(moving):
        field.go(body, speed, rate)
        crowd.changed(body, was_moving=False)
    return field, crowd


@given(bodies, st.floats(0.0, 3.0))
@settings(deadline=None)
def test_whoever_comes_near_is_in_the_list(moving: Moving, later: float) -> None:
    """Once somebody moves; before, nobody asks."""
    assume(any(speed for _, (speed, _) in moving))
    field, crowd = crowd_of(moving)
    until = min(later, crowd.next_time()) if crowd.next_time() < inf else later
    while until < later:
        field.now = until
        assert crowd.renew(until) == list(range(len(moving)))
        until = min(later, crowd.next_time())
    field.now = until
    for body in range(len(moving)):
        x, y, _ = field.pose(body)
        for other in range(len(moving)):
            there = field.pose(other)
            if other != body and hypot(there[0] - x, there[1] - y) <= REACH:
                assert other in crowd.near[body]
                assert body in crowd.near[other]


@given(bodies)
@settings(deadline=None)
def test_who_cannot_touch_anything_while_lists_hold_foresees_no_contact(moving: Moving) -> None:
    field, crowd = crowd_of(moving)
    contacts = Contacts(field, crowd)
    everybody = list(range(len(moving)))
    crowd.faster()
    touchable = crowd.touchable(everybody, LATER)
    for body, (_, (speed, _)) in enumerate(moving):
        contacts.wanted[body] = speed
        if body not in touchable and speed:
            close = [other for other in crowd.near[body] if crowd._poses.rate[other] or crowd._poses.rate[body]]
            if not close:  # those on arcs are looked at again before they can be close
                contacts.plan([body])
                assert contacts.next_time() == inf


def test_bodies_of_a_crowd_stand_where_they_are_told() -> None:
    given = [(1.0, 2.0, 0.5), (3.0, 4.0, -0.5)]
    for poses in (given, iter(given), np.array(given)):
        crowd = Crowd(poses, 0.05)
        assert len(crowd) == 2
        assert list(crowd) == given
        assert crowd.pose(1) == given[1]
        assert [column.tolist() for column in crowd.columns()] == [[1.0, 3.0], [2.0, 4.0], [0.5, -0.5], [0.05, 0.05]]


@pytest.mark.parametrize(
    "poses", [[], [1.0, 2.0, 3.0], [(1.0, 2.0)], [(1.0, 2.0, nan)], [(inf, 2.0, 3.0)], [[(1.0, 2.0, 3.0)]]], ids=str
)
def test_poses_that_are_none_are_told(poses: Any) -> None:
    with pytest.raises(ModelError, match=r"poses of robots must be x \(m\), y \(m\) and heading \(rad\), three fini"):
        Crowd(poses, 0.05)


def test_while_nobody_moves_lists_hold_for_ever() -> None:
    field, crowd = crowd_of([((0.2, 0.2, 0.0), (0.05, 0.0)), ((0.5, 0.2, 0.0), (0.0, 0.0))])
    field.go(0, 0.0, 0.0)
    field.now = crowd.next_time()
    crowd.renew(field.now)
    assert crowd.next_time() == inf
    field.now += 100.0
    field.go(0, 0.05, 0.0)
    crowd.changed(0, was_moving=False)
    assert field.now < crowd.next_time() < inf
