"""Arcs in columns: where `Bodies` has the bodies, to the last bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.models.environment.bodies import Bodies
from devs_robotics.models.environment.on_grid.arc_columns import ArcColumns

SPEEDS = st.sampled_from((0.0, 0.05, -0.05)) | st.floats(-0.2, 0.2)
RATES = st.sampled_from((0.0, 1.5)) | st.floats(-6.0, 6.0)
CHANGES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2**33), SPEEDS, RATES), max_size=12)


@settings(max_examples=150, deadline=None)
@given(CHANGES, st.integers(0, 2**33))
def test_bodies_are_where_bodies_has_them(changes: list[tuple[int, int, float, float]], later: int) -> None:
    start = [(0.1, 0.2, 3.0), (1.0, -0.5, -3.0), (0.0, 0.0, 0.5), (2.0, 2.0, 4.0)]
    x, y, heading = np.array(start).T
    bodies, arcs = Bodies(), ArcColumns(x, y, heading, np.full(4, 0.1))
    for pose in start:
        bodies.add(*pose, radius=0.1)
    now = 0.0
    for body, ticks, speed, rate in changes:
        now += ticks / 2.0**30
        bodies.go(body, now, speed, rate)
        arcs.go(np.array([body]), now, speed, rate)
    now += later / 2.0**30
    everybody = np.arange(4)
    for x, y, heading in (arcs.poses(now), arcs.poses_of(everybody, now), arcs.poses_of(everybody, np.full(4, now))):
        assert list(zip(x.tolist(), y.tolist(), heading.tolist(), strict=True)) == [
            bodies.pose(body, now) for body in range(4)
        ]
