"""Ground readings, and in which order three sensors cross a line."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, degrees, floor, hypot, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.ground import PLACES, WHITE
from devs_robotics.core.robots.epuck2.sensing.ground import grey, reading
from tests.approximately import near

shares = st.floats(0.0, 1.0)


def on_floor(x: float, y: float, heading: float, floor_at: Callable[[float, float], float]) -> tuple[int, ...]:
    """What the three read where the robot stands."""
    c, s = cos(heading), sin(heading)
    return tuple(reading(floor_at(x + c * ahead - s * left, y + s * ahead + c * left)) for ahead, left in PLACES)


def test_black_reads_0_white_1023_and_grey_by_its_share() -> None:
    assert [reading(each) for each in (0.0, 0.25, 0.5, 1.0)] == [0, 256, 512, WHITE]
    assert (WHITE, grey(1.0, 1.0, 1.0), grey(0.0, 0.0, 0.0)) == (1023, near(1.0), 0.0)
    assert [reading(grey(*colour)) for colour in ((1, 0, 0), (0, 1, 0), (0, 0, 1))] == [306, 601, 117]


@given(shares, st.floats(0.0, 300.0), st.floats(0.1, 1.0), st.floats(-1.0, 1.0))
def test_each_sensor_may_have_its_own_black_and_gain(value: float, black: float, gain: float, error: float) -> None:
    assert reading(0.0, black, gain) == round(black)
    assert reading(value, black, gain) == near(min(1023.0, black + gain * 1023.0 * value), 0.501)
    assert 0 <= reading(value, black, gain, error) <= WHITE
    assert reading(0.5, error=0.1) == 614


def test_straight_over_stripes_all_three_read_the_same() -> None:
    """Paper's first scenario: stripes of different greys, across the way."""
    places = [0.001 * step for step in range(500)]
    traces = [on_floor(x, 0.1, 0.0, lambda x, _: floor(x / 0.1) % 4 / 4.0) for x in places]
    assert all(left == centre == right for left, centre, right in traces)
    assert {centre for _, centre, _ in traces} == {0, 256, 512, 767}


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_turning_over_sectors_all_three_read_the_same_one_after_the_other(direction: float) -> None:
    """Paper's second scenario: the trace of a sensor is that of the centre, shifted by the angle between them."""

    def sectors(x: float, y: float) -> float:
        angle = (cos(0.3) * x + sin(0.3) * y) / hypot(x, y)
        return 0.25 if angle > 0.5 else 0.75

    turns = [radians(0.1 * step) for step in range(3600)]
    traces = [on_floor(0.0, 0.0, direction * turn, sectors) for turn in turns]
    changes = [
        [index for index in range(3600) if traces[index][sensor] != traces[index - 1][sensor]] for sensor in range(3)
    ]
    shift = 10.0 * degrees(0.291457)  # atan(9 / 30)
    assert [len(each) for each in changes] == [2, 2, 2]
    for left, centre, right in zip(*changes, strict=True):
        assert (centre - left, right - centre) == (near(direction * shift, 1.5), near(direction * shift, 1.5))


@pytest.mark.parametrize(("heading", "order"), [(0.5, [2, 1, 0]), (-0.5, [0, 1, 2])])
def test_a_line_that_is_crossed_at_an_angle_is_seen_in_order(heading: float, order: list[int]) -> None:
    """A line along y: who heads to the left meets it with its right sensor first."""
    first: dict[int, int] = {}
    for step in range(400):
        way = 0.0005 * step - 0.1
        seen = on_floor(way * cos(heading), way * sin(heading), heading, lambda x, _: 0.0 if abs(x) < 0.01 else 1.0)
        for sensor, value in enumerate(seen):
            if value == 0:
                first.setdefault(sensor, step)
    assert sorted(first, key=lambda sensor: first[sensor]) == order
    assert len(set(first.values())) == 3
