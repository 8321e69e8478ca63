"""``devs-robotics serve``: what it says, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands.cli import main
from tests.real_components import Mosquitto

BOUNDS = {"xMin": -90, "xMax": 90, "yMin": -90, "yMax": 90}


def arena(folder: Path, **content: object) -> str:
    file = folder / "arena.json"
    file.write_text(json.dumps({"arena": BOUNDS, **content}))
    return str(file)


@pytest.mark.wall_clock
def test_it_serves_for_as_long_as_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pillar = {"type": "cylinder", "parameters": {"x": 0, "y": 0, "radius": 5}}
    with Mosquitto() as broker:
        command = ["serve", arena(tmp_path, obstacles=[pillar]), "--broker", broker.address, "--duration", "0.5"]
        record = ["--record", str(tmp_path / "session.jsonl")]
        assert main([*command, *record, "--channel", "swarm", "--rules", "original"]) == 0
    said = capsys.readouterr().out
    assert "channel  swarm" in said
    assert "arena    180 x 180 cm, 1 obstacles" in said
    assert "the published server's own rules, which are wrong in known ways" in said
    assert "the broker is there" in said
    assert main(["serve", "--replay", str(tmp_path / "session.jsonl")]) == 0
    assert re.fullmatch(r"the same: \d+ packets were said, byte for byte\n", capsys.readouterr().out)


@pytest.mark.wall_clock
def test_it_serves_a_case_study_whose_robots_live_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = str(tmp_path / "session.jsonl")
    with Mosquitto() as broker:
        command = [
            "serve",
            "mixed_walk",
            "--set",
            "walk.real=1",
            "--set",
            "presence.channel=swarm",
            "--radio-loss",
            "0.5",
        ]
        assert main([*command, "--broker", broker.address, "--duration", "1.2", "--record", session]) == 0
    said = capsys.readouterr().out
    assert "channel  swarm" in said
    assert "arena    180 x 195 cm, 0 obstacles" in said
    assert main(["serve", "--replay", session]) == 0
    assert "the same: " in capsys.readouterr().out
    text = Path(session).read_text()
    assert text.count("swarm/robot/create") >= 6, "said, and heard back from the broker"
    assert '"radio_loss":0.5' in text


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--channel", "a/b"], "--channel must be a text of 1 to 15 characters"),
        (["--duration", "0"], "must be a number of seconds, such as 120, not '0'"),
        (["--radio-loss", "2"], "must be a share from 0 to 1, such as 0.1, not '2'"),
        (["--radio-loss", "much"], "must be a share from 0 to 1"),
        (["--half-angle", "91"], "must be an angle from 0 to 90 degrees, such as 12.5, not '91'"),
        (["--await", "0"], "must be a number of robots, such as 10, not '0'"),
        (["--duration", "soon"], "must be a number of seconds, such as 120, not 'soon'"),
    ],
)
def test_wrong_options(options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", arena(tmp_path), *options]) == 2
    assert told in capsys.readouterr().err


def test_a_wrong_arena_file_is_told_with_all_its_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(tmp_path / "none.json")]) == 2
    assert "none.json cannot be read (No such file or directory): name an arena file" in capsys.readouterr().err
    wrong = [{"type": "cone", "name": "tip"}, {"type": "wall", "parameters": {"x": 0, "y": 0}}]
    assert main(["serve", arena(tmp_path, obstacles=wrong)]) == 2
    told = capsys.readouterr().err
    assert "obstacle 1 (tip): 'type' must be one of wall, box, cylinder, sphere, not 'cone'" in told
    assert "obstacle 2: 'width' must be a number, not None" in told


def test_a_session_is_not_recorded_over_what_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = arena(tmp_path)
    assert main(["serve", file, "--record", file]) == 2
    assert "would write over what is to be read: name another file" in capsys.readouterr().err
    assert json.loads(Path(file).read_text())["arena"] == BOUNDS
