"""A case study is its folders: without them all else goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.long

CASE = "con" + "voy"
PARTS = ("devs_robotics", "experimental_frames", "hil", "models", "scenarios", "tests")


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project without the folders of the case."""
    place = tmp_path_factory.mktemp("project")
    for part in PARTS:
        shutil.copytree(
            ROOT / part, place / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", CASE, ".*")
        )
    for name in ("setup.cfg", "pyproject.toml"):
        shutil.copy(ROOT / name, place / name)
    return place


def python(place: Path, *words: str) -> str:
    """What Python shows there."""
    environment = {**os.environ, "PYTHONPATH": str(place)}
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, cwd=place, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_commands_go_on_with_the_cases_that_are_left(without: Path, tmp_path: Path) -> None:
    listed = python(without, "-m", "devs_robotics", "list")
    assert "wander" in listed
    assert CASE not in listed
    shown = python(without, "-m", "devs_robotics", "run", "wander", "--out", str(tmp_path))
    assert "accepted" in shown
    assert (tmp_path / "report.html").is_file()
    short = ("--stage", "loop", "--set", "run.duration=2")
    assert "accepted" in python(without, "-m", "devs_robotics", "run", "wander", *short)


def test_the_tests_that_are_left_pass(without: Path) -> None:
    some = ("scenarios/test_wander.py", "models/environment/test_radio.py")
    once = "--hypothesis-profile=once"  # where the case is, they are tried on all their examples
    options = ("-q", "-n", "0", "-m", "not wall_clock", once)
    shown = python(without, "-m", "pytest", *options, *(f"tests/{name}" for name in some))
    assert " passed" in shown
