"""A strip that was found free: never where a disc on the way is likely, by looking at all of them at each update."""

from __future__ import annotations

from math import ceil, cos, inf, pi, sin

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Stream
from devs_robotics.models.logistics.free_way import FreeWay, Stretch
from devs_robotics.models.logistics.likelihood import LikelihoodGrid

SENSORS, THRESHOLD, STEP, REACH = 16, 0.15, 0.01, 1.3

Disc = tuple[float, float]


def seen(x: float, y: float, heading: float, things: list[Disc], stream: Stream) -> list[float]:
    """What sensors see of small things: where they are, with errors."""
    ways = [inf] * SENSORS
    for there_x, there_y in things:
        away = complex(there_x - x, there_y - y)
        sensor = round((np.angle(away) - heading) / (2.0 * pi / SENSORS)) % SENSORS
        if abs(away) < REACH:
            ways[sensor] = min(ways[sensor], max(0.02, abs(away) + 0.02 * stream.uniform()))
    return ways


place = st.tuples(st.floats(-1.2, 1.2), st.floats(-1.2, 1.2))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(place, max_size=6),
    st.floats(-pi, pi),
    st.floats(-pi, pi),
    st.sampled_from([0.1, 0.3, 0.5]),
    st.sampled_from([5, 7, 9]),
    st.integers(0, 1000),
)
def test_what_is_called_free_is_free(
    things: list[Disc], heading: float, direction: float, speed: float, cells: int, seed: int
) -> None:
    """A robot goes on, turns aside, goes back for a moment; things come and go."""
    grid = LikelihoodGrid()
    free_way, stream = FreeWay(grid, THRESHOLD), Stream(seed, 0, "errors")
    axes = np.exp(1j * (heading + np.arange(SENSORS) * (2.0 * pi / SENSORS)))
    radius, x, y = cells * grid.cell, 0.0, 0.0
    for number in range(60):
        along = direction + (0.7 if 30 <= number < 45 else pi if 45 <= number < 50 else 0.0)
        there = [each for index, each in enumerate(things) if (number // 20 + index) % 3]
        ways = seen(x, y, heading, there, stream)
        grid.move(x, y)
        grid.update(number, x, y, axes, ways)
        free_way.see(x, y, axes, ways)
        stretch = Stretch(x, y, cos(along), sin(along), 1.1 * speed, radius, (radius / 0.125) ** 2)
        if free_way.leads_along(stretch, number, axes):
            steps = max(1, ceil(stretch.way / (radius / 2.0)))
            to_end = stretch.way * stretch.east, stretch.way * stretch.north
            likely = grid.likelihoods_along(number, x, y, to_end, steps, radius)
            assert stretch.scale * likely.max() < THRESHOLD
        x, y = x + STEP * speed / 0.5 * cos(along), y + STEP * speed / 0.5 * sin(along)


def test_where_nothing_is_near_a_way_is_free_without_a_look() -> None:
    grid, axes = LikelihoodGrid(), np.exp(1j * np.arange(SENSORS) * (2.0 * pi / SENSORS))
    free_way, ways = FreeWay(grid, THRESHOLD), [0.9 if sensor in (4, 12) else inf for sensor in range(SENSORS)]
    for number in range(20):
        x = 0.01 * number
        grid.move(x, 0.0)
        grid.update(number, x, 0.0, axes, ways)
        free_way.see(x, 0.0, axes, ways)
        assert free_way.leads_along(Stretch(x, 0.0, 1.0, 0.0, 0.55, 0.225, 3.24), number, axes)
    assert grid.seen == 0  # what was seen later waits still
