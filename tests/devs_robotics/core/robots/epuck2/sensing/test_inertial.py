"""Accelerometer and gyroscope of closed motions."""

from __future__ import annotations

from math import cos, radians, sin

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.epuck2.sensing.inertial import accelerometer, gyroscope, raw_acceleration, raw_rate
from tests.approximately import near


@given(st.floats(-0.15, 0.15), st.floats(-5.0, 5.0), st.floats(-2.0, 2.0))
def test_it_feels_what_its_velocity_becomes(speed: float, rate: float, acceleration: float) -> None:
    """Against the change of velocity in the robot's frame over a short time."""
    h = 1e-6
    after, heading = speed + acceleration * h, rate * h
    ahead, left = (after * cos(heading) - speed) / h, after * sin(heading) / h
    felt = accelerometer(speed, rate, acceleration)
    assert felt == (near(ahead, 1e-4), near(left, 1e-4), 9.81)
    assert gyroscope(rate) == (0.0, 0.0, rate)


def test_at_rest_it_feels_one_g() -> None:
    assert [raw_acceleration(each) for each in accelerometer(0.0, 0.0)] == [0, 0, 800]


def test_raw_rates_are_250_degrees_a_second_over_15_bits() -> None:
    rates = (0.0, 125.0, -125.0, 250.0, 400.0, -400.0)
    assert [raw_rate(radians(rate)) for rate in rates] == [0, 16384, -16384, 32767, 32767, -32768]
