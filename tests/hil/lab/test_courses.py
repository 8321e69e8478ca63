"""Courses against closed forms and numerical integration."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, inf, pi, remainder, sin, sqrt

from hypothesis import example, given
from hypothesis import strategies as st

from devs_robotics.hil.lab.courses import Manoeuvre, Pose, Ramp, Slip, WheelDrive
from tests.approximately import near

AXLE = 0.053
lengths = st.floats(0.001, 3.0)
limits = st.floats(0.05, 2.0)
signed = st.floats(-1.0, 1.0)


def manoeuvre(turn: float, distance: float, acceleration: float = inf, slip: Slip = Slip()) -> Manoeuvre:  # noqa: B008
    return Manoeuvre(
        0.0,
        Pose(1.0, 2.0, 0.5),
        turn,
        distance,
        speed=0.5,
        turn_rate=2.0,
        acceleration=acceleration,
        axle=AXLE,
        slip=slip,
    )


def drive(speeds: tuple[float, float], acceleration: float = inf, slip: Slip = Slip()) -> WheelDrive:  # noqa: B008
    return WheelDrive(
        0.0,
        Pose(1.0, 2.0, 0.5),
        (0.0, 0.0),
        speeds=(0.0, 0.0),
        targets=speeds,
        acceleration=acceleration,
        axle=AXLE,
        slip=slip,
    )


def test_a_long_ramp_takes_the_time_of_its_trapezium() -> None:
    ramp = Ramp(1.0, 0.5, 1.0)  # half a second up and down, an eighth of a metre each
    assert ramp.duration == near(0.5 + 0.75 / 0.5 + 0.5)
    assert ramp.covered(0.5) == near(0.125)
    assert ramp.speed(1.0) == 0.5


def test_a_short_ramp_never_reaches_its_speed() -> None:
    ramp = Ramp(0.04, 0.5, 1.0)
    assert ramp.duration == near(2 * sqrt(0.04))
    assert ramp.speed(0.2) == near(0.2)
    assert ramp.covered(0.2) == near(0.02)


@given(lengths, limits, limits | st.just(inf))
def test_a_ramp_covers_what_its_speed_says_within_its_limits(length: float, speed: float, acceleration: float) -> None:
    ramp = Ramp(length, speed, acceleration)
    steps = 2000
    dt = ramp.duration / steps
    middles = [ramp.speed((k + 0.5) * dt) for k in range(steps)]
    assert sum(middles) * dt == near(length, 1e-3)
    assert max(middles) <= speed * (1 + 1e-12)
    assert all(abs(b - a) <= acceleration * dt * (1 + 1e-6) + 1e-12 for a, b in pairwise(middles))
    assert ramp.covered(ramp.duration) == length
    assert ramp.covered(0.37 * ramp.duration) == near(sum(middles[: int(0.37 * steps)]) * dt, 1e-3 * length)


@given(st.floats(-7.0, 7.0), signed, st.lists(st.floats(0.0, 1.0), max_size=5))
def test_a_perfect_manoeuvre_ends_exactly_where_it_was_told_however_it_was_looked_at(
    turn: float, distance: float, looks: list[float]
) -> None:
    course = manoeuvre(turn, distance)
    assert course.end == abs(turn) / 2.0 + abs(distance) / 0.5
    for share in sorted(looks):
        course.advance(share * course.end)
    x, y, heading = course.advance(course.end)
    assert heading == remainder(0.5 + turn, 2 * pi)
    assert (x, y) == (1.0 + distance * cos(heading), 2.0 + distance * sin(heading))
    assert (course.turned, course.gone) == (turn, distance)


@given(signed, signed, limits, st.floats(-0.2, 0.2), st.floats(-1.0, 1.0))
@example(0.0, 1.0, 1.0, 0.0, 5e-324)
@example(0.0, 0.0078125, 1.0, 0.0, 1.7e-313)
def test_slip_moves_the_body_and_not_the_encoders(
    turn: float, distance: float, acceleration: float, stretch: float, swerve: float
) -> None:
    course = manoeuvre(turn, distance, acceleration, Slip(stretch, swerve))
    x, y, heading = course.advance(course.end)
    assert (course.turned, course.gone) == (turn, distance)
    way = abs(distance) * (1 + stretch)
    assert heading == near(0.5 + turn + swerve * way, 1e-9)
    half = swerve * way / 2
    chord = way * (sin(half) / half if half else 1.0)
    assert hypot(x - 1.0, y - 2.0) == near(chord, 1e-9)


def test_a_manoeuvre_turns_as_fast_as_its_slip_and_its_command_say() -> None:
    course = manoeuvre(-1.0, -0.5, slip=Slip(0.1, 0.4))
    course.advance(0.25)
    assert (course.turn_rate, course.speed) == (-2.0, 0.0)
    course.advance(1.0)
    assert course.speed == near(-0.5 * 1.1)
    assert course.turn_rate == near(0.4 * 0.5 * 1.1)


def test_equal_wheels_go_straight_and_opposite_ones_turn() -> None:
    x, y, heading = drive((0.2, 0.2)).advance(3.0)
    assert (x, y, heading) == (1.0 + 0.6000000000000001 * cos(0.5), 2.0 + 0.6000000000000001 * sin(0.5), 0.5)
    x, y, heading = drive((-0.01, 0.01)).advance(3.0)
    assert (x, y) == (1.0, 2.0)
    assert heading == near(0.5 + 0.06 / AXLE)


def test_unequal_wheels_go_round_a_circle() -> None:
    left, right = 0.1, 0.2
    rate, radius = (right - left) / AXLE, AXLE / 2 * (right + left) / (right - left)
    centre = (1.0 - radius * sin(0.5), 2.0 + radius * cos(0.5))
    x, y, _ = drive((left, right)).advance(2.0)
    assert x == near(centre[0] + radius * sin(0.5 + 2.0 * rate))
    assert y == near(centre[1] - radius * cos(0.5 + 2.0 * rate))


@given(signed, signed, limits)
def test_wheels_that_speed_up_go_where_their_speeds_say(left: float, right: float, acceleration: float) -> None:
    course = drive((0.1 * left, 0.1 * right), 0.2 * acceleration)
    x, y, heading = 1.0, 2.0, 0.5
    dt, steps = 0.005, 400
    for k in range(1, steps + 1):
        speeds = [min(abs(target), 0.2 * acceleration * (k - 0.5) * dt) for target in (0.1 * left, 0.1 * right)]
        v_left, v_right = (speed if wish > 0 else -speed for speed, wish in zip(speeds, (left, right), strict=True))
        turn = (v_right - v_left) / AXLE * dt
        x += 0.5 * (v_left + v_right) * dt * cos(heading + turn / 2)
        y += 0.5 * (v_left + v_right) * dt * sin(heading + turn / 2)
        heading += turn
        pose = course.advance(k * dt)
    assert (pose.x, pose.y) == (near(x, 1e-3), near(y, 1e-3))


def test_a_drive_that_is_told_to_stop_ends_at_rest() -> None:
    course = WheelDrive(
        0.0,
        Pose(0.0, 0.0, 0.0),
        (0.0, 0.0),
        speeds=(0.4, 0.4),
        targets=(0.0, 0.0),
        acceleration=0.8,
        axle=AXLE,
        slip=Slip(),
    )
    assert course.end == near(0.5)
    assert course.advance(course.end).x == near(0.1)
    assert course.travel == (near(0.1), near(0.1))
    assert course.speed == 0.0
