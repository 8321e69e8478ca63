"""What is known of where robots are, against worlds in which it is known exactly."""

from __future__ import annotations

import csv
import io
from math import cos, hypot, pi, remainder, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import convert

from devs_robotics import Atomic, Coupled, Fix, Out, Simulator, TrackChange
from devs_robotics.experimental_frames.instruments.localisation import (
    Errors,
    FixRow,
    Localisation,
    localisation_csv,
    localisation_lines,
    measure_localisation,
)
from devs_robotics.models.environment import Field, Motion, Pose, PoseChange
from tests.approximately import near
from tests.models.environment.spaces import space_manager
from tests.models.play import tell

START: Pose = (1.0, 2.0, 0.5)

angles = st.floats(-pi, pi)
motions = st.lists(st.tuples(angles, st.floats(-2.0, 2.0)), max_size=15)


def transducer(*robots: int) -> Localisation:
    return Localisation("localisation", dict.fromkeys(robots or (2,), START))


def gone(pose: Pose, turn: float, distance: float) -> Pose:
    x, y, heading = pose
    heading += turn
    return x + distance * cos(heading), y + distance * sin(heading), remainder(heading, 2.0 * pi)


def report(frame: Localisation, turn: float, distance: float, robot: int = 2) -> None:
    assert tell(frame, (frame.reported, Motion(robot, turn, distance)), e=0.5) == []


def follow(frame: Localisation, pose: Pose, robot: int = 2) -> None:
    assert tell(frame, (frame.pose_change, PoseChange(robot, *pose)), e=0.0) == []


def see(frame: Localisation, pose: Pose, robot: int = 2) -> FixRow:
    assert tell(frame, (frame.fixed, Fix(robot, *pose)), e=0.5) == []
    return frame.rows[-1]


@given(motions)
def test_exact_motions_and_exact_fixes_have_no_error(driven: list[tuple[float, float]]) -> None:
    frame, pose = transducer(), START
    for turn, distance in driven:
        pose = gone(pose, turn, distance)
        report(frame, turn, distance)
        if turn or distance:
            follow(frame, pose)
        row = see(frame, pose)
        assert row == FixRow(frame.rows[-1].time_s, 2, *pose, near(0.0), near(0.0), near(0.0), near(0.0))
    assert [row.time_s for row in frame.rows] == [1.0 + number for number in range(len(driven))]


@given(st.floats(-0.2, 0.2), st.floats(0.01, 1.0), st.integers(1, 30))
def test_an_odometer_with_a_scale_error_drifts_by_it_and_a_corrected_map_does_not(
    scale: float, distance: float, moves: int
) -> None:
    frame, pose, corrected = transducer(), START, START
    for number in range(1, moves + 1):
        pose, corrected = gone(pose, 0.0, distance), gone(corrected, 0.0, distance * (1.0 + scale))
        report(frame, 0.0, distance * (1.0 + scale))
        follow(frame, corrected)
        row = see(frame, pose)
        follow(frame, pose)  # the fix corrects it
        corrected = pose
        assert row.odom_error_m == pytest.approx(number * distance * abs(scale), abs=1e-9)
        assert row.map_error_m == pytest.approx(distance * abs(scale), abs=1e-9)
    errors = measure_localisation(frame)[2]
    assert errors.fixes == moves
    assert errors.odom_position_m.end == errors.odom_position_m.maximum == frame.rows[-1].odom_error_m
    assert errors.odom_position_m.mean == pytest.approx(distance * abs(scale) * (moves + 1) / 2, abs=1e-9)


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5), angles), min_size=4, max_size=4), angles)
def test_errors_are_what_is_believed_less_what_was_seen(poses: list[Pose], turn: float) -> None:
    frame, (_, counterpart, seen, _) = transducer(), poses
    report(frame, turn, 1.0)
    follow(frame, counterpart)
    row, odom = see(frame, seen), gone(START, turn, 1.0)
    assert row.odom_error_m == pytest.approx(hypot(odom[0] - seen[0], odom[1] - seen[1]))
    assert row.map_error_m == pytest.approx(hypot(counterpart[0] - seen[0], counterpart[1] - seen[1]))
    for error, believed in ((row.odom_heading_error_rad, odom), (row.map_heading_error_rad, counterpart)):
        assert -pi <= error <= pi
        assert cos(error - believed[2] + seen[2]) == pytest.approx(1.0)


def test_robots_are_measured_apart_and_strangers_not_at_all() -> None:
    frame = transducer(2, 3)
    report(frame, 0.0, 1.0, robot=2)
    follow(frame, gone(START, 0.0, 1.0), robot=2)
    see(frame, START, robot=2)
    see(frame, START, robot=3)
    for port, message in (
        (frame.reported, Motion(4, 0.0, 1.0)),
        (frame.pose_change, PoseChange(4, *START)),
        (frame.fixed, Fix(4, *START)),
    ):
        tell(frame, (port, message))
    assert [row.robot for row in frame.rows] == [2, 3]
    errors = measure_localisation(frame)
    assert errors[2].odom_position_m == errors[2].map_position_m == Errors(near(1.0), near(1.0), near(1.0))
    assert errors[3].odom_position_m == errors[3].map_heading_rad == Errors(0.0, 0.0, 0.0)


def test_metrics_worked_out_by_hand() -> None:
    frame = transducer()
    for off in (0.3, -0.6, 0.0):
        see(frame, (1.0, 2.0 + off, 0.5 + off))
    (errors,) = measure_localisation(frame).values()
    for error in (errors.odom_position_m, errors.odom_heading_rad, errors.map_position_m, errors.map_heading_rad):
        assert error == Errors(near(0.3), near(0.6), near(0.0))
    assert measure_localisation(transducer()) == {}


class Played(Atomic):
    """At 1 s: a real robot's report together with a fix, as a motor sends them when the fix came at that instant."""

    reported = Out(Motion)
    fixed = Out(Fix)

    def initialize(self) -> None:
        self.hold_in("resting", 1.0)

    def lambdaf(self) -> None:
        self.reported.add(Motion(1, 0.0, 1.0))
        self.fixed.add(Fix(1, 2.25, 1.0, 0.0))


@pytest.mark.parametrize("corrected", [False, True])
def test_a_fix_meets_the_counterpart_after_its_motion_and_before_its_correction(corrected: bool) -> None:
    field = Field(5.0, 5.0)
    field.add_body(1.0, 1.0, 0.0, 0.1)
    world, robot, space = Coupled("world"), Played("robot"), space_manager(field)
    frame = Localisation("localisation", {1: (1.0, 1.0, 0.0)})
    for component in (robot, space, frame):
        world.add_component(component)
    world.add_coupling(robot.reported, space.counterpart)
    world.add_coupling(robot.reported, frame.reported)
    world.add_coupling(robot.fixed, frame.fixed)
    if corrected:
        world.add_coupling(robot.fixed, space.fix)
    world.add_coupling(space.pose_change, frame.pose_change)
    with Simulator(world) as simulator:
        simulator.run(until=10.0)
    assert frame.rows == [FixRow(1.0, 1, 2.25, 1.0, 0.0, near(0.25), 0.0, near(0.25), 0.0)]
    assert frame.map[1] == ((2.25, 1.0, 0.0) if corrected else (2.0, 1.0, 0.0))


def test_it_counts_how_often_robots_are_lost() -> None:
    frame = Localisation("localisation", {2: (1.0, 2.0, 0.0)})
    for sure in (False, True, False):
        tell(frame, (frame.track, TrackChange(2, sure)))
    assert frame.losses == {2: 2}


def test_a_motion_that_is_none_does_not_keep_fixes_waiting() -> None:
    frame = transducer()
    report(frame, 0.0, 0.0)  # a refused move; the environment says nothing of it
    assert see(frame, START).map_error_m == 0.0


@given(st.lists(st.tuples(st.sampled_from([2, 3]), st.floats(-9, 9), st.floats(-9, 9), angles), max_size=9))
def test_the_table_holds_what_was_measured_to_the_last_digit(fixes: list[tuple[int, float, float, float]]) -> None:
    frame = transducer(2, 3)
    for robot, *pose in fixes:
        see(frame, (pose[0], pose[1], pose[2]), robot)
    text = localisation_csv(frame)
    rows = list(csv.DictReader(io.StringIO(text)))
    for read, row in zip(rows, frame.rows, strict=True):
        assert convert(read, FixRow, strict=False) == row
    assert text.splitlines()[1:][2:] == list(localisation_lines(frame, 2))
