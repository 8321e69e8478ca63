"""What nobody has foreseen: a sentence, a file with the rest, and an exit status that nothing else has."""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands import listing
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.commands.exit_status import STATUSES


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
        raise error

    monkeypatch.setattr(listing, "execute", execute)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ZeroDivisionError("oh"), "ZeroDivisionError: oh"),
        (SystemExit(0), "SystemExit: 0"),
        (RecursionError("deep"), "RecursionError: deep"),
        (UnicodeEncodeError("ascii", "\udcff", 0, 1, "oh"), "UnicodeEncodeError: .*"),
    ],
)
def test_an_exception_becomes_a_sentence_and_a_file(
    error: BaseException, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    raising(monkeypatch, error)
    assert main(["list"]) == 70
    shown = capsys.readouterr()
    (file,) = tmp_path.iterdir()
    assert shown.out == ""
    wanted = rf"this should not have happened \({told}\): please send {file} to where you have devs-robotics from"
    assert re.fullmatch(f"devs-robotics: {wanted}\n", shown.err)
    text = file.read_text()
    assert re.match(r"devs-robotics \d+\.\d+\.\d+, Python 3\.\d+\.\d+, .*\ndevs-robotics list\n", text)
    assert "Traceback (most recent call last)" in text
    assert "raise error" in text


def test_passwords_stay_out_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from devs_robotics.scenarios.commands import tree

    def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
        raise RuntimeError

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tree, "execute", execute)
    assert main(["tree", "convoy", "--set", "real.2.address=mqtt://me:secret@host/robot"]) == 70
    (file,) = tmp_path.iterdir()
    assert "me:***@host" in file.read_text()
    assert "secret" not in file.read_text() + capsys.readouterr().err


def test_without_a_place_for_the_file_all_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    raising(monkeypatch, ZeroDivisionError("oh"))
    assert main(["list"]) == 70
    shown = capsys.readouterr().err
    assert "(ZeroDivisionError: oh): please send what follows to where you have devs-robotics from" in shown
    assert "raise error" in shown


def test_the_status_is_documented() -> None:
    assert "70 a fault of devs-robotics itself" in STATUSES
