"""The margin: its formula, and that within the reach a robot is always seen."""

from __future__ import annotations

from math import cos, exp, hypot, pi, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.experimental_frames.coherence import sight_margin
from devs_robotics.experimental_frames.statistics import StatisticsError


def test_the_shipped_convoy_has_a_margin_of_15_cm() -> None:
    assert sight_margin(0.6, 0.5, 0.1) == pytest.approx(0.15)


@given(st.floats(0.0, 0.999), st.floats(-pi, pi))
def test_a_robot_whose_error_is_less_than_the_reach_sees_its_front_robot(share: float, direction: float) -> None:
    """Whatever the direction in which it stands apart from its place, 0.5 m behind the front robot."""
    error = share * sight_margin(0.6, 0.5, 0.1, share=1.0)
    gap = hypot(-0.5 + error * cos(direction), error * sin(direction))
    assert gap - 0.2 < 0.6


def test_as_many_errors_exceed_the_reach_as_is_said_of_normal_ones() -> None:
    x, y = np.random.default_rng(1).normal(0.0, 1.0, (2, 200_000))
    errors = np.hypot(x, y)
    assert np.mean(errors > 2.0 * errors.mean()) == pytest.approx(exp(-pi), rel=0.05)


def test_the_margin_is_a_share_of_the_reach_which_is_between_bodies() -> None:
    """R + 2 r - D, worked out by hand: 0.75 + 2 x 0.125 - 0.5."""
    assert sight_margin(0.75, 0.5, 0.125, share=1.0) == 0.5
    assert sight_margin(0.75, 0.5, 0.125, share=0.25) == 0.125


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(StatisticsError, match="is out of sight"):
        sight_margin(0.5, 0.75, 0.125)
    with pytest.raises(StatisticsError, match=r"of 0\.9 m is out of sight .* make the distance less or the range more"):
        sight_margin(0.6, 0.9, 0.1)
    with pytest.raises(StatisticsError, match="a margin of 0 of the sensor's reach is not possible"):
        sight_margin(0.6, 0.5, 0.1, share=0.0)
    with pytest.raises(StatisticsError, match=r"a margin of 1\.001 of the sensor's reach is not possible"):
        sight_margin(0.6, 0.5, 0.1, share=1.001)
