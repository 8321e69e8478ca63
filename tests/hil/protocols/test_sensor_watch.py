"""Watches of readings against a program that looks at the reading that came last, again and again."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Crossed, Watch
from devs_robotics.core.robots.crossings import Values
from devs_robotics.hil.protocols.sensor_watch import SensorWatch
from tests.approximately import near

values = st.tuples(*[st.integers(0, 4).map(float)] * 3)
streams = st.lists(st.tuples(st.floats(0.001, 0.35), values), min_size=1, max_size=40)
"""Readings, each with the time since the one before (s)."""


def watched(watch: Watch, readings: list[tuple[float, Values]]) -> list[tuple[float, Crossed]]:
    """What a watch tells of readings, each with its time (s), when it does what it says that it does."""
    (start, first), *rest = readings
    watching = SensorWatch(watch)
    told = [(start, watching.first(first))]
    due: float | None = None
    for time, reading in [*rest, (readings[-1][0] + 10.0, None)]:
        if due is not None and due <= time:
            told += [(due, crossed) for crossed in watching.look()]
            due = None
        if reading is not None and watching.read(reading):
            if watch.period and due is None:
                due = time + watching.wait(time)
            elif not watch.period:
                told += [(time, crossed) for crossed in watching.look()]
    return told


def timed(stream: list[tuple[float, Values]]) -> list[tuple[float, Values]]:
    return list(zip(accumulate(gap for gap, _ in stream), (reading for _, reading in stream), strict=True))


@given(streams, st.sampled_from([0.1, 0.25]), st.sampled_from([0.0, 0.03, 0.7]))
def test_with_a_period_it_tells_what_a_program_sees_that_looks_once_in_each(
    stream: list[tuple[float, Values]], period: float, offset: float
) -> None:
    readings = timed(stream)
    start, end = readings[0][0], readings[-1][0]
    expected, before = [readings[0][1]], readings[0][1]
    for tick in range(int((end + 2.0) / period)):
        point = offset + tick * period
        if point > start:
            latest = [reading for time, reading in readings if time < point - 1e-12][-1]
            if latest != before:
                expected.append(latest)
                before = latest
    assert [crossed.values for _, crossed in watched(Watch(period=period, offset=offset), readings)] == expected


@given(streams)
def test_without_a_period_it_tells_every_change_of_a_level(stream: list[tuple[float, Values]]) -> None:
    """Whoever counts the crossings knows at any time how many levels each sensor has reached."""
    levels, readings = (1.0, 3.0), timed(stream)
    told = watched(Watch(levels), readings)
    assert told[0] == (readings[0][0], Crossed(readings[0][1]))
    reached = [bisect_right(levels, value) for value in readings[0][1]]
    by_time: dict[float, list[Crossed]] = {}
    for time, crossed in told[1:]:
        by_time.setdefault(time, []).append(crossed)
    for (_, before), (time, now) in pairwise(readings):
        for crossed in by_time.pop(time, []):
            assert crossed.values == now
            assert crossed.level in levels
            assert (now[crossed.element] >= crossed.level) is crossed.rising
            assert (before[crossed.element] >= crossed.level) is not crossed.rising
            reached[crossed.element] += 1 if crossed.rising else -1
        assert reached == [bisect_right(levels, value) for value in now]
    assert not by_time


@pytest.mark.parametrize(
    ("time", "waits"), [(0.0, 0.1), (0.05, 0.05), (0.1, 0.1), (0.3, 0.1), (0.7, 0.1), (1234.5, 0.1), (1234.56, 0.04)]
)
def test_points_of_a_raster_are_counted_and_never_added_up(time: float, waits: float) -> None:
    assert SensorWatch(Watch(period=0.1)).wait(time) == near(waits)


def test_the_first_point_of_a_raster_may_be_far_ahead() -> None:
    assert SensorWatch(Watch(period=0.1, offset=5.0)).wait(1.0) == near(4.0)
