"""The lab command: stand-ins alone, driven from another process by the command that it prints."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands.lab import _said
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.setup.setup import set_up
from tests.real_components import free_port

PROGRAM = [sys.executable, "-m", "devs_robotics"]
PATIENCE = 60.0


def test_the_command_says_what_the_case_study_does_of_robots_that_the_scenario_does_not_name() -> None:
    assert list(_said(set_up(load("phototaxis", ["real.2.protocol=epuck-ascii"]), "loop"))) == []
    assert list(_said(set_up(load("phototaxis"), "loop"))) == [
        "real.1.protocol=epuck2-wifi",
        "real.1.infrared=both",
        "real.2.protocol=epuck2-wifi",
        "real.2.infrared=both",
    ]


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


@pytest.mark.wall_clock
def test_a_lab_listens_where_it_is_told(tmp_path: Path) -> None:
    name, place = tmp_path / "epuck3", f"tcp://127.0.0.9:{free_port()}"
    settings = ["--set", "real.2.protocol=epuck2-wifi", "--set", "real.3.protocol=epuck-binary"]
    listen = ["--listen", f"2={place}", "--listen", f"3=serial://{name}"]
    lab = subprocess.Popen([*PROGRAM, "lab", "convoy", *settings, *listen], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    try:
        lines = [lab.stdout.readline().strip() for _ in range(2)]
        assert lines == [f"robot 2  epuck2-wifi  {place}", f"robot 3  epuck-binary  serial://{name}"]
        assert name.is_symlink()
        while not (line := lab.stdout.readline()).startswith("Ctrl-C"):
            assert line
            if line.strip().startswith("devs-robotics run"):
                assert f"--set real.2.address={place} --set real.3.address=serial://{name}" in line
    finally:
        lab.send_signal(signal.SIGINT)
        lab.communicate(timeout=PATIENCE)
    assert lab.returncode == 0
    assert not name.is_symlink()


def test_a_scenario_without_stand_ins_has_no_lab() -> None:
    settings = ["real.2.address=mqtt://host/2", "real.3.address=mqtt://host/3"]
    words = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run(
        [*PROGRAM, "lab", "convoy_in_the_loop", *words], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 2
    assert "all real robots of convoy_in_the_loop have addresses" in done.stderr


@pytest.mark.wall_clock
def test_a_lab_whose_record_fails_ends_with_the_reason(tmp_path: Path) -> None:
    """A pipe takes records until its reader goes."""
    pipe = tmp_path / "truth"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    lab = subprocess.Popen([*PROGRAM, "lab", "convoy_in_the_loop", "--truth", pipe], stdout=subprocess.PIPE, text=True)
    assert lab.stdout is not None
    while not (line := lab.stdout.readline()).startswith("Ctrl-C"):
        assert line
    os.close(reader)
    said, _ = lab.communicate(timeout=PATIENCE)
    reason = f"the true poses cannot be written to {pipe} (Broken pipe): choose another file"
    assert said == f"the lab has ended by itself: {reason}\n"
    assert lab.returncode == 3
