"""Every case that ships, and one outside of the project, goes through every command and stage."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Protocol

import pytest

from tests.paths import ROOT
from tests.scenarios.case_runs import patience
from tests.scenarios.commands.calling import called

SHORT = ("--set", "run.duration=4", "--set", "run.seed=3")
OUTSIDE = "outside/outside.toml"
CASES = ("wander", "forage", "meet", OUTSIDE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a case study of somebody's, who has `models` and `scenarios` of his own."""
    folder = tmp_path_factory.mktemp("doors")
    outside = folder / "outside"
    for name in ("models", "scenarios"):
        (outside / name).mkdir(parents=True)
        (outside / name / "__init__.py").write_text("raise RuntimeError('nobody asked for this')\n")
    shipped = (ROOT / "scenarios" / "wander.py").read_text()
    (outside / "outside.py").write_text(shipped.replace("class Wandering(", "class Outside("))
    (outside / "outside.toml").write_text('case = "outside"\n')
    return folder


class Command(Protocol):
    """Does a command, and returns what it shows; it must end with one of some statuses."""

    def __call__(self, *words: str, status: tuple[int, ...] = (0,)) -> str: ...


@pytest.fixture
def command(folder: Path, case: str) -> Command:
    """Commands about a case; for the one from outside in processes of their own, which know nothing of the tests."""

    def apart(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-P", "-m", "devs_robotics", *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "120"},
        )

    def done(*words: str, status: tuple[int, ...] = (0,)) -> str:
        ended = apart(*words) if case == OUTSIDE else called(*words, cwd=folder)
        assert ended.returncode in status, f"{words}\n{ended.stdout}{ended.stderr}"
        assert "Traceback" not in ended.stderr
        return ended.stdout or ended.stderr

    return done


@pytest.mark.parametrize("case", CASES)
def test_it_is_checked_shown_and_run_and_reported(command: Command, tmp_path: Path, case: str) -> None:
    assert "run.duration" in command("check", case, "--keys")
    assert "robot1" in command("tree", case)
    assert "accepted" in command("run", case, *SHORT, "--out", str(tmp_path))
    assert json.loads((tmp_path / "summary.json").read_text())["frames"]
    assert "Top view" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("case", CASES)
def test_it_goes_through_the_loop_without_waiting(command: Command, case: str) -> None:
    assert "robot 2: a stand-in" in command("run", case, *SHORT, "--stage", "loop", "--lab", "inside")


@pytest.mark.wall_clock
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("stage", ["realtime", "distributed", "loop"])
def test_it_goes_through_stages_on_the_wall_clock(command: Command, case: str, stage: str) -> None:
    patient = [f"--set={setting}" for setting in patience((2,))] if stage == "loop" else []
    assert "accepted" in command("run", case, *SHORT, *patient, "--stage", stage, "--rate", "4")


@pytest.mark.parametrize("case", CASES)
def test_it_is_swept_studied_and_examined(command: Command, tmp_path: Path, case: str) -> None:
    swept = tmp_path / "swept"
    vary = ("--vary", "run.duration=2,4", "--replicates", "2", "--jobs", "1")
    assert "4 of 4 runs are done" in command("sweep", case, *vary, "--out", str(swept))
    assert "report: " in command("report", str(swept), "--out", str(tmp_path / "report.html"))
    stages = ("--stages", "fast", "--seeds", "2")
    studied = command("study", case, *SHORT, *stages, "--out", str(tmp_path / "studied"))
    assert "model continuity holds" in studied
    found = json.loads(command("conform", case, "--level", "large", "--json", *SHORT, status=(0, 1)))
    assert [finding["title"] for finding in found["findings"]] == ["the frame accepts the run", "bodies keep apart"]
    assert "no violation in 2 runs" in command(
        "certify", case, *SHORT, "--seeds", "2", "--out", str(tmp_path / "c.json")
    )
    assert "take --level large or hybrid" in command("conform", case, "--level", "single", status=(2,))
