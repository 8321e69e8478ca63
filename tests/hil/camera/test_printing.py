"""Markers to be printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from devs_robotics.hil.camera.calibration import BoardPlan
from devs_robotics.hil.camera.detection import MarkerDetector
from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.hil.camera.printing import marker_picture, write_markers
from tests.approximately import near
from tests.hil.camera.overhead import PLAN


def test_every_marker_is_found_in_its_picture_and_all_are_in_the_pdf(tmp_path: Path) -> None:
    files = write_markers(tmp_path / "new", PLAN)
    names = {path.name for path in files}
    assert names >= {"robot_3_marker_17.png", "corner_marker_43.png", "board.png", "print.pdf"}
    for path in files:
        marker = re.search(r"marker_(\d+)", path.name)
        if marker is not None:
            image = np.pad(opencv().imread(str(path), opencv().IMREAD_GRAYSCALE), 40, constant_values=255)
            assert list(MarkerDetector("4x4").detect(image)) == [int(marker.group(1))]
    pdf = files[-1].read_bytes()
    assert pdf.count(b"/Type /Page ") == len(files) - 1
    (width, height) = map(float, re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)[0])
    assert (width / 72 * 25.4, height / 72 * 25.4) == (near(210.0, 0.1), near(297.0, 0.1))


def test_the_same_markers_have_the_same_bytes(tmp_path: Path) -> None:
    first, second = write_markers(tmp_path / "a", PLAN), write_markers(tmp_path / "b", PLAN)
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_what_fits_on_no_page_is_told(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match=r"corner_marker_40 is 40.0 cm wide, more than a page: make it smaller"):
        write_markers(tmp_path, replace(PLAN, corner_size=0.3))
    with pytest.raises(CameraError, match=r"board is 70\.0 cm wide"):
        write_markers(tmp_path, PLAN, BoardPlan(7, 5, 0.1, 0.075))


def test_markers_that_a_family_has_not_are_told() -> None:
    with pytest.raises(CameraError, match="markers of the family '4x4' have ids from 0 to 49: there is no 50"):
        marker_picture("4x4", 50)


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CameraError, match=r"file cannot be written \(File exists\): name another folder"):
        write_markers(tmp_path / "file", PLAN)
