"""Where somebody's own code failed is told, whatever it called and whoever called it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devs_robotics import Atomic, ModelError, Simulator
from devs_robotics.core.naming import load_class
from devs_robotics.core.own_files import is_own, place_of
from devs_robotics.core.user_code import described_with_place

INSIDE = """
import json

def own():
    raise KeyError("x")

def within_python():
    json.loads("{")

def called(function):
    function()
"""


def functions(path: Path, text: str = INSIDE) -> dict[str, Any]:
    """What stands in a file, as it is after it was imported."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    found: dict[str, Any] = {"__name__": path.stem}
    exec(compile(text, str(path), "exec"), found)
    return found


def raised(function: Callable[..., object], *arguments: object) -> BaseException:
    with pytest.raises(BaseException) as caught:
        function(*arguments)
    return without_this_file(caught.value)


def without_this_file(exc: BaseException) -> BaseException:
    """As it is where this project calls somebody's code: no test stands on the way."""
    trace = exc.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return exc.with_traceback(trace)


def test_the_innermost_line_of_somebody_s_own_is_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    mine = functions(file)
    assert place_of(raised(mine["own"])) == f"{file}, line 5"
    assert place_of(raised(mine["within_python"])) == f"{file}, line 8"  # though it came up in json
    assert described_with_place(raised(mine["own"])) == f"KeyError: 'x' ({file}, line 5)"


def test_a_file_in_the_working_folder_is_told_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = raised(functions(tmp_path / "models" / "mine.py")["own"])
    monkeypatch.chdir(tmp_path)
    assert place_of(error) == f"{Path('models/mine.py')}, line 5"


def test_a_package_s_own_code_is_told_where_all_is_installed(tmp_path: Path) -> None:
    """Of two packages it is the one that was called first: it is what was handed to this project."""
    theirs = functions(tmp_path / "site-packages" / "theirs.py")
    helper = functions(tmp_path / "site-packages" / "helper.py")
    assert place_of(raised(theirs["called"], helper["own"])) == f"{tmp_path / 'site-packages' / 'theirs.py'}, line 11"
    mine = functions(tmp_path / "mine.py")
    assert place_of(raised(mine["called"], theirs["own"])) == f"{tmp_path / 'mine.py'}, line 11"


@pytest.mark.parametrize("function", [lambda: json.loads("{"), lambda: load_class("none", "model")])
def test_no_line_of_this_project_or_of_others_is_told(function: Callable[[], object]) -> None:
    assert place_of(raised(function)) == ""


def test_a_syntax_error_says_its_file_itself(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("a = 1\nb = (\n")
    with pytest.raises(SyntaxError) as caught:
        compile((tmp_path / "broken.py").read_text(), "broken.py", "exec")
    assert described_with_place(caught.value).count("line 2") == 1


def test_a_model_that_fails_is_told_with_its_line(tmp_path: Path) -> None:
    text = "def fail(*args):\n    raise ZeroDivisionError('oh')\n"

    class Faulty(Atomic):
        initialize = functions(tmp_path / "faulty.py", text)["fail"]

    with pytest.raises(ModelError) as caught:
        Simulator(Faulty("faulty")).run()
    assert str(caught.value).endswith(f"ZeroDivisionError: oh ({tmp_path / 'faulty.py'}, line 2)")


def test_what_is_own_is_neither_python_s_nor_installed() -> None:
    assert is_own(Path(__file__))
    assert not is_own(Path(os.__file__))
    assert not is_own(Path(np.__file__))
