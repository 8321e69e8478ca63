"""``devs-robotics probe``: what it says of a robot, which stands soon after a signal that ends or stops the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from devs_robotics.scenarios.commands.cli import main
from tests.hil.zenoh_base import ZenohBase, zenoh_base

pytestmark = pytest.mark.wall_clock

MOTION = 0.5
"""A robot moves so long at most (s) after its host has stopped to look after it."""

WITHIN = 30.0


def probe(base: ZenohBase) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "devs_robotics", "probe", base.address, "--yes"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_until(goes: bool, base: ZenohBase, within: float = WITHIN) -> None:
    until = time.monotonic() + within
    while (base.speed > 0.0) is not goes:
        assert time.monotonic() < until, base.speed
        time.sleep(0.005)


def test_it_says_what_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    with zenoh_base(watchdog=0.3) as base:
        assert main(["probe", base.address, "--yes"]) == 0
    said = capsys.readouterr().out
    assert f"found: {base.address}" in said
    assert "it stops by itself 0." in said
    assert "below [real.N]: watchdog = 0." in said


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_that_ends_it_stops_the_robot(name: str) -> None:
    with zenoh_base() as base, probe(base) as command:
        wait_until(True, base)
        command.send_signal(signal.Signals[name])
        wait_until(False, base, MOTION)
        said, wrong = command.communicate(timeout=WITHIN)
    assert (command.returncode, wrong) == (130, "")
    assert said.endswith("interrupted: the robot was stopped, and nothing was measured\n")


def test_ctrl_z_stops_the_robot_before_the_command() -> None:
    with zenoh_base() as base, probe(base) as command:
        wait_until(True, base)
        command.send_signal(signal.SIGTSTP)
        wait_until(False, base, MOTION)
        _, status = os.waitpid(command.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        command.send_signal(signal.SIGCONT)
        _, wrong = command.communicate(timeout=WITHIN)
    assert command.returncode == 2
    assert "there was a pause, for which the robot was stopped, and nothing was measured: probe anew" in wrong
