"""Where pictures come from."""

from __future__ import annotations

import json
import time
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from devs_robotics.hil.camera.opencv import CameraError, opencv
from devs_robotics.hil.camera.sources import (
    Exposure,
    Exposures,
    from_device,
    from_film,
    from_folder,
    from_laboratory,
)
from tests.approximately import near
from tests.hil.camera.overhead import LENS, PLACES, view


def taken(exposures: Exposures) -> list[Exposure]:
    return [each for each in exposures if each is not None]


def truth_lines(t: float, unix: float, robots: tuple[int, ...] = (1, 2, 3)) -> str:
    lines = []
    for robot in robots:
        x, y, heading = PLACES[robot]
        line = {"robot": robot, "t": t, "unix": unix, "x": x + 0.1 * t, "y": y, "heading": heading, "speed": 0.1}
        lines.append(f"{json.dumps(line)}\n")
    return "".join(lines)


def test_pictures_of_a_folder_come_by_their_names(tmp_path: Path) -> None:
    for number, name in enumerate(("b.png", "a.jpg", "c.PNG")):
        picture = np.full((12, 16), 80 * number, dtype=np.uint8)
        (tmp_path / name).write_bytes(opencv().imencode(Path(name).suffix.lower(), picture)[1].tobytes())
    (tmp_path / "notes.txt").write_text("not a picture")
    levels = [int(each.image[0, 0]) for each in taken(from_folder(tmp_path, paced=False))]
    assert levels == [80, 0, 160]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [("notes.txt", b"", "there are no pictures in"), ("a.png", b"no", "is no picture that can be read: remove it")],
)
def test_a_folder_without_pictures_is_told(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CameraError, match=told):
        taken(from_folder(tmp_path, paced=False))


def test_a_film_has_all_its_pictures(tmp_path: Path) -> None:
    cv2, path = opencv(), tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 200.0, (64, 48))
    for number in range(5):
        writer.write(np.full((48, 64, 3), 50 * number, dtype=np.uint8))
    writer.release()
    assert [int(each.image[0, 0, 0]) for each in taken(from_film(path, paced=False))] == [
        near(50 * number, 4) for number in range(5)
    ]
    begun = time.monotonic()
    times = [each.time for each in taken(from_film(path, paced=True))]
    assert times[-1] - begun >= 4 / 200.0


def test_pictures_of_a_camera_are_older_than_their_arrival_and_end_when_it_is_unplugged(tmp_path: Path) -> None:
    cv2, path = opencv(), tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (64, 48))
    for _ in range(3):
        writer.write(np.zeros((48, 64, 3), dtype=np.uint8))
    writer.release()
    camera = from_device(str(path), 64, 48, latency=0.25)  # which OpenCV opens as it does the address of one
    before = time.monotonic()
    exposure = next(camera)
    assert exposure is not None
    assert before - 0.25 <= exposure.time <= time.monotonic() - 0.25
    with pytest.raises(CameraError, match=r"film.avi has no more pictures: plug it in again"):
        assert len(taken(camera)) == 2


def test_what_is_no_film_is_told(tmp_path: Path) -> None:
    (tmp_path / "film.avi").write_text("no film")
    with pytest.raises(CameraError, match=r"film.avi is no film that OpenCV can read: convert it"):
        taken(from_film(tmp_path / "film.avi", paced=False))


def test_a_camera_that_is_not_there_is_told() -> None:
    with pytest.raises(CameraError, match="camera 987 cannot be opened: plug it in, or name another"):
        taken(from_device(987, 640, 480))


def test_the_laboratory_is_seen_as_it_was_at_each_period(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    path.write_text("".join(truth_lines(0.05 * number, 1000.0 + 0.05 * number) for number in range(9)))
    seen = taken(from_laboratory(path, view(), 0.2, followed=False))
    assert [each.truth[1][0] for each in seen if each.truth] == [near(0.6 + 0.1 * t) for t in (0.0, 0.2, 0.4)]
    assert seen[0].truth == PLACES
    assert seen[0].image.shape == (LENS.height, LENS.width)


def test_a_laboratory_that_runs_is_seen_as_it_is_now(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    now = time.time()
    path.write_text(truth_lines(0.0, now - 2.0) + truth_lines(0.05, now - 1.5))
    exposures = from_laboratory(path, view(), 0.2, followed=True)
    first = next(exposures)
    assert first is not None
    assert first.time == near(time.monotonic() - (time.time() - now) - 1.5, 0.01)
    assert next(exposures) is None
    with path.open("a") as file:
        file.write(truth_lines(0.1, now) + truth_lines(0.15, now + 0.05, (1, 2)))
    second = next(each for each in islice(exposures, 3) if each is not None)
    assert second.truth is not None
    assert (set(second.truth), second.truth[1][0]) == ({1, 2, 3}, near(0.61))  # the last line is not whole yet


def test_what_is_no_record_of_true_poses_is_told(tmp_path: Path) -> None:
    path = tmp_path / "truth.jsonl"
    with pytest.raises(CameraError, match=r"truth.jsonl cannot be read \(No such file"):
        taken(from_laboratory(path, view(), 0.2, followed=False))
    whole = truth_lines(0.0, 0.0, (1,))
    wrong = [
        whole.replace(f'"{key}": ', f'"{key}": {value}, "was": ')
        for key in ("robot", "t", "unix", "x", "heading")
        for value in ("null", '"a"', "[1]", "NaN", "1e999")
    ]
    for text in ("{}\n", "no\n", "[1]\n", "[" * 100_000 + "\n", '{"a":' * 100_000 + "\n", *wrong):
        path.write_text(text)
        with pytest.raises(CameraError, match=r"truth.jsonl is no record of true poses: name the file"):
            taken(from_laboratory(path, view(), 0.2, followed=False))
