"""Rings of time-of-flight sensors: exact views against many rays, and errors against what is published."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.experimental_frames.logistics.published import RANGE_ERRORS
from devs_robotics.models.activities.range_ring import HALF_VIEW, NOTHING, LookRound, VirtualRangeRing
from devs_robotics.models.environment import Field, World

RADIUS, REACH = 0.125, 1.3


def cast(x: float, y: float, direction: float, discs: list[tuple[float, float, float]], side: float) -> float:
    """A ray to walls and discs, from a point."""
    ux, uy = cos(direction), sin(direction)
    ways = [((side if u > 0.0 else 0.0) - place) / u for u, place in ((ux, x), (uy, y)) if u]
    for dx, dy, radius in ((cx - x, cy - y, r) for cx, cy, r in discs):
        along, aside = dx * ux + dy * uy, dx * uy - dy * ux
        if along > 0.0 and abs(aside) < radius:
            ways.append(along - sqrt(radius * radius - aside * aside))
    return min(ways)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.2, 3.5), st.floats(0.2, 3.5), st.floats(-pi, pi), st.floats(0.3, 1.2), st.floats(-pi, pi))
def test_a_sector_sees_what_the_nearest_of_many_rays_in_it_meets(
    x: float, y: float, heading: float, way: float, bearing: float
) -> None:
    field, side = Field(3.7, 3.7), 3.7
    field.add_body(x, y, heading, RADIUS)
    discs = [(x + way * cos(bearing), y + way * sin(bearing), 0.018), (1.0, 1.0, RADIUS)]
    for disc in discs:
        field.add_body(*disc[:2], 0.0, disc[2])
    if hypot(x - 1.0, y - 1.0) < 2.0 * RADIUS:
        return
    view = LookRound(1, reach=REACH).answer(World(field, 0.03))
    for sensor, seen in enumerate(view.distances):
        axis = heading + sensor * pi / 8.0
        rays = [cast(x, y, axis + share * HALF_VIEW, discs, side) for share in np.linspace(-1.0, 1.0, 201)]
        nearest = min(rays) - RADIUS
        if seen == inf:
            assert nearest > REACH - 0.01
        else:
            assert seen <= nearest + 1e-9
            assert nearest - seen < 0.03  # rays are 2 mm apart at a metre, and a disc falls away fast at its side


@pytest.mark.parametrize("bounds", RANGE_ERRORS, ids=str)
def test_mean_errors_are_those_that_were_measured(bounds: tuple[float, float, float]) -> None:
    start, end, published = bounds
    ring = VirtualRangeRing("ring", 3)
    for first in np.arange(max(start, 0.005), end - 0.1, 0.125):
        distances = np.linspace(first, min(first + 0.125, end), 4000)
        off = np.array(ring._read(tuple(distances))) - distances
        assert abs(off.mean()) <= published
    assert ring._read((3.3, inf, 0.19))[1] == NOTHING


def test_the_simulator_has_no_multipath_and_does_not_see_what_touches() -> None:
    ring = VirtualRangeRing("ring", 3, "simulator")
    off = np.array(ring._read((0.1,) * 4000)) - 0.1
    assert abs(off.mean()) < 1e-3
    assert off.std() == pytest.approx(0.010, rel=0.1)
    assert ring._read((0.001, inf)) == (NOTHING, NOTHING)
    assert VirtualRangeRing("ring", 3, "exact")._read((0.1, inf)) == (0.1, NOTHING)
