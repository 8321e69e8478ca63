"""Whether another process of this machine is there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from devs_robotics.core.processes import is_there


def test_a_process_is_there_until_it_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert is_there(process.pid)
    assert not is_there(process.pid)


def test_no_process_has_such_a_number() -> None:
    assert not is_there(0)
    assert not is_there(-1)


def test_where_signal_0_would_be_ctrl_c_nobody_is_sent_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(process: int, number: int) -> None:
        raise AssertionError(process, number)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", kill)
    assert is_there(4711)
