"""Pictures with what was found in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from devs_robotics.hil.camera.drawing import FIELD, MARKER, OFTEN, DrawnFile, drawn, pixels_of
from devs_robotics.hil.camera.localiser import Localiser
from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.hil.testing.camera_accuracy import HEIGHT, WIDTH
from tests.hand_time import HandTime
from tests.hil.camera.overhead import BENT, LENS, PLACES, PLAN, view

SIZE = WIDTH, HEIGHT


def test_points_are_where_the_camera_sees_them() -> None:
    camera, localiser = view(BENT), Localiser(PLAN, BENT)
    localiser.look(camera.picture(PLACES))
    assert localiser.pose is not None
    points = np.array([[0.2, 0.3, 0.0], [0.9, 1.0, 0.1], [1.5, 1.6, 0.3]])
    assert np.abs(pixels_of(points, localiser.pose, BENT) - camera.pixels(points)).max() < 1.0


def test_markers_robots_and_the_field_are_drawn_over_the_picture() -> None:
    camera, localiser = view(), Localiser(PLAN, LENS)
    picture = camera.picture(PLACES)
    looked = localiser.look(picture)
    plain, full = (drawn(picture, localiser.seen, each, localiser, SIZE) for each in (None, looked))
    assert plain.shape == full.shape == (480, 640, 3)
    for colour, image in ((MARKER, plain), (MARKER, full), (FIELD, full)):
        assert (np.abs(image.astype(int) - colour[::-1]).max(axis=2) < 40).sum() > 100
    column, row = camera.pixels(np.array([[WIDTH / 2.0, 0.0, 0.0]]))[0]
    around = full[round(row) - 1 : round(row) + 2, round(column)].astype(int)
    assert np.abs(around - FIELD[::-1]).max(axis=1).min() < 60
    assert (np.abs(plain.astype(int) - FIELD[::-1]).max(axis=2) < 40).sum() == 0


def test_virtual_robots_are_drawn_as_if_they_stood_there() -> None:
    camera, localiser = view(), Localiser(PLAN, LENS)
    picture = camera.picture(PLACES)
    looked = localiser.look(picture)
    without = drawn(picture, localiser.seen, looked, localiser, SIZE).astype(int)
    full = drawn(picture, localiser.seen, looked, localiser, SIZE, {9: (0.4, 1.2, 0.0)}).astype(int)
    rows, columns = np.nonzero(np.abs(full - without).max(axis=2) > 60)
    (column, row), (edge, _) = camera.pixels(np.array([[0.4, 1.2, 0.1], [0.34, 1.2, 0.1]]))
    assert columns.min() == pytest.approx(edge, abs=2)
    assert rows.min() < row < rows.max()
    assert abs(column - edge) > 8


def test_the_file_holds_the_newest_picture_and_is_not_written_too_often(tmp_path: Path) -> None:
    path, localiser = tmp_path / "seen.jpg", Localiser(PLAN, LENS)
    picture = view().picture(PLACES)
    looked = localiser.look(picture)
    hand = HandTime()
    draw = DrawnFile(path, localiser, SIZE, monotonic=hand.monotonic)
    draw(picture, looked)
    written = path.read_bytes()
    assert opencv().imdecode(np.frombuffer(written, dtype=np.uint8), opencv().IMREAD_COLOR).shape == (480, 640, 3)
    path.unlink()
    hand.now = 0.99 * OFTEN
    draw(picture, looked)
    assert list(tmp_path.iterdir()) == []
    hand.now = OFTEN
    draw(picture, looked)
    assert path.read_bytes() == written
    with pytest.raises(CameraError, match=r"seen.jpg cannot be written \(No such file or directory\): name another"):
        DrawnFile(tmp_path / "none" / "seen.jpg", localiser, SIZE)(picture, looked)
    with pytest.raises(CameraError, match=r"is a folder: name a file"):
        DrawnFile(tmp_path, localiser, SIZE)
