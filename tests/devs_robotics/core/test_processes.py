"""Other processes of this machine: whether they are there, how they are started, and what they say in time."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import pytest

from devs_robotics.core.processes import SAFE_PATH, apart, environment, is_there, read_within, sheltered


def test_a_process_is_there_until_it_has_ended() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        assert is_there(process.pid)
    assert not is_there(process.pid)


def test_no_process_has_such_a_number() -> None:
    assert not is_there(0)
    assert not is_there(-1)


def test_who_is_looked_for_is_sent_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda process, number: sent.append((process, number)))
    assert is_there(4711)
    assert sent == [(4711, 0)]


@pytest.mark.parametrize("number", [4711, 2**70])
def test_one_of_which_nothing_can_be_told_is_taken_to_be_there(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if number == 4711:
        monkeypatch.setattr(os, "kill", Mock(side_effect=PermissionError(1, "Operation not permitted")))
    assert is_there(number)


def test_where_signal_0_would_be_ctrl_c_nobody_is_sent_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def kill(process: int, number: int) -> None:
        raise AssertionError(process, number)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", kill)
    assert is_there(4711)


def test_what_a_process_says_is_read_and_its_end_and_that_nothing_comes_in_time() -> None:
    program = "import os; os.write(1, b'one\\n'); input(); os.write(1, b'two\\n'); input()"  # each in one piece
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **apart()
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert read_within(process.stdout, 60.0) == b"one\n"
        process.stdin.write(b"\n")
        process.stdin.flush()
        assert read_within(process.stdout, 60.0) == b"two\n"
        assert read_within(process.stdout, 0.0) is None
        process.stdin.close()
        process.wait()
        assert read_within(process.stdout, 60.0) == b""


def test_processes_are_apart_from_the_keyboard_on_each_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert apart() == {"start_new_session": True}
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0x200, raising=False)
    assert apart() == {"creationflags": 0x200}


def test_variables_are_as_they_were_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERE", "before")
    monkeypatch.delenv("NOT_THERE", raising=False)
    with suppress(KeyError), environment(THERE="now", NOT_THERE="now"):
        assert (os.environ["THERE"], os.environ["NOT_THERE"]) == ("now", "now")
        raise KeyError
    assert os.environ["THERE"] == "before"
    assert "NOT_THERE" not in os.environ


def test_a_sheltered_process_takes_no_file_of_this_folder_for_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SAFE_PATH, raising=False)
    Path("queue.py").write_text("raise SystemExit(7)")
    command = [sys.executable, "-c", "import queue"]
    with sheltered():
        assert subprocess.run(command, check=False).returncode == 0
    assert subprocess.run(command, check=False).returncode == 7
