"""Two wheels and the arc they drive."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.motion.wheels import arc_of, wheels_of

speeds = st.floats(-0.2, 0.2)


@given(speeds, speeds, st.floats(0.02, 0.3), st.floats(-pi, pi))
def test_each_wheel_rolls_along_the_heading_at_its_speed(
    left: float, right: float, axle: float, heading: float
) -> None:
    arc = arc_of(left, right, axle, 1.0, 0.3, 0.4, heading)
    for speed, side in ((left, 1.0), (right, -1.0)):

        def wheel(time: float, side: float = side) -> tuple[float, float]:
            x, y, turned = arc.pose(time)
            return x - side * axle / 2.0 * sin(turned), y + side * axle / 2.0 * cos(turned)

        before, after = wheel(3.0 - 1e-4), wheel(3.0 + 1e-4)
        turned = arc.pose(3.0)[2]
        vx, vy = (after[0] - before[0]) / 2e-4, (after[1] - before[1]) / 2e-4
        assert vx * cos(turned) + vy * sin(turned) == pytest.approx(speed, abs=1e-5)
        assert hypot(vx, vy) == pytest.approx(abs(speed), abs=1e-5)


@given(speeds, speeds, st.floats(0.02, 0.3))
def test_back_to_the_wheels(left: float, right: float, axle: float) -> None:
    assert wheels_of(arc_of(left, right, axle, 0.0, 0.0, 0.0, 0.0), axle) == pytest.approx((left, right), abs=1e-12)


def test_equal_wheels_go_straight_and_opposite_ones_turn_in_place() -> None:
    assert arc_of(0.1, 0.1, 0.05, 0.0, 0.0, 0.0, 0.0).pose(10.0) == (1.0, 0.0, 0.0)
    assert arc_of(-0.1, 0.1, 0.05, 0.0, 0.0, 0.0, 0.0).pose(0.25)[2] == pytest.approx(1.0)
