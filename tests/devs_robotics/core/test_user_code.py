"""Whatever somebody's code raises becomes a sentence."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from devs_robotics import DevsRoboticsError, ModelError
from devs_robotics.core.user_code import described, printable, staying_here, user_code


class DumbError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("a\nb"), "ValueError: a b"),
        (SystemExit(0), "SystemExit: 0"),
        (AssertionError(), "AssertionError"),
        (KeyError("x"), "KeyError: 'x'"),
        (OSError("\udcff and é"), r"OSError: \udcff and é"),
        (DumbError(), "DumbError"),
        (ValueError("x" * 100_000), f"ValueError: {'x' * 2000}"),
    ],
)
def test_an_exception_is_described_on_one_line_that_every_file_can_hold(error: Exception, told: str) -> None:
    assert described(error) == told
    assert described(error).encode().decode() == told


@pytest.mark.parametrize("error", [ValueError("oh"), SystemExit(0), GeneratorExit()])
def test_all_that_is_raised_becomes_one_kind_of_error(error: BaseException) -> None:
    with pytest.raises(ModelError, match=f"it failed: {type(error).__name__}") as caught, _failing():
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), DevsRoboticsError("its own sentence")])
def test_ctrl_c_and_what_has_a_sentence_already_go_on(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, _failing():
        raise error
    assert caught.value is error


def test_ctrl_c_is_heard_while_something_is_shown() -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        printable(interrupted)


def _failing() -> AbstractContextManager[None]:
    return user_code(lambda why: ModelError(f"it failed: {why}"))


def test_a_folder_that_is_gone_is_not_returned_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with staying_here():
        os.chdir(tmp_path)
    assert Path.cwd() == tmp_path
