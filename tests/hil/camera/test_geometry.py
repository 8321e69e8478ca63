"""From pixels to places, held against a projection by code of its own."""

from __future__ import annotations

from math import cos, hypot, inf, pi, radians, remainder, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Mounting, Place
from devs_robotics.hil.camera.geometry import CameraPose, camera_pose, marker_corners, marker_place, undistorted
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.lab.overhead_view import OverheadView
from devs_robotics.hil.testing.camera_accuracy import HEIGHT, WIDTH, mounting_over
from tests.approximately import near
from tests.hil.camera.overhead import BENT, LENS, PLAN, view

NEAR = 1e-6
"""What positions (m) and headings (rad) may be off that went through pixels without their rounding."""

mountings = st.builds(
    lambda tilt, above, turn: mounting_over(WIDTH, HEIGHT, tilt, above, turn),
    st.floats(0.0, radians(15.0)),
    st.floats(2.0, 3.0),
    st.floats(-pi, pi),
)
places = st.tuples(st.floats(0.2, 1.6), st.floats(0.2, 1.75), st.floats(-pi, pi))


def seen_by(camera: OverheadView, place: Place, size: float, height: float) -> NDArray[np.float64]:
    """Where a marker's corners are seen."""
    x, y, heading = place
    ahead, left = np.array([cos(heading), sin(heading)]), np.array([-sin(heading), cos(heading)])
    points = [np.array([x, y]) + 0.5 * size * (a * ahead + b * left) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    return camera.pixels(np.array([(*point, height) for point in points]))


def pose_of(camera: OverheadView, lens: Lens, plan: MarkerPlan = PLAN) -> CameraPose:
    return camera_pose(
        {marker: seen_by(camera, place, plan.corner_size, 0.0) for marker, place in plan.corners.items()}, plan, lens
    )


@settings(max_examples=40, deadline=None)
@given(mountings, places, st.floats(0.0, 0.3), st.sampled_from([LENS, BENT]))
def test_robots_are_found_where_they_are_seen_from_any_place_and_through_any_lens(
    mounting: Mounting, place: Place, height: float, lens: Lens
) -> None:
    camera = view(lens, mounting)
    pose = pose_of(camera, lens)
    assert pose.place == (near(mounting.x, NEAR), near(mounting.y, NEAR), near(mounting.height, NEAR))
    assert pose.error < 1e-3
    x, y, heading = marker_place(seen_by(camera, place, 0.08, height), height, pose, lens)
    assert (x, y) == (near(place[0], NEAR), near(place[1], NEAR))
    assert remainder(heading - place[2], 2.0 * pi) == near(0.0, 1e-4)


def test_headings_on_either_side_of_half_a_turn_differ_by_what_is_between_them() -> None:
    camera = view()
    pose = pose_of(camera, LENS)
    one, other = (
        marker_place(seen_by(camera, (0.9, 1.0, radians(degree)), 0.08, 0.1), 0.1, pose, LENS)[2]
        for degree in (-179.0, 179.0)
    )
    assert (one, other) == (near(radians(-179.0), 1e-5), near(radians(179.0), 1e-5))
    assert abs(remainder(one - other, 2.0 * pi)) == near(radians(2.0), 1e-5)


@given(st.floats(-pi, pi))
@settings(max_examples=40, deadline=None)
def test_a_heading_is_right_at_every_angle(heading: float) -> None:
    """The published script told 90 + 180 sin(t/2) degrees of a marker turned by t, which is right at two angles."""
    camera = view()
    found = marker_place(seen_by(camera, (0.5, 1.5, heading), 0.08, 0.1), 0.1, pose_of(camera, LENS), LENS)[2]
    assert abs(remainder(found - heading, 2.0 * pi)) < 1e-5


def test_the_height_of_markers_counts() -> None:
    """Of one 10 cm above the floor, seen from 2.3 m, the floor's straightened picture tells 4 % too much."""
    camera = view()
    pose = pose_of(camera, LENS)
    corners = seen_by(camera, (1.6, 1.7, 0.0), 0.08, 0.1)
    x, y, _ = marker_place(corners, 0.0, pose, LENS)
    assert 0.03 < hypot(x - 1.6, y - 1.7) < 0.08
    x, y, _ = marker_place(corners, 0.1, pose, LENS)
    assert hypot(x - 1.6, y - 1.7) < NEAR


def test_a_corner_marker_that_is_missing_is_named() -> None:
    camera = view()
    seen = {marker: seen_by(camera, place, 0.12, 0.0) for marker, place in PLAN.corners.items() if marker != 41}
    with pytest.raises(CameraError, match="corner marker 41 cannot be seen, so that nobody knows where the camera is"):
        camera_pose(seen, PLAN, LENS)
    del seen[43]
    with pytest.raises(CameraError, match="corner markers 41, 43 cannot be seen"):
        camera_pose(seen, PLAN, LENS)


def test_five_corner_markers_may_miss_one() -> None:
    camera = view()
    plan = MarkerPlan(PLAN.robots, {**PLAN.corners, 44: (0.9, 0.1, 0.3)})
    seen = {marker: seen_by(camera, place, 0.12, 0.0) for marker, place in plan.corners.items() if marker != 41}
    assert camera_pose(seen, plan, LENS).place[2] == near(2.3, NEAR)


def test_the_corners_of_a_marker_go_clockwise_from_its_upper_left_one() -> None:
    assert marker_corners((1.0, 2.0, 0.0), 0.2, 0.1).tolist() == [
        [near(0.9), near(2.1), near(0.1)],
        [near(1.1), near(2.1), near(0.1)],
        [near(1.1), near(1.9), near(0.1)],
        [near(0.9), near(1.9), near(0.1)],
    ]


def test_a_wide_lens_is_straightened_to_its_edges() -> None:
    pixels = np.array([[20.0, 240.0], [620.0, 200.0], [320.0, 5.0], [90.0, 60.0]])
    x, y = undistorted(pixels, BENT).T
    k1, k2, p1, p2, k3 = BENT.distortion
    square = x * x + y * y
    radial = 1.0 + k1 * square + k2 * square**2 + k3 * square**3
    column = BENT.fx * (x * radial + 2.0 * p1 * x * y + p2 * (square + 2.0 * x * x)) + BENT.cx
    row = BENT.fy * (y * radial + p1 * (square + 2.0 * y * y) + 2.0 * p2 * x * y) + BENT.cy
    assert np.abs(np.column_stack([column, row]) - pixels).max() < 1e-3
    assert inf > np.abs(x).max() > 0.6
