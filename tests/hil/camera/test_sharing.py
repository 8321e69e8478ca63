"""The newest picture, as live views get it."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from devs_robotics.core.robots.overhead_picture import Calibration, PictureReader
from devs_robotics.hil.camera.camera_plan import Lens
from devs_robotics.hil.camera.drawing import pixels_of
from devs_robotics.hil.camera.filming import film
from devs_robotics.hil.camera.geometry import CameraPose
from devs_robotics.hil.camera.localiser import Localiser
from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.hil.camera.sharing import EARLY, MOST, OFTEN, SIDE, SharedPicture, shared
from devs_robotics.hil.camera.sources import Exposure, from_film
from tests.hand_time import HandTime
from tests.hil.camera.overhead import BENT, LENS, PLACES, PLAN, view

POINTS = np.array([[0.2, 0.3, 0.0], [0.9, 1.0, 0.1], [1.5, 1.6, 0.1]])


def seen_at(calibration: Calibration) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Where `POINTS` are seen in a picture that was shared."""
    lens = Lens(1, 1, calibration.fx, calibration.fy, calibration.cx, calibration.cy, calibration.distortion)
    return pixels_of(POINTS, CameraPose(calibration.rotation, calibration.place, 0.0), lens)


def test_a_film_is_shared_picture_by_picture_with_where_the_camera_is(tmp_path: Path) -> None:
    cv2, path, shown = opencv(), tmp_path / "film.avi", tmp_path / "seen.picture"
    camera, localiser = view(BENT), Localiser(PLAN, BENT)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (640, 480))
    for number in range(2):
        writer.write(cv2.cvtColor(camera.picture(PLACES, number), cv2.COLOR_GRAY2BGR))
    writer.release()
    account = film(from_film(path, paced=False), localiser, share=SharedPicture(shown, localiser))
    assert account.placed == 2
    picture = PictureReader(shown).read()
    assert picture is not None
    assert (picture.width, picture.height) == (640, 480)
    assert abs(time.time() - picture.exposed) < 60.0
    image = cv2.imdecode(np.frombuffer(picture.jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (480, 640, 3)
    assert picture.calibration is not None
    assert picture.calibration.height == PLAN.height
    assert np.abs(seen_at(picture.calibration) - camera.pixels(POINTS)).max() < 1.5


def test_a_large_picture_is_made_smaller_and_its_calibration_with_it() -> None:
    factor = 3
    lens = Lens(
        1920, 1440, factor * LENS.fx, factor * LENS.fy, factor * (LENS.cx + 0.5) - 0.5, factor * (LENS.cy + 0.5) - 0.5
    )
    localiser = Localiser(PLAN, lens)
    localiser.pose = CameraPose(((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)), (0.9, 0.97, 2.3), 0.0)
    noise = np.random.default_rng(1).integers(0, 255, (1440, 1920), dtype=np.uint8)
    picture = shared(noise, 5.0, localiser)
    assert (picture.width, picture.height) == (SIDE, 720)
    assert len(picture.jpeg) <= MOST  # of noise, which no other picture exceeds
    assert picture.calibration is not None
    expected = (pixels_of(POINTS, localiser.pose, lens) + 0.5) / 2 - 0.5
    assert np.abs(seen_at(picture.calibration) - expected).max() < 1e-6


def test_it_is_not_written_too_often_and_without_a_calibration_where_nobody_knows(tmp_path: Path) -> None:
    path, localiser = tmp_path / "seen.picture", Localiser(PLAN, LENS)
    hand = HandTime()
    share = SharedPicture(path, localiser, hand.monotonic)
    exposure = Exposure(view().picture(PLACES), time.monotonic() - 0.5)
    share(exposure, None)
    picture = PictureReader(path).read()
    assert picture is not None
    assert picture.calibration is None
    assert 0.5 <= time.time() - picture.exposed < 30.0
    path.unlink()
    hand.now = 0.99 * (OFTEN - EARLY)
    share(exposure, localiser.look(exposure.image))
    assert list(tmp_path.iterdir()) == []
    hand.now = OFTEN - EARLY
    share(exposure, localiser.look(exposure.image))
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    localiser = Localiser(PLAN, LENS)
    share = SharedPicture(tmp_path / "none" / "seen.picture", localiser)
    with pytest.raises(
        CameraError, match=r"seen.picture cannot be written \(No such file or directory\): name another"
    ):
        share(Exposure(np.zeros((480, 640), dtype=np.uint8), 0.0), None)
    with pytest.raises(CameraError, match=r"is a folder: name a file"):
        SharedPicture(tmp_path, localiser)
