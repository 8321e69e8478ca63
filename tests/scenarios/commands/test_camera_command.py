"""``devs-robotics camera``: what it says and publishes, and what it refuses."""

from __future__ import annotations

import json
import time
from math import cos, sin
from pathlib import Path
from threading import Event, Thread

import pytest

from devs_robotics import Arrival, Packet
from devs_robotics.core.robots.overhead_picture import PictureReader
from devs_robotics.hil.camera.camera_plan import Lens
from devs_robotics.hil.camera.opencv import opencv
from devs_robotics.hil.lab.overhead_view import OverheadView
from devs_robotics.hil.transports.mqtt import Mqtt
from devs_robotics.scenarios.commands import camera
from devs_robotics.scenarios.filming.camera_file import mounting, read_camera_file
from tests.real_components import Mosquitto, free_port
from tests.scenarios.commands.calling import called, refused

FILE = """
[camera]
width = 640
height = 480
source = "truth.jsonl"
[markers]
robots = { 1 = 1, 2 = 17 }
"""


def camera_file(folder: Path, text: str = FILE) -> Path:
    path = folder / "camera.toml"
    path.write_text(text)
    return path


def truth(folder: Path, scenes: int, begun: float = 1000.0) -> Path:
    """A record of two robots that drive in circles."""
    path = folder / "truth.jsonl"
    path.write_text("".join(scene(0.1 * number, begun) for number in range(scenes)))
    return path


def scene(t: float, begun: float) -> str:
    lines = []
    for robot in (1, 2):
        x, y = 0.5 * robot + 0.1 * cos(t), 0.9 + 0.1 * sin(t)
        lines.append(json.dumps({"robot": robot, "t": t, "unix": begun + t, "x": x, "y": y, "heading": t}) + "\n")
    return "".join(lines)


def test_a_check_tells_errors_and_ages_against_the_truth(tmp_path: Path) -> None:
    truth(tmp_path, 3)
    shown = "--draw", tmp_path / "seen.jpg", "--share", tmp_path / "seen.picture"
    result = called("camera", camera_file(tmp_path), "--check", *shown)
    shared = PictureReader(tmp_path / "seen.picture").read()
    assert shared is not None
    assert shared.calibration is not None
    assert (result.returncode, result.stderr) == (0, "")
    assert "pictures  3, of which 3 could be used" in result.stdout
    assert "m above the floor; corners fit to 0." in result.stdout
    assert "corner  40  seen in 3 of 3" in result.stdout
    assert "robot    2  seen in 3 of 3" in result.stdout
    assert "mm off the truth (mean / p95 / max)" in result.stdout
    assert "position  0." in result.stdout or "position  1." in result.stdout
    assert (tmp_path / "seen.jpg").read_bytes()[:2] == b"\xff\xd8"


def test_a_check_of_pictures_in_which_a_corner_marker_is_hidden_fails_and_names_it(tmp_path: Path) -> None:
    file = read_camera_file(camera_file(tmp_path))
    lens = Lens.plain(640, 480, 480.0)
    view = OverheadView(lens, mounting(file), file.plan)
    (tmp_path / "pictures").mkdir()
    for number in range(2):
        picture = view.picture({1: (0.5, 0.5, 0.0)}, number, hidden=(43,))
        (tmp_path / "pictures" / f"{number}.png").write_bytes(opencv().imencode(".png", picture)[1].tobytes())
    command = "camera", tmp_path / "camera.toml", "--check", "--source", tmp_path / "pictures"
    assert "lens.json cannot be read (No such file or directory): make it with devs-robotics camera" in refused(
        *command
    )
    (tmp_path / "lens.json").write_text('{"width": 640, "height": 480, "fx": 480, "fy": 480, "cx": 319.5, "cy": 239.5}')
    result = called(*command)
    assert result.returncode == 1
    assert "corner marker 43 cannot be seen, so that nobody knows where the camera is" in result.stdout
    assert "pictures  2, of which 0 could be used" in result.stdout


def test_a_lens_is_calibrated_from_a_folder(tmp_path: Path) -> None:
    from tests.hil.camera.test_calibration import BOARD, pictures

    for number, picture in enumerate(pictures(8)):
        (tmp_path / f"{number}.png").write_bytes(opencv().imencode(".png", picture)[1].tobytes())
    board = f"[board]\nsquare = {BOARD.square}\nmarker = {BOARD.marker}\n"
    path = camera_file(tmp_path, board)
    result = called("camera", path, "--calibrate", "--source", tmp_path)
    assert result.returncode == 0, result.stderr
    assert "the board was found in 8 of 8 pictures" in result.stdout
    assert json.loads((tmp_path / "lens.json").read_text())["width"] == 320


def test_markers_are_written_to_be_printed(tmp_path: Path) -> None:
    result = called("camera", camera_file(tmp_path), "--markers", tmp_path / "print")
    assert result.returncode == 0
    assert "print.pdf: 7 pages in their true sizes; print them without scaling, and measure one" in result.stdout
    assert (tmp_path / "print" / "robot_2_marker_17.png").exists()


@pytest.mark.wall_clock
def test_fixes_of_a_laboratory_that_runs_are_published_with_their_ages(tmp_path: Path) -> None:
    path = truth(tmp_path, 1, time.time())
    over = Event()

    def go_on() -> None:
        begun = time.time()
        while not over.wait(0.1):
            with path.open("a") as file:
                file.write(scene(time.time() - begun + 0.1, begun))

    with Mosquitto() as broker:
        fixes, poses = heard_of(broker, "arena/tracking"), heard_of(broker, "v1/localization/update")
        laboratory = Thread(target=go_on)
        laboratory.start()
        try:
            to = f"mqtt://{broker.address}" if "://" not in broker.address else broker.address
            first = called("camera", camera_file(tmp_path), "--to", f"{to}/arena/tracking", "--duration", "2")
            arena = tmp_path / "arena.json"
            arena.write_text(json.dumps({"arena": {"xMin": -90, "xMax": 90, "yMin": -97.5, "yMax": 97.5}}))
            drawn = "--draw", tmp_path / "seen.jpg"
            second = called("camera", camera_file(tmp_path), "--to", to, "--arena", arena, "--duration", "2", *drawn)
        finally:
            over.set()
            laboratory.join()
        assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
        said = [json.loads(data) for data in fixes.data]
        assert {each["robot"] for each in said} == {1, 2}
        assert (tmp_path / "seen.jpg").exists()
        assert all(each["type"] == "fix" and 0.0 <= each["age"] < 5.0 for each in said)
        assert all(abs(each["x"] - 0.5 * each["robot"]) < 0.12 for each in said)
        told = [entry for data in poses.data for entry in json.loads(data)]
        assert {(entry["id"], entry["reality"]) for entry in told} == {(1, "R"), (2, "R")}
        assert all(abs(entry["x"] - (50.0 * entry["id"] - 90.0)) < 12.0 for entry in told)
        fixes.link.close()
        poses.link.close()


class heard_of:  # noqa: N801
    """What is published on a topic."""

    def __init__(self, broker: Mosquitto, topic: str) -> None:
        self.link, self.data, up = Mqtt(broker.address), [], Event()  # type: ignore[var-annotated]

        def arrived(arrival: Arrival) -> None:
            if isinstance(arrival.content, Packet):
                self.data.append(arrival.content.data)
            elif arrival.content.up:
                up.set()

        self.link.listen(topic)
        self.link.open(arrived)
        assert up.wait(20.0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "say where fixes go, --to mqtt://HOST/TOPIC, or ask for --check, --calibrate or --markers DIR"),
        (["--rendered"], "--rendered measures errors: write --check --rendered"),
        (["--check", "--rendered", "--source", "0"], "makes its own pictures: leave out the file and --source"),
        (["--check", "--to", "mqtt://localhost/x"], "--to and --arena publish fixes: leave out --check"),
        (["--check", "--source", "nowhere"], "there is no 'nowhere': name the number of a camera, a film, or a folder"),
        (["--check", "--duration", "0"], "must be a number of seconds, such as 120, not '0'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "lens.json").write_text('{"width": 64, "height": 48, "fx": 48, "fy": 48, "cx": 31.5, "cy": 23.5}')
    file = [] if "--rendered" in options else [str(camera_file(tmp_path))]
    assert told in refused("camera", *file, *options)


def test_a_broker_that_is_not_there_and_a_topic_that_is_missing_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera, "LINK_PATIENCE", 0.5)
    file = camera_file(tmp_path)
    truth(tmp_path, 1)
    nobody = f"mqtt://127.0.0.1:{free_port()}"
    assert "has no topic: write mqtt://HOST/tracking" in refused("camera", file, "--to", nobody)
    assert "Connection refused" in refused("camera", file, "--to", f"{nobody}/tracking")
    arena = "--arena", tmp_path / "none.json"
    assert "none.json cannot be read (No such file or directory): name an" in refused(
        "camera", file, "--to", nobody, *arena
    )


def test_a_picture_for_people_needs_pictures(tmp_path: Path) -> None:
    told = refused("camera", camera_file(tmp_path), "--calibrate", "--draw", tmp_path / "seen.jpg")
    assert "--draw keeps what was found: give it with --check, or with --to" in told
    told = refused("camera", camera_file(tmp_path), "--calibrate", "--share", tmp_path / "seen.picture")
    assert "--share keeps what is seen: give it with --check, or with --to" in told
