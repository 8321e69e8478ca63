"""Where a camera's file, or an option, says that pictures come from."""

from __future__ import annotations

from math import atan, degrees
from pathlib import Path

import numpy as np
import pytest

from devs_robotics.hil.camera.camera_plan import Lens
from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.scenarios.filming.camera_file import CameraFile
from devs_robotics.scenarios.filming.picture_sources import exposures, is_device, lens_for, view_of
from tests.approximately import near

FILE = CameraFile()
LENS = '{"width": 64, "height": 48, "fx": 48, "fy": 48, "cx": 31.5, "cy": 23.5}'


def test_the_laboratory_s_lens_sees_as_far_as_the_file_says_unless_there_is_another(tmp_path: Path) -> None:
    lens = lens_for(FILE, "truth.jsonl", tmp_path)
    assert 2.0 * degrees(atan(0.5 * lens.width / lens.fx)) == near(67.4)
    assert (lens.width, lens.height, lens.distortion) == (1280, 960, (0.0,) * 5)
    (tmp_path / "lens.json").write_text(LENS)
    assert lens_for(FILE, "truth.jsonl", tmp_path) == Lens.plain(64, 48, 48.0)


def test_a_real_camera_needs_a_lens(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="make it with devs-robotics camera --calibrate"):
        lens_for(FILE, "0", tmp_path)


def test_the_laboratory_s_camera_looks_at_the_middle_of_the_field() -> None:
    lens = lens_for(FILE, "truth.jsonl", Path("nowhere"))
    (middle,) = view_of(FILE, lens).pixels(np.array([[0.9, 0.975, 0.0]])).tolist()
    assert middle == [near(lens.cx), near(lens.cy)]


def test_devices_have_numbers_or_addresses() -> None:
    assert [is_device(name) for name in ("0", "12", "rtsp://192.0.2.9/live", "film.avi", "²", "9" * 20)] == [
        True
    ] * 3 + [False] * 3
    with pytest.raises(CameraError, match="camera 987 cannot be opened"):
        list(exposures(FILE, "987", None, live=True))


def test_folders_films_and_records_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(opencv().imencode(".png", np.zeros((4, 4), dtype=np.uint8))[1].tobytes())
    assert [each is not None for each in exposures(FILE, str(tmp_path), None, live=False)] == [True]
    (tmp_path / "film.avi").write_text("none")
    with pytest.raises(CameraError, match="is no film"):
        list(exposures(FILE, str(tmp_path / "film.avi"), None, live=False))
    (tmp_path / "truth.jsonl").write_text("")
    with pytest.raises(CameraError, match="is no picture of a board: name a camera, a film, or a folder"):
        exposures(FILE, str(tmp_path / "truth.jsonl"), None, live=False)
    with pytest.raises(CameraError, match="there is no 'nowhere'"):
        exposures(FILE, "nowhere", None, live=False)
