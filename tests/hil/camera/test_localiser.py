"""Where robots are, picture by picture."""

from __future__ import annotations

from math import degrees, hypot, pi, radians, remainder
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Place
from devs_robotics.hil.camera.localiser import Localiser, LookedAt
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.lab.overhead_view import PictureQuality
from devs_robotics.hil.testing.camera_accuracy import HEIGHT, WIDTH, mounting_over
from tests.approximately import near
from tests.hil.camera.overhead import LENS, PLACES, PLAN, view

CLOSE = 0.003
"""What a position may be off in these small pictures (m)."""


def off(looked: LookedAt, truth: dict[int, Place] = PLACES) -> float:
    """The largest error (m); headings are right to 4 degrees."""
    assert set(looked.places) == set(truth)
    for robot, (_, _, heading) in looked.places.items():
        assert abs(degrees(remainder(heading - truth[robot][2], 2.0 * pi))) < 4.0
    return max(hypot(place[0] - truth[robot][0], place[1] - truth[robot][1]) for robot, place in looked.places.items())


def test_robots_are_told_by_their_numbers_and_not_by_their_markers() -> None:
    localiser = Localiser(PLAN, LENS)
    looked = localiser.look(view(look=PictureQuality()).picture(PLACES))
    assert off(looked) < CLOSE
    assert (looked.covered, looked.strange, looked.twice) == ((), (), ())
    assert localiser.pose is not None
    assert localiser.pose.place == (near(0.907, 0.01), near(0.774, 0.01), near(2.3, 0.01))


def test_markers_of_nobody_are_left_out_and_named() -> None:
    others = replace(PLAN, robots={1: 1, 2: 2})
    looked = Localiser(others, LENS).look(view().picture(PLACES))
    assert (set(looked.places), looked.strange) == ({1, 2}, (17,))


def test_a_covered_corner_marker_is_named_and_the_camera_stays_where_it_was() -> None:
    camera, localiser = view(), Localiser(PLAN, LENS)
    localiser.look(camera.picture(PLACES, 0))
    before = localiser.pose
    looked = localiser.look(camera.picture(PLACES, 1, hidden=(42,)))
    assert looked.covered == (42,)
    assert off(looked) < CLOSE
    assert localiser.pose is before
    assert localiser.look(camera.picture(PLACES, 2)).covered == ()


def test_without_a_first_picture_with_all_corner_markers_nobody_knows_where_the_camera_is() -> None:
    camera, localiser = view(), Localiser(PLAN, LENS)
    with pytest.raises(CameraError, match="corner markers 40, 42 cannot be seen"):
        localiser.look(camera.picture(PLACES, hidden=(40, 42)))
    assert off(localiser.look(camera.picture(PLACES))) < CLOSE


def test_robots_that_are_not_seen_are_not_told() -> None:
    looked = Localiser(PLAN, LENS).look(view().picture(PLACES, hidden=(17,)))
    assert set(looked.places) == {1, 2}


def test_a_camera_that_was_knocked_is_placed_anew() -> None:
    localiser, moved = Localiser(PLAN, LENS), mounting_over(WIDTH, HEIGHT, radians(5.0), 2.35, radians(3.0))
    for number in range(3):
        localiser.look(view(look=PictureQuality()).picture(PLACES, number))
    assert localiser.pictures == 3
    hidden = localiser.look(view(mounting=moved, look=PictureQuality()).picture(PLACES, 4, hidden=(40,)))
    assert (hidden.places, hidden.covered, hidden.moved) == ({}, (40,), True)
    assert off(localiser.look(view(mounting=moved, look=PictureQuality()).picture(PLACES, 5))) < CLOSE
    assert localiser.pictures == 1


def test_corner_markers_of_many_pictures_are_taken_together() -> None:
    noisy, true = view(look=PictureQuality(0.6, 8.0)), mounting_over(WIDTH, HEIGHT, radians(5.0))
    together = Localiser(PLAN, LENS)
    alone: list[NDArray[np.float64]] = []
    errors: list[NDArray[np.float64]] = []
    for number in range(12):
        picture = noisy.picture(PLACES, number)
        single = Localiser(PLAN, LENS)
        single.look(picture)
        together.look(picture)
        for localiser, found in ((single, alone), (together, errors)):
            assert localiser.pose is not None
            found.append(np.array(localiser.pose.place) - (true.x, true.y, true.height))
    spread = np.std(alone, axis=0)
    assert np.linalg.norm(errors[-1] - np.mean(alone, axis=0)) < 0.8 * np.linalg.norm(spread)


def test_a_picture_of_another_size_than_the_lens_is_refused() -> None:
    with pytest.raises(CameraError, match="a picture of 640 x 480 pixels came, and the lens is that of 320 x 240"):
        Localiser(PLAN, Lens.plain(320, 240, 240.0)).look(view().picture(PLACES))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"robots": {1: 1, 40: 2}}, "marker 40 is a robot's and lies in a corner"),
        ({"robots": {1: 1, 2: 1}}, "two markers are those of one robot"),
        ({"corners": {40: (0.0, 0.0, 0.0)}}, "a camera needs four corner markers, not 1"),
    ],
)
def test_plans_that_cannot_be_are_told(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(CameraError, match=told):
        Localiser(replace(PLAN, **wrong), LENS)


def test_the_published_family_does_as_well() -> None:
    plan = MarkerPlan(PLAN.robots, PLAN.corners, "6x6")
    lens = Lens.plain(960, 720, 720.0)
    assert off(Localiser(plan, lens).look(view(lens, plan=plan).picture(PLACES))) < CLOSE


def test_a_fifth_corner_marker_may_come_later() -> None:
    plan = MarkerPlan(PLAN.robots, {**PLAN.corners, 44: (0.9, 0.12, 0.0)})
    camera, localiser = view(plan=plan), Localiser(plan, LENS)
    for number, hidden in enumerate(((44,), (), (41,), ())):
        looked = localiser.look(camera.picture(PLACES, number, hidden=hidden))
        assert looked.covered == hidden
        assert off(looked) < CLOSE
    assert localiser.pictures == 3
