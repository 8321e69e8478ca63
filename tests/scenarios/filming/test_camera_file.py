"""A camera's file."""

from __future__ import annotations

import json
from math import radians
from pathlib import Path

import pytest

from devs_robotics.hil.camera.camera_plan import corner_places
from devs_robotics.hil.camera.opencv import CameraError
from devs_robotics.scenarios.filming.camera_file import CameraFile, keys, mounting, read_camera_file, read_lens
from devs_robotics.scenarios.settings.problems import ScenarioError
from tests.approximately import near
from tests.paths import ROOT


def file(folder: Path, text: str) -> Path:
    path = folder / "camera.toml"
    path.write_text(text)
    return path


def test_without_a_file_there_are_ten_robots_in_the_published_arena() -> None:
    plan = read_camera_file(None).plan
    assert plan.robots == {number: number for number in range(1, 11)}
    assert plan.corners == corner_places(1.8, 1.95)
    assert (plan.family, plan.size, plan.height, plan.corner_size) == ("4x4", 0.08, 0.1, 0.12)
    assert mounting(CameraFile()).height == 2.3


def test_a_file_has_units_and_names_markers_by_robots(tmp_path: Path) -> None:
    text = """
    [field]
    width = "2 m"
    height = "150 cm"
    [markers]
    family = "6x6"
    height = "55 mm"
    inset = "20 cm"
    robots = { 3 = 17, 4 = 0 }
    """
    plan = read_camera_file(file(tmp_path, text)).plan
    assert (plan.family, plan.height, plan.robots) == ("6x6", near(0.055), {17: 3, 0: 4})
    assert plan.corners == corner_places(2.0, 1.5, 0.2)


def test_corner_markers_may_lie_outside_where_no_robot_covers_them(tmp_path: Path) -> None:
    plan = read_camera_file(file(tmp_path, "[markers]\ninset = '-15 cm'")).plan
    assert plan.corners == corner_places(1.8, 1.95, -0.15)


def test_corners_may_lie_anywhere(tmp_path: Path) -> None:
    corners = ", ".join(
        f'{{ id = {20 + each}, x = {each % 2}, y = {each // 2}, heading = "90 deg" }}' for each in range(4)
    )
    plan = read_camera_file(file(tmp_path, f"[markers]\ncorners = [{corners}]")).plan
    assert plan.corners[21] == (1.0, 0.0, near(radians(90.0)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[markers]\nsizes = 3", "markers.sizes: there is no such key: did you mean 'markers.size'?"),
        ("[lens]\nf = 3", "lens: there is no such key"),
        ("[markers]\nsize = '8'", "markers.size: '8' has no unit"),
        ("[markers]\nfamily = '3x3'", "markers.family: must be '4x4', '5x5', '6x6' or '7x7', not '3x3'"),
        ("[markers]\nrobots = { 1 = 5, 2 = 5 }", "markers.robots: two robots have one marker: give each its own"),
        ("[markers]\nrobots = { 1 = 41 }", "markers.robots: marker 41 lies in a corner: give that robot another one"),
        ("[markers]\ncorners = [{ id = 1, x = 0, y = 0 }]", "markers.corners: there must be four or more, not 1"),
        (
            "[markers]\nsize = '5 m'",
            "markers.size: 5 m is more than half of a field of 1.8 m x 1.95 m: make it smaller, or the field larger",
        ),
        ("[markers]\ncorner_size = 1.0", "markers.corner_size: 1 m is more than half of a field"),
        ("[rendered]\nradius = 0.5", "rendered.radius: 1 m is more than half of a field"),
        (
            "[markers]\ncorners = ["
            + ", ".join(f"{{ id = {each}, x = {each}, y = {0.5 * each} }}" for each in range(20, 24))
            + "]",
            "markers.corners: all corner markers lie on one line: spread them over the field",
        ),
        ("[markers]\ninset = 0.9", "markers.inset: all corner markers lie on one line: spread them over the field"),
        ("[markers]\nrobots = { 1 = 50 }", "markers.robots: the family '4x4' has no marker 50: take ids from 0 to 49"),
        (
            "[markers]\nfamily = '6x6'\ncorners = ["
            + ", ".join(f"{{ id = {247 + each}, x = {each % 2}, y = {each // 2} }}" for each in range(4))
            + "]",
            "markers.corners: the family '6x6' has no marker 250: take ids from 0 to 249",
        ),
        ("[markers]\nrobots = { a = 1 }", "markers.robots.a: is no robot: write ROBOT = MARKER"),
        ("[board]\nmarker = '5 cm'", "board.marker: must be smaller than board.square"),
        ("[camera", "this is not valid TOML"),
    ],
)
def test_mistakes_are_told_with_their_keys(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_camera_file(file(tmp_path, text))
    assert told in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=r"it cannot be read \(No such file or directory\): check the path"):
        read_camera_file(tmp_path / "none.toml")


def lens_file(**wrong: float) -> bytes:
    return json.dumps({"width": 64, "height": 48, "fx": 48, "fy": 48, "cx": 31.5, "cy": 23.5, **wrong}).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"{}",
        b"no",
        b'{"width": "wide"}',
        lens_file(width=-1),
        lens_file(height=10_000_000),
        lens_file(fx=0),
        lens_file(fy=-48),
        lens_file(fx=1e300),
    ],
)
def test_what_is_no_lens_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "lens.json"
    with pytest.raises(
        CameraError, match=r"cannot be read \(No such file or directory\): make it with devs-robotics cam"
    ):
        read_lens(path)
    path.write_bytes(content)
    with pytest.raises(CameraError, match=r"lens.json holds no lens \(.*\): make it anew"):
        read_lens(path)


def test_the_page_names_every_key() -> None:
    page = (ROOT / "docs" / "camera.md").read_text()
    assert [key for key in keys() if f"`{key}`" not in page] == []
