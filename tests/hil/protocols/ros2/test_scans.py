"""What is seen along beams of a scan, by REP 117 and by what drivers do besides."""

from __future__ import annotations

from math import cos, inf, nan, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.hil.protocols.ros2 import scans
from devs_robotics.hil.protocols.ros2.messages import LidarScan
from devs_robotics.hil.protocols.ros2.type_store import MessageError
from tests.approximately import near

DEGREE = pi / 180.0


def scan(values: dict[int, float], first: float = 0.0, count: int = 360) -> LidarScan:
    """A scan of a degree a step, of 1 m all round but for some readings."""
    ranges = np.ones(count, np.float32)
    for number, value in values.items():
        ranges[number] = value
    return LidarScan(first=first, step=DEGREE, nearest=0.125, farthest=3.5, ranges=ranges)


@given(st.integers(-720, 720), st.integers(0, 359))
def test_a_beam_finds_its_reading_wherever_a_full_circle_begins(bearing: int, first: int) -> None:
    """Modulo the circle."""
    seen = scan({(bearing - first) % 360: 0.5}, first=first * DEGREE)
    assert scans.along(seen, (bearing * DEGREE,), 0.1) == (near(0.4, 1e-6),)


def test_what_a_reading_means() -> None:
    """inf and 0 are nothing, -inf and less than can be measured are touching, and too far is nothing."""
    for said, means in ((inf, inf), (0.0, inf), (-inf, 0.0), (0.05, 0.0), (4.0, inf), (0.5, 0.4)):
        assert scans.along(scan({0: said}), (0.0,), 0.1) == (near(means, 1e-6),)


def test_between_two_readings_it_is_the_less_and_one_that_is_unknown_does_not_count() -> None:
    """A beam half a step from both."""
    half = (0.5 * DEGREE,)
    assert scans.along(scan({0: 0.5, 1: 0.7}), half, 0.0) == (near(0.5, 1e-6),)
    assert scans.along(scan({0: nan, 1: 0.7}), half, 0.0) == (near(0.7, 1e-6),)
    with pytest.raises(MessageError, match="0 degrees"):
        scans.along(scan({0: nan}), (0.0,), 0.0)


@given(st.floats(-0.06, 0.06), st.floats(-0.06, 0.06), st.integers(-180, 180), st.integers(-50, 50))
def test_a_lidar_that_is_elsewhere_on_the_body_sees_from_its_edge_too(x: float, y: float, yaw: int, beam: int) -> None:
    """A wall 2 m ahead of the middle of a body with a radius of 0.1 m; the way through the body by its polynomial."""
    readings = {}
    for number in range(360):
        ahead = cos((number + yaw) * DEGREE)
        readings[number] = (2.0 - x) / ahead if ahead > 0.5 else inf
    seen = scans.along(scan(readings), (beam * DEGREE,), 0.1, (x, y, yaw * DEGREE))
    ux, uy = cos(beam * DEGREE), sin(beam * DEGREE)
    within = max(np.roots([1.0, 2.0 * (x * ux + y * uy), x * x + y * y - 0.01]).real)
    assert seen == (near((2.0 - x) / ux - within, 1e-5),)


def test_of_a_lidar_beside_a_small_body_nothing_is_taken_off() -> None:
    assert scans.along(scan({}), (0.0,), 0.1, (0.0, 0.2, 0.0)) == (near(1.0, 1e-6),)
    assert scans.ahead(scan({90: 0.3}), 0.1, 0.1, (0.0, 0.0, -0.5 * pi)) == near(0.2, 1e-6)


def test_a_scan_that_does_not_reach_round_says_so() -> None:
    """Half a circle, from -90 to 90 degrees."""
    half = scan({0: 0.5, 180: 0.6}, first=-0.5 * pi, count=181)
    assert scans.along(half, (-0.5 * pi, 0.5 * pi), 0.0) == (near(0.5, 1e-6), near(0.6, 1e-6))
    with pytest.raises(MessageError, match="180 degrees"):
        scans.along(half, (pi,), 0.0)
