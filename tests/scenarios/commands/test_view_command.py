"""``run --view`` and ``view``: what they refuse, and that nobody pays for what he does not use."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.scenarios.case_study import harness
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.commands.view import running_in, to_be_seen
from devs_robotics.scenarios.commands.watching import serving_of
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.viewing.live import WHERE, Where
from devs_robotics.view.recording import read
from devs_robotics.view.replay import Replay
from devs_robotics.view.server.serving import Serving
from tests.devs_robotics.view.replays import small_replay
from tests.paths import ROOT
from tests.real_components import free_port


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads recordings: in each is its file's name; those that are empty are none."""

    def read(path: Path) -> Replay:
        if not path.read_text():
            raise DevsRoboticsError(f"{path} is no recording")
        return small_replay(path.name)

    module: Any = ModuleType("devs_robotics.view.recording")
    module.read = read
    monkeypatch.setitem(sys.modules, module.__name__, module)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that cannot begin."""
    assert main(arguments) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "option",
    [
        ["--pace", "2"],
        ["--view-port", "8500"],
        ["--view-host", "::1"],
        ["--view-control"],
        ["--foxglove"],
        ["--view-camera", "seen.picture"],
    ],
    ids=lambda o: o[0],
)
def test_options_of_a_view_need_one(capsys: pytest.CaptureFixture[str], option: list[str]) -> None:
    said = refused(capsys, "run", "wander", *option)
    assert said == f"devs-robotics: {option[0]} has no effect without --view: add that, or leave it out\n"


@pytest.mark.parametrize(
    "option", [["--view-port", "8500"], ["--view-control"], ["--view-camera", "seen"]], ids=lambda o: o[0]
)
def test_options_of_a_served_world_s_view_need_one(capsys: pytest.CaptureFixture[str], option: list[str]) -> None:
    said = refused(capsys, "serve", "mixed_walk", *option)
    assert said == f"devs-robotics: {option[0]} has no effect without --view: add that, or leave it out\n"


def test_a_pace_is_for_runs_that_wait_for_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "run", "wander", "--view", "--stage", "realtime", "--pace", "2")
    assert "--pace has no effect in the stage realtime" in said


def test_a_scenario_says_how_it_is_looked_at_and_an_option_goes_before_it() -> None:
    view = load("wander", ["view.port=8600", "view.viewers=3", "view.kept=16"]).view
    options = argparse.Namespace(view_host=None, view_port=None, view_certificate=None, foxglove=None)
    assert serving_of(options, view) == Serving(port=8600, viewers=3, kept=16)
    options.view_port = 8700
    assert serving_of(options, view).port == 8700
    assert serving_of(options).viewers == 8


def test_pictures_of_a_camera_are_looked_for_where_the_command_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    view = load("wander", ["view.pictures=2"]).view
    options = argparse.Namespace(view_host=None, view_port=None, view_certificate=None, view_camera="seen.picture")
    found = serving_of(options, view)
    assert (found.camera, found.pictures) == (str(tmp_path / "seen.picture"), 2.0)
    assert (serving_of(options).pictures, Serving().camera) == (5.0, "")
    said = refused(capsys, "run", "wander", "--view", "--view-camera", str(tmp_path))
    assert (
        said == f"devs-robotics: --view-camera {tmp_path} is a folder: name the file of devs-robotics camera --share\n"
    )


@pytest.mark.parametrize("command", [["run", "wander", "--view"], ["view", "."]], ids=lambda c: c[0])
def test_mistakes_are_one_sentence_each(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    said = refused(capsys, *command, "--view-host", "0.0.0.0")
    assert said.count("\n") == 1
    assert "give the address by which browsers reach this one" in said
    assert "--view-certificate nothing.pem cannot be used" in refused(
        capsys, *command, "--view-certificate", "nothing.pem"
    )


def test_a_missing_package_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.view.server.serving.available", lambda name: False)
    assert "pip install 'devs-robotics[view]'" in refused(capsys, "run", "wander", "--view")
    assert "pip install 'devs-robotics[view]'" in refused(capsys, "view", ".")


def test_a_folder_without_recordings_says_how_to_make_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = refused(capsys, "view", str(tmp_path))
    assert f"{tmp_path} has no recording, and no run of it goes on" in said
    assert f"--record {tmp_path / 'run.mcap'}" in said


def test_robots_of_which_one_stands_for_all_are_recorded_and_looked_at_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(harness, "MANY", 8)
    own = ("run", "swarm", "--set", "swarm.robots=8", "--set", 'run.population="arrays"', "--duration", "1")
    said = refused(capsys, *own, "--view", "--view-port", str(free_port()))
    assert "8 robots in arrays, of which one stands for all, cannot be looked at while they run: record them" in said
    assert main([*own, "--record", str(tmp_path / "run.jsonl")]) == 0
    assert len(read(tmp_path / "run.jsonl").scene.bodies) == 8


@pytest.mark.usefixtures("reader")
def test_what_is_no_recording_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text("")
    for given in (path, tmp_path):
        assert refused(capsys, "view", str(given)) == f"devs-robotics: {path} is no recording\n"


@pytest.mark.usefixtures("reader")
def test_a_folder_shows_its_recordings_and_a_single_one_at_once(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text("here")
    (tmp_path / "notes.txt").write_text("here")
    shown = to_be_seen(tmp_path)
    assert shown.names == ()
    assert shown.hub() is not None
    (tmp_path / "a.mcap").write_text("here")
    (tmp_path / "c.mcap").write_text("")
    shown = to_be_seen(tmp_path)
    assert shown.names == ("a.mcap", "b.jsonl", "c.mcap")
    assert shown.hub() is shown.hub(2) is None
    assert shown.hub(0) is not shown.hub(1)


def test_a_run_is_found_by_its_folder_while_it_goes_on(tmp_path: Path) -> None:
    assert running_in(tmp_path) is None
    block = tmp_path / "block"
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for pid, is_there, found in ((os.getpid(), True, True), (os.getpid(), False, False), (ended.pid, True, False)):
        block.unlink(missing_ok=True)
        if is_there:
            block.touch()
        where = Where(str(block), "http://127.0.0.1:8470/", pid)
        (tmp_path / WHERE).write_bytes(msgspec.json.encode(where))
        assert running_in(tmp_path) == (where if found else None)
    (tmp_path / WHERE).write_text("{")
    assert running_in(tmp_path) is None


def test_without_a_view_nothing_of_it_is_imported() -> None:
    program = (
        "import sys; from devs_robotics.scenarios.commands.cli import main; "
        "main(['run', 'wander', '--quiet', '--set', 'run.duration=1']); "
        "print([name for name in sys.modules if name.partition('.')[0] in ('starlette', 'uvicorn', 'websockets') or "
        "name.startswith(('devs_robotics.view.server', 'devs_robotics.view.feed', 'devs_robotics.view.tap', "
        "'devs_robotics.view.shared', 'devs_robotics.scenarios.viewing.live'))])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert result.stdout == "[]\n"
