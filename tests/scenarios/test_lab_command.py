"""The lab command: stand-ins alone, driven from another process by the command that it prints."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "scenarios"]
PATIENCE = 60.0


@pytest.mark.wall_clock
def test_a_lab_is_driven_by_the_command_that_it_prints(tmp_path: Path) -> None:
    truth = tmp_path / "truth.jsonl"
    lab = subprocess.Popen(
        [*PROGRAM, "lab", "convoy_in_the_loop", "--set", "noise.dnf=0.05", "--truth", str(truth)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert lab.stdout is not None
    try:
        lines: list[str] = []
        while not lines or not lines[-1].startswith("Ctrl-C"):
            lines.append(lab.stdout.readline().strip())
            assert lines[-1], lines
        command = next(line for line in lines if line.startswith("devs-robotics run"))
        words = [*PROGRAM, *shlex.split(command)[1:], "--set", "run.rounds=2", "--set", "frame.transient_rounds=0"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, done.stderr
        assert "accepted" in done.stdout
        assert "DNF 0.05" in done.stdout, "what the lab was given is not in the command that it prints"
        assert "stand-in" not in done.stdout
    finally:
        lab.send_signal(signal.SIGINT)
        lab.communicate(timeout=PATIENCE)
    assert lab.returncode == 0
    poses = [json.loads(line) for line in truth.read_text().splitlines()]
    for robot in (2, 3):
        way = [pose["x"] for pose in poses if pose["robot"] == robot]
        assert way[-1] - way[0] > 0.2


def test_a_scenario_without_stand_ins_has_no_lab() -> None:
    settings = ["real.2.address=mqtt://host/2", "real.3.address=mqtt://host/3"]
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run(
        [*PROGRAM, "lab", "convoy_in_the_loop", *words], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 2
    assert "all real robots of convoy_in_the_loop have addresses" in done.stderr
