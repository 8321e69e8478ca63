"""The command ``tree``, run as a user runs it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from devs_robotics.core.diagram import tree_svg, tree_text
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.setup.setup import set_up
from tests.paths import ROOT, names
from tests.scenarios.commands.calling import called, refused
from tests.scenarios.commands.test_cli import COMMAND, cli


def test_tree_shows_the_models_of_a_scenario_as_text() -> None:
    result = called("tree", "convoy", "--set", "convoy.robots=12")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == tree_text(experiment(set_up(load("convoy", ["convoy.robots=12"]))), width=100) + "\n"
    assert "├── robot3 … robot11: as robot2\n" in result.stdout
    assert "robot{k}.convoy_f_ready_out → robot{k+1}.convoy_f_ready_in, k = 1..11\n" in result.stdout
    assert "f_ready_out: Sync (nothing coupled)" in result.stdout


def test_tree_opens_as_many_levels_as_it_is_told() -> None:
    lines = called("tree", "convoy", "--depth", 1).stdout.splitlines()
    assert [line for line in lines if "── " in line] == [
        "├── system: CaseSystem (31 components not shown)",
        "└── frame: Frame (3 components not shown)",
    ]


def test_tree_shows_everything_when_asked_to() -> None:
    shown = called("tree", "convoy", "--all").stdout
    assert shown.count(": Robot\n") == 30
    assert shown.count(": TimeManager\n") == 30
    assert "{" not in shown


def test_tree_draws_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "convoy.svg"
    result = called("tree", "convoy", "--svg", path, "--depth", 2)
    assert (result.returncode, result.stdout, result.stderr) == (0, f"diagram: {path}\n", "")
    assert path.read_text(encoding="utf-8") == tree_svg(experiment(set_up(load("convoy"))), depth=2)
    ET.parse(path)
    assert names(tmp_path) == ["convoy.svg"]


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    assert called("tree", "convoy", "--svg", link).returncode == 0
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8").startswith("<svg")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert called("tree", "convoy", "--svg", pipe).returncode == 0
        assert reader.communicate(timeout=60)[0].startswith("<svg")
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["convoi"], "devs-robotics: convoi: there is no such file or shipped scenario: did you mean 'convoy'?"),
        (["convoy", "--set", "convoy.robots=-3"], "--set: convoy.robots: must be at least 2, not -3"),
        (["convoy", "--depth", "0"], "argument --depth: must be a whole number above 0, not '0'"),
        (["convoy", "--depth", "-1"], "argument --depth: must be a whole number above 0, not '-1'"),
        (["convoy", "--depth", "two"], "argument --depth: must be a whole number above 0, not 'two'"),
        (["convoy", "--svg", "/nowhere/x.svg"], "--svg: /nowhere/x.svg cannot be written (No such file or directory)"),
        (["convoy", "--svg", "x.png"], "--svg writes SVG, not .png: take x.svg"),
        (["convoy", "--svg", "tests"], "--svg: tests cannot be written (Is a directory): free or choose another"),
        (["convoy", "--svg", "setup.cfg/x"], "--svg: setup.cfg/x cannot be written (Not a directory)"),
    ],
)
def test_bad_input_gets_one_clear_sentence_and_status_two(arguments: list[str], expected: str) -> None:
    said = refused("tree", *arguments)
    assert len([line for line in said.splitlines() if expected in line]) == 1, said


@pytest.mark.parametrize("suffix", [[], ["--svg", "/dev/stdout"]])
def test_the_tree_is_the_same_in_every_process(suffix: list[str]) -> None:
    shown = {
        subprocess.run(
            [*COMMAND, "tree", "convoy", *suffix],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(shown) == 1


def test_colours_are_for_terminals() -> None:
    """On a terminal the same text is shown in colours, and ports to which nothing is coupled stand out."""
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    screen, terminal = pty.openpty()
    with subprocess.Popen([*COMMAND, "tree", "convoy"], stdout=terminal, cwd=ROOT, env=environment):
        os.close(terminal)
        shown = _read(screen)
    assert "\x1b[33mnothing coupled\x1b[0m" in shown
    assert re.sub("\x1b[^m]*m", "", shown).replace("\r\n", "\n") == cli("tree", "convoy").stdout


def _read(screen: int) -> str:
    shown = b""
    while True:
        try:
            new = os.read(screen, 65536)
        except OSError:  # Linux' way to say that nobody has the terminal open any more
            break
        if not new:
            break
        shown += new
    os.close(screen)
    return shown.decode()


def test_an_output_that_knows_no_lines_and_arrows_gets_other_characters() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(
        [*COMMAND, "tree", "convoy"], capture_output=True, text=True, check=True, cwd=ROOT, env=environment
    )
    assert "|   +-- robot3 ... robot29: as robot2\n" in result.stdout
    assert "|   |   IC   robot{k}.convoy_f_ready_out -> robot{k+1}.convoy_f_ready_in, k = 1..29\n" in result.stdout
