"""The lens, from pictures of a board on the floor over which the camera is moved."""

from __future__ import annotations

from functools import cache
from math import cos, radians, sin, tan

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from devs_robotics.hil.camera.calibration import BoardPlan, LensCalibration, charuco_board
from devs_robotics.hil.camera.camera_plan import Lens, MarkerPlan, Mounting
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.hil.lab.overhead_view import OverheadView, PictureQuality, Sheet
from tests.approximately import near

LENS = replace(Lens.plain(320, 240, 250.0), fx=253.0, cx=164.0, cy=117.0, distortion=(-0.25, 0.08, 0.001, -0.0005, 0.0))
BOARD = BoardPlan(7, 5, 0.06, 0.045)


def pictures(views: int) -> list[NDArray[np.uint8]]:
    return list(map(picture, range(views)))


@cache
def picture(number: int) -> NDArray[np.uint8]:
    """Of a board on the floor, from one of many places."""
    cells = charuco_board(BOARD).generateImage((BOARD.columns * 28, BOARD.rows * 28))
    grey = np.where(cells > 127, 220, 30).astype(np.uint8)
    turn, tilt = radians(40.0 * number), radians(5.0 + 6.0 * (number % 5))
    above = 0.45 + 0.05 * (number % 4)
    aside = above * tan(tilt)
    shift = 0.08 * cos(1.7 * number), 0.06 * sin(2.3 * number)
    camera = Mounting(aside * sin(turn) + shift[0], -aside * cos(turn) + shift[1], above, tilt, turn)
    view = OverheadView(LENS, camera, MarkerPlan({}, {}), look=PictureQuality(0.5, 3.0))
    return view.sheets([Sheet((0.0, 0.0, 0.0), 0.0, 0.5 * BOARD.columns * BOARD.square, grey)], number)


def test_a_lens_is_found_from_pictures_of_a_board() -> None:
    calibration = LensCalibration(BOARD)
    shown = [calibration.add(picture) for picture in pictures(9)]
    assert min(shown) >= 8
    lens = calibration.lens()
    assert (lens.width, lens.height) == (320, 240)
    assert (lens.fx, lens.fy) == (near(253.0, 5.0), near(250.0, 5.0))
    assert (lens.cx, lens.cy) == (near(164.0, 3.0), near(117.0, 3.0))
    assert lens.distortion[0] == near(-0.25, 0.08)
    assert 0.0 < lens.error < 0.5


def test_too_few_pictures_of_the_board_are_told() -> None:
    calibration = LensCalibration(BOARD)
    assert calibration.add(np.full((240, 320), 90, dtype=np.uint8)) == 0
    calibration.add(pictures(1)[0])
    with pytest.raises(
        CameraError, match="the board was found in 1 pictures, and 8 are needed: hold it at other places"
    ):
        calibration.lens()


def test_live_pictures_are_of_use_where_the_board_is_still_and_elsewhere_than_before() -> None:
    first, second = pictures(2)
    moving = np.roll(second, 4, axis=1)
    calibration = LensCalibration(BOARD, live=True)
    taken = [calibration.add(picture) > 0 for picture in (first, first, first, moving, second, second, first, first)]
    assert taken == [False, True, False, False, False, True, False, False]
    assert calibration.views == 2


def test_pictures_of_two_sizes_are_refused() -> None:
    calibration = LensCalibration(BOARD)
    calibration.add(np.full((240, 320), 90, dtype=np.uint8))
    with pytest.raises(CameraError, match="a picture of 160 x 120 pixels came after others of another size"):
        calibration.add(np.full((120, 160), 90, dtype=np.uint8))
