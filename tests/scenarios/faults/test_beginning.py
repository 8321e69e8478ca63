"""What keeps a run or a lab from beginning is told in one sentence, and soon."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands.cli import main
from tests.real_components import free_port
from tests.scenarios.faults.labs import PAIR, set_to

pytestmark = pytest.mark.wall_clock

SOON = 60.0
"""(s)"""


@pytest.fixture
def nobody() -> str:
    """Where no broker is."""
    return f"127.0.0.1:{free_port()}"


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr().err
    assert said.startswith("devs-robotics: ")
    assert said.endswith("\n")
    assert said.count("\n") == 1
    return said


def test_a_run_whose_stand_ins_find_no_broker_leaves_the_results_of_another_one(
    nobody: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "summary.json").write_text("of yesterday")
    began = time.monotonic()
    assert main(["run", "convoy_in_the_loop", "--stage", "loop", "--broker", nobody, "--out", str(tmp_path)]) == 2
    assert time.monotonic() - began < SOON
    said = sentence(capsys)
    assert f"the broker mqtt://{nobody} cannot be reached (Connection refused): start it, or correct" in said
    assert [file.name for file in tmp_path.iterdir()] == ["summary.json"]
    assert (tmp_path / "summary.json").read_text() == "of yesterday"


def test_a_lab_that_finds_no_broker_cannot_start(nobody: str, capsys: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    assert main(["lab", "convoy_in_the_loop", "--broker", nobody]) == 2
    assert time.monotonic() - began < SOON
    assert f"the broker mqtt://{nobody} cannot be reached (Connection refused): " in sentence(capsys)


def test_a_distributed_run_that_finds_no_broker_cannot_start(nobody: str, capsys: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    assert main(["run", "convoy", "--stage", "distributed", "--broker", nobody, "--set", "convoy.robots=2"]) == 2
    assert time.monotonic() - began < SOON
    assert f"the broker mqtt://{nobody} cannot be reached (Connection refused): " in sentence(capsys)


def test_robots_that_cannot_be_found_end_the_run(
    nobody: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = [f"real.{robot}.address=mqtt://{nobody}/robot/{robot}" for robot in (1, 2)]
    settings = set_to(*PAIR, *there, "real.1.link_within=1 s", "real.2.link_within=2 s")
    began = time.monotonic()
    assert main(["run", "convoy", "--stage", "loop", "--accept-risk", "--out", str(tmp_path), *settings]) == 3
    assert time.monotonic() - began < SOON
    said = capsys.readouterr().out
    assert f"broken off: robot 1 at mqtt://{nobody}/robot/1 was not found within 1 s (the broker " in said
    assert '"outcome": "broken off"' in (tmp_path / "summary.json").read_text()


def test_a_lab_whose_truth_cannot_be_written_cannot_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "convoy_in_the_loop", "--truth", str(tmp_path)]) == 2
    assert f"the true poses cannot be written to {tmp_path} (Is a directory): choose another file" in sentence(capsys)


@pytest.mark.parametrize("same", ["mqtt://127.0.0.1/robot/1", "tcp://192.0.2.7:1000"])
def test_two_robots_with_one_address_are_noticed_in_the_scenario(same: str, capsys: pytest.CaptureFixture[str]) -> None:
    protocol = "epuck2-wifi" if same.startswith("tcp") else "json"
    there = [f"real.{robot}.{what}" for robot in (1, 2) for what in (f"address={same}", f"protocol={protocol}")]
    for command in ("check", "run"):
        assert main([command, "convoy", *set_to(*PAIR, *there)]) == 2
        said = "".join(capsys.readouterr())
        assert f"real.2.address: '{same}' is the address of robot 1 too: give each one of its own" in said


def test_two_spellings_of_one_address_are_noticed_before_anything_moves(capsys: pytest.CaptureFixture[str]) -> None:
    there = ["real.1.address=mqtt://127.0.0.1/robot/1", "real.2.address=mqtt://127.0.0.1:1883/robot/1"]
    assert main(["run", "convoy", "--stage", "loop", "--accept-risk", *set_to(*PAIR, *there)]) == 2
    assert "two robots have the address 'mqtt://127.0.0.1" in sentence(capsys)
