"""The file in which a camera keeps its newest picture: whoever reads it waits for nobody."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from devs_robotics.core.robots.overhead_picture import (
    JPEG,
    MOST_BYTES,
    MOST_SIDE,
    Calibration,
    OverheadPicture,
    PictureReader,
    write_picture,
)


def picture(exposed: float, more: bytes = b"") -> OverheadPicture:
    return OverheadPicture(exposed, 4, 3, JPEG + more)


def test_the_newest_picture_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "seen.picture"
    reader = PictureReader(path)
    assert (reader.read(), reader.trouble) == (None, "")  # there is no file yet
    for exposed in (1.0, 2.0):
        write_picture(path, picture(exposed))
    assert reader.read() == picture(2.0)
    assert reader.read() is None
    write_picture(path, picture(3.0))
    assert reader.read() == picture(3.0)
    assert list(tmp_path.iterdir()) == [path]


def test_how_places_are_seen_is_kept_with_the_picture_number_by_number(tmp_path: Path) -> None:
    rows = ((5.0, 6.0, 7.0), (8.0, 9.0, 10.0), (11.0, 12.0, 13.0))
    seen = Calibration(1.0, 2.0, 3.0, 4.0, (0.1, 0.2, 0.3, 0.4, 0.5), rows, (14.0, 15.0, 16.0), 17.0)
    path = tmp_path / "seen.picture"
    write_picture(path, OverheadPicture(1.5, 4, 3, JPEG, seen))
    found = PictureReader(path).read()
    assert found is not None
    assert (found.exposed, found.width, found.height, found.calibration) == (1.5, 4, 3, seen)
    assert seen.numbers == [1.0, 2.0, 3.0, 4.0, 0.1, 0.2, 0.3, 0.4, 0.5, *map(float, range(5, 18))]
    assert (seen.cx, seen.cy, seen.place[0], seen.height) == (3.0, 4.0, 14.0, 17.0)


def test_the_longest_picture_is_read_and_one_byte_more_is_none(tmp_path: Path) -> None:
    path = tmp_path / "seen.picture"
    write_picture(path, picture(1.0, bytes(70_000)))
    more = MOST_BYTES - path.stat().st_size
    reader = PictureReader(path)
    write_picture(path, picture(1.0, bytes(70_000 + more)))
    assert path.stat().st_size == MOST_BYTES
    assert reader.read() == picture(1.0, bytes(70_000 + more))
    write_picture(path, picture(1.0, bytes(70_001 + more)))
    assert reader.read() is None
    assert "it has more than 1 MB" in reader.trouble


@pytest.mark.parametrize(("width", "height"), [(1, MOST_SIDE), (MOST_SIDE, 1), (0, 1), (1, 0), (MOST_SIDE + 1, 1)])
def test_pictures_have_sides_of_pixels(width: int, height: int, tmp_path: Path) -> None:
    path = tmp_path / "seen.picture"
    write_picture(path, OverheadPicture(1.0, width, height, JPEG))
    is_one = min(width, height) > 0 and max(width, height) <= MOST_SIDE
    assert (PictureReader(path).read() is not None) == is_one


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "Input data was truncated"),
        (b"\x93\x01\x02\x03", "Expected `object`, got `array`"),
        (b"\x81" * 2000, "."),
        (b"\0" * (MOST_BYTES + 1), "it has more than 1 MB"),
    ],
)
def test_what_is_no_picture_is_told_and_not_read_again(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "seen.picture"
    path.write_bytes(content)
    reader = PictureReader(path)
    assert reader.read() is None
    assert reader.trouble.startswith(f"{path} holds no picture of devs-robotics camera --share (")
    assert why in reader.trouble
    path.unlink()
    assert (reader.read(), reader.trouble) == (None, "")  # nothing is wrong with a file that is gone
    write_picture(path, picture(1.0))
    assert (reader.read(), reader.trouble) == (picture(1.0), "")


def test_a_picture_that_is_no_jpeg_is_not_handed_on(tmp_path: Path) -> None:
    path = tmp_path / "seen.picture"
    write_picture(path, OverheadPicture(1.0, 4, 3, b"<svg onload=alert(1)>"))
    reader = PictureReader(path)
    assert reader.read() is None
    assert "what is in it is no JPEG" in reader.trouble


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_nobody_waits_for_who_writes_into_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = PictureReader(path)
    assert reader.read() is None
    assert "it is no file" in reader.trouble
