"""Speeds of omniwheels: the inverse, pure rotation, and what the printed matrix would do."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.activities.omniwheel_speeds import MATRIX, PRINTED, body_velocity, wheel_speeds

speeds = st.floats(-3.0, 3.0)


@given(speeds, speeds, speeds)
def test_the_way_there_and_back_is_none(ahead: float, left: float, turning: float) -> None:
    assert body_velocity(*wheel_speeds(ahead, left, turning)) == pytest.approx((ahead, left, turning), abs=1e-12)
    assert wheel_speeds(0.0, 0.0, turning) == (turning, turning, turning)


@given(st.floats(-pi, pi))
def test_the_fastest_wheel_is_little_slower_than_the_body(direction: float) -> None:
    fastest = max(map(abs, wheel_speeds(cos(direction), sin(direction), 0.0)))
    assert cos(pi / 6.0) - 1e-12 <= fastest <= 1.0 + 1e-12


def test_columns_are_at_right_angles_and_the_printed_ones_are_not() -> None:
    product = np.array(MATRIX).T @ np.array(MATRIX)
    assert np.allclose(product, np.diag([1.5, 1.5, 3.0]), atol=1e-12)
    printed = body_velocity(*(np.array(PRINTED) @ (0.0, 1.0, 0.0)))
    assert printed == pytest.approx((-0.577, 0.667, -0.333), abs=1e-3)
