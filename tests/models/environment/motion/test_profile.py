"""Profiles of constant jerk, against small steps."""

from __future__ import annotations

from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.motion.profile import Profile
from tests.models.environment.crossing.motions import some

pieces = st.lists(st.tuples(st.floats(0.05, 2.0), st.floats(-1.0, 1.0)), min_size=1, max_size=4).map(tuple)
profiles = st.builds(
    Profile,
    st.floats(0.0, 5.0),
    st.floats(-1.0, 1.0),
    st.floats(-1.0, 1.0),
    st.floats(-pi, pi),
    pieces,
    st.floats(-0.5, 0.5),
    st.floats(-0.5, 0.5),
)


@given(profiles, st.floats(0.0, 1.0))
@some
def test_small_steps_end_there_too(profile: Profile, share: float) -> None:
    left = share * (profile.end - profile.start)
    time = profile.start + left
    distance, speed, acceleration = 0.0, profile.speed, profile.acceleration
    steps = 30
    for duration, jerk in profile.pieces:
        h = min(left, duration) / steps
        for _ in range(steps):  # each half step with the speed half way
            half = acceleration + jerk * h / 2.0
            distance += h * (speed + half * h / 2.0)
            speed += half * h
            acceleration += jerk * h
        left = max(0.0, left - duration)
    assert profile.distance(time) == pytest.approx(distance, abs=1e-2)
    assert abs(speed) <= profile.fastest + 1e-9


@given(profiles)
@some
def test_its_largest_speed_is_reached_and_never_passed(profile: Profile) -> None:
    span = profile.end - profile.start
    sampled = max(abs(profile.speed_at(profile.start + span * sample / 2000)) for sample in range(2000))
    assert sampled <= profile.fastest + 1e-9
    assert sampled >= profile.fastest - 0.2


@given(profiles, st.floats(0.01, 0.99))
@some
def test_its_speed_is_how_its_distance_changes(profile: Profile, share: float) -> None:
    time = profile.start + share * (profile.end - profile.start)
    change = profile.distance(time + 1e-6) - profile.distance(time - 1e-6)
    assert change / 2e-6 == pytest.approx(profile.speed_at(time), abs=1e-4)


@given(profiles, st.floats(0.01, 0.99))
@some
def test_its_acceleration_is_how_its_speed_changes(profile: Profile, share: float) -> None:
    time = profile.start + share * (profile.end - profile.start)
    change = profile.speed_at(time + 1e-6) - profile.speed_at(time - 1e-6)
    assert change / 2e-6 == pytest.approx(profile.acceleration_at(time), abs=1e-4)


@given(profiles)
@some
def test_it_rests_before_and_after(profile: Profile) -> None:
    assert profile.pose(profile.start - 1.0)[:2] == (profile.x, profile.y)
    assert profile.pose(profile.end + 1.0) == pytest.approx(profile.pose(profile.end), abs=1e-12)
    assert profile.speed_at(profile.start - 1.0) == profile.speed_at(profile.end + 1.0) == 0.0
    assert profile.fastest_turn == 0.0


def test_a_ramp_up_and_down() -> None:
    """From rest to rest in 4 s with a jerk of 1 m/s^3: 2 m, at most 1 m/s, halfway after half the time."""
    profile = Profile(1.0, 0.0, 0.0, pi / 6, ((1.0, 1.0), (2.0, -1.0), (1.0, 1.0)))
    assert profile.end == 5.0
    assert profile.fastest == pytest.approx(1.0)
    assert profile.distance(3.0) == pytest.approx(1.0)
    assert profile.pose(99.0) == pytest.approx((2.0 * cos(pi / 6), 2.0 * sin(pi / 6), pi / 6))
    assert profile.speed_at(3.0) == pytest.approx(1.0)
