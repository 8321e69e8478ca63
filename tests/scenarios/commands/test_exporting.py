"""``run --record`` and ``view --export``."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from devs_robotics.scenarios.commands.cli import main
from devs_robotics.view.recording import read


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the same run in two recordings."""
    found = tmp_path_factory.mktemp("recordings")
    for name in ("run.mcap", "run.jsonl"):
        record = ["--record", str(found / name)]
        assert main(["run", "wander", "--set", "run.duration=5", "--out", str(found / "out"), *record]) == 0
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert main([*map(str, arguments)]) == 2
    return capsys.readouterr().err


def test_both_kinds_of_recording_make_the_same_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, options in (("a.gif", ["--to", "2", "--size", "160"]), ("b.svg", []), ("c.html", [])):
        contents = []
        for recording in ("run.mcap", "run.jsonl"):
            path = folder / name
            assert main(["view", str(folder / recording), "--export", str(path), *options]) == 0
            assert f"{path}: " in capsys.readouterr().out
            contents.append(path.read_bytes())
        assert contents[0] == contents[1]


def test_what_was_recorded_does_not_change_the_run(folder: Path, tmp_path: Path) -> None:
    assert main(["run", "wander", "--set", "run.duration=5", "--out", str(tmp_path)]) == 0
    for name in ("tracks.csv", "coverage.csv"):
        assert (tmp_path / name).read_bytes() == (folder / "out" / name).read_bytes()


def test_a_moment_is_the_end_unless_another_is_given(folder: Path, tmp_path: Path) -> None:
    for name, options in (("end", []), ("five", ["--from", "5"]), ("begin", ["--from", "0"])):
        assert main(["view", str(folder / "run.mcap"), "--export", str(tmp_path / f"{name}.svg"), *options]) == 0
    end, five, begin = ((tmp_path / f"{name}.svg").read_text() for name in ("end", "five", "begin"))
    assert end == five != begin


def test_a_folder_with_one_recording_is_as_good_as_its_name(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes((folder / "run.jsonl").read_bytes())
    assert main(["view", str(tmp_path), "--export", str(tmp_path / "a.png"), "--size", "200"]) == 0
    with Image.open(tmp_path / "a.png") as image:
        assert image.width == 200
    assert read(tmp_path / "run.jsonl").timeline.end == 5.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{0}/run.mcap", "--export", "{0}/a.webm"], "must end in .html, .gif, .mp4, .png, .svg or .pdf"),
        (["{0}/run.mcap", "--export", "{0}/a.html", "--to", "3"], "--to has no effect in a page"),
        (["{0}/run.mcap", "--export", "{0}/a.png", "--to", "3"], "--to has no effect in a picture of one moment"),
        (["{0}/run.mcap", "--export", "{0}/a.png", "--speed", "3"], "--speed has no effect in a picture"),
        (
            ["{0}/run.mcap", "--export", "{0}/a.gif", "--from", "30"],
            "which goes from 0 s to 5 s",
        ),
        (["{0}/run.mcap", "--export", "{0}/a.gif", "--fps", "30"], "25 or 50 frames per second, not 30"),
        (["{0}/run.mcap", "--export", "{0}/a.gif", "--windows", "two"], "there are none: leave it out"),
        (["{0}/run.mcap", "--export", "{0}/none/a.png"], "cannot be written (No such file or directory)"),
        (["{0}", "--export", "{0}/a.gif"], "has 2 recordings: name one"),
        (["{0}/out", "--export", "{0}/a.gif"], "has no recording: make one, with devs-robotics run SCENARIO"),
        (["{0}/run.mcap", "--export", "{0}/a.gif", "--speed", "0"], "must be a number above 0"),
        (["{0}/run.mcap", "--export", "{0}/a.gif", "--from", "nan"], "must be a number of seconds, not 'nan'"),
    ],
)
def test_what_cannot_be_exported_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    said = refused(capsys, "view", *(each.format(folder) for each in arguments))
    assert words in " ".join(said.split()).replace("devs-robotics: ", "")


def test_a_recording_has_one_of_two_endings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "run", "wander", "--record", tmp_path / "run.txt")
    assert "must name a recording: let its name end in .mcap or .jsonl" in " ".join(said.split())
