"""Motions within limits of jerk, against Ruckig, which shares no code with them."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ruckig import ControlInterface, InputParameter, Result, Ruckig, Trajectory

from devs_robotics import ModelError
from devs_robotics.models.environment.motion.jerk_limited import (
    MotionLimits,
    Pieces,
    braking,
    duration,
    rest_to_rest,
)
from devs_robotics.models.environment.motion.profile import Profile

DOTS = MotionLimits(0.5, 2.0, 20.0)

limits = st.builds(MotionLimits, st.floats(0.05, 3.0), st.floats(0.1, 5.0), st.floats(0.5, 50.0))


def ruckig(within: MotionLimits, speed: float = 0.0, acceleration: float = 0.0, way: float | None = None) -> Trajectory:
    """What Ruckig plans: over a way, or else to rest."""
    wanted = InputParameter(1)
    if way is None:
        wanted.control_interface = ControlInterface.Velocity
    else:
        wanted.target_position = [way]
    wanted.current_velocity, wanted.current_acceleration = [speed], [acceleration]
    wanted.max_velocity, wanted.max_acceleration = [within.speed], [within.acceleration]
    wanted.max_jerk = [within.jerk]
    planned = Trajectory(1)
    assert Ruckig(1).calculate(wanted, planned) in (Result.Working, Result.Finished)
    return planned


def check_equal(pieces: Pieces, planned: Trajectory, speed: float = 0.0, acceleration: float = 0.0) -> None:
    profile = Profile(0.0, 0.0, 0.0, 0.0, pieces, speed, acceleration)
    assert profile.end == pytest.approx(planned.duration, abs=1e-9)
    for share in range(9):
        time = min(profile.end, planned.duration) * share / 8
        (way,), (rate,), _ = planned.at_time(time)
        assert profile.distance(time) == pytest.approx(way, abs=1e-9)
        if share < 8:
            assert profile.speed_at(time) == pytest.approx(rate, abs=1e-9)


@given(limits, st.floats(-5.0, 5.0))
def test_from_rest_to_rest_it_is_ruckigs(within: MotionLimits, way: float) -> None:
    assume(abs(way) > 1e-6)
    check_equal(rest_to_rest(way, within), ruckig(within, way=way))


@given(limits, st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_braking_is_ruckigs(within: MotionLimits, speed: float, acceleration: float) -> None:
    speed, acceleration = speed * within.speed, acceleration * within.acceleration
    assume(abs(speed) + abs(acceleration) > 1e-6)
    check_equal(braking(speed, acceleration, within), ruckig(within, speed, acceleration), speed, acceleration)


@pytest.mark.parametrize(
    ("way", "speed", "lasts"),
    [
        (3.0, 0.5, 6.35),
        (3.0, 0.3, 10.25),
        (0.1, 0.5, 0.558257569),
        (0.05, 0.5, 0.431662479),
        (0.2, 2.0, 0.740312424),
    ],
)
def test_known_times(way: float, speed: float, lasts: float) -> None:
    assert duration(rest_to_rest(way, MotionLimits(speed, 2.0, 20.0))) == pytest.approx(lasts, abs=1e-9)


@pytest.mark.parametrize(("speed", "lasts", "way"), [(0.3, 0.25, 0.0375), (0.5, 0.35, 0.0875), (2.0, 1.1, 1.1)])
def test_known_ways_of_braking(speed: float, lasts: float, way: float) -> None:
    profile = Profile(0.0, 0.0, 0.0, 0.0, braking(speed, 0.0, MotionLimits(2.0, 2.0, 20.0)), speed)
    assert profile.end == pytest.approx(lasts, abs=1e-9)
    assert profile.distance(profile.end) == pytest.approx(way, abs=1e-9)


def test_no_way_takes_no_time() -> None:
    assert rest_to_rest(0.0, DOTS) == braking(0.0, 0.0, DOTS) == ()


@pytest.mark.parametrize("wrong", [0.0, -1.0, inf, float("nan")])
def test_limits_that_are_none_are_refused(wrong: float) -> None:
    with pytest.raises(ModelError, match="limits of a motion must be finite and above 0"):
        MotionLimits(0.5, wrong, 20.0)
