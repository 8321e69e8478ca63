"""What a camera above the arena sees."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest
from msgspec.structs import replace

from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Mounting
from devs_robotics.hil.lab.overhead_view import BLACK, FLOOR, ROBOT, WHITE, OverheadView, PictureQuality, Sheet
from tests.approximately import near
from tests.hil.camera.overhead import BENT, LENS, PLACES, PLAN, view

SHARP = PictureQuality(0.0, 0.0)
NOTHING = MarkerPlan({}, {})


def test_only_what_has_changed_is_rendered_anew_and_the_picture_is_the_same() -> None:
    kept, places = view(look=PictureQuality()), dict(PLACES)
    for number in range(3):
        places[1] = (0.6 + 0.1 * number, 0.7, 0.4)
        places[2] = (0.65 + 0.1 * number, 0.72, 1.4)  # one lies over the other
        hidden = (41,) if number == 1 else ()
        anew = view(look=PictureQuality()).picture(places, number, hidden)
        assert (kept.picture(places, number, hidden) == anew).all()


def test_the_same_picture_has_the_same_bytes_and_each_has_noise_of_its_own() -> None:
    first, second = view(look=PictureQuality(), seed=3), view(look=PictureQuality(), seed=3)
    assert first.picture(PLACES, 5).tobytes() == second.picture(PLACES, 5).tobytes()
    assert first.picture(PLACES, 5).tobytes() != first.picture(PLACES, 6).tobytes()
    assert first.picture(PLACES, 5).tobytes() != view(look=PictureQuality(), seed=4).picture(PLACES, 5).tobytes()


@pytest.mark.parametrize("lens", [LENS, BENT])
def test_things_are_painted_where_their_points_are_seen(lens: Lens) -> None:
    camera = view(lens, look=SHARP)
    picture = camera.picture(PLACES)
    for x, y, _ in PLAN.corners.values():  # from their middles along x: print, its rim, the floor
        points = np.array([[x + aside, y, 0.0] for aside in (0.052, 0.07, 0.11)])
        seen = [float(picture[round(row), round(column)]) for column, row in camera.pixels(points)]
        assert seen == [near(BLACK, 60), near(WHITE, 60), near(FLOOR, 40)]


def test_a_camera_that_looks_straight_down_sees_x_to_the_right_and_y_up() -> None:
    camera = OverheadView(LENS, Mounting(1.0, 1.0, 2.0, 0.0, 0.0), NOTHING)
    middle = camera.pixels(np.array([[1.0, 1.0, 0.0], [1.2, 1.0, 0.0], [1.0, 1.3, 0.5]]))
    assert middle[0].tolist() == [near(LENS.cx), near(LENS.cy)]
    assert middle[1].tolist() == [near(LENS.cx + 480.0 * 0.1), near(LENS.cy)]
    assert middle[2].tolist() == [near(LENS.cx), near(LENS.cy - 480.0 * 0.2)]
    turned = replace(Mounting(1.0, 1.0, 2.0, 0.0, 0.0), turn=radians(90.0))
    (aside,) = OverheadView(LENS, turned, NOTHING).pixels(np.array([[1.0, 1.2, 0.0]])).tolist()
    assert aside == [near(LENS.cx + 480.0 * 0.1), near(LENS.cy)]


def test_each_pixel_is_the_mean_of_its_rays() -> None:
    camera = OverheadView(LENS, Mounting(1.0, 1.0, 2.0, 0.0, 0.0), NOTHING, look=SHARP)
    dark = Sheet((1.0, 1.0, 0.0), 0.0, 0.2, np.full((4, 4), BLACK, dtype=np.uint8))
    picture = camera.sheets([dark]).astype(float)
    covered = (FLOOR - picture).sum() / (FLOOR - BLACK)
    assert covered == near((0.4 / 2.0 * 480.0) ** 2, 30.0)
    assert set(np.unique(picture)) <= {FLOOR, BLACK, *range(BLACK, FLOOR)}


def test_robots_are_discs_at_the_height_of_their_markers() -> None:
    camera = view(plan=MarkerPlan({}, {}, height=0.3), look=SHARP, radius=0.1)
    picture = camera.picture({1: (0.9, 1.0, 0.0)})
    rows, columns = np.nonzero(picture < FLOOR - 30)
    column, row = camera.pixels(np.array([[0.9, 1.0, 0.3]]))[0]
    assert (columns.mean(), rows.mean()) == (near(column, 0.5), near(row, 0.5))
    assert picture.min() == ROBOT
    assert len(rows) == near(np.pi * (0.1 * 480.0 / 2.0) ** 2, 60.0)


def test_noise_and_smearing_are_as_wanted() -> None:
    noisy = view(plan=NOTHING, look=PictureQuality(0.0, 4.0)).picture({}).astype(float)
    assert (noisy.mean(), noisy.std()) == (near(FLOOR, 0.05), near(4.0, 0.05))
    edge = Sheet((0.9, 1.0, 0.02), 0.0, 0.3, np.full((4, 4), WHITE, dtype=np.uint8))
    widths = []
    for motion in (0, 9):
        picture = view(plan=NOTHING, look=PictureQuality(0.0, 0.0, motion)).sheets([edge]).astype(float)
        widths.append(int(((picture[240] > FLOOR) & (picture[240] < WHITE)).sum()))
    assert widths[0] <= 4
    assert widths[1] >= 16
