"""Classes by name: each thing that can be wrong with a name is a sentence of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from devs_robotics import Atomic, DevsRoboticsError
from devs_robotics.core.naming import load_class
from devs_robotics.core.user_code import described

MISSING = "no module {!r} can be imported; check the name, and that its folder is in PYTHONPATH"


def refusal(target: str) -> str:
    with pytest.raises(DevsRoboticsError) as caught:
        load_class(target, "robot")
    return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which modules are found."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_class_is_found_by_its_module_and_its_name() -> None:
    assert load_class("devs_robotics.core.model:Atomic", "robot") is Atomic


@pytest.mark.parametrize("target", ["", "a", "a:", ":B", "a:B:C", "a.:B", "a b:C", "a:B.c", "1:B"])
def test_what_is_no_name_is_told(target: str) -> None:
    assert refusal(target) == f"{target!r} can name no robot: write module:Class"


@pytest.mark.parametrize(
    ("module", "missing"),
    [
        ("nowhere_at_all", "nowhere_at_all"),
        ("nowhere_at_all.inside", "nowhere_at_all"),
        ("json.nowhere", "json.nowhere"),
    ],
)
def test_a_module_that_is_not_there_is_told_by_the_part_that_is_missing(module: str, missing: str) -> None:
    assert refusal(f"{module}:B") == f"the robot '{module}:B' is not there: {MISSING.format(missing)}"


@pytest.mark.parametrize("missing", ["nowhere_at_all", "lacks", "lacks_something.inside"])
def test_a_module_that_lacks_another_one_is_to_be_mended(missing: str, folder: Path) -> None:
    (folder / "lacks_something.py").write_text(f"import {missing}\n")
    found = refusal("lacks_something:B")
    assert found.startswith("'lacks_something:B' cannot be imported (ModuleNotFoundError: ")
    assert found.endswith(", line 1)): mend the module")


def test_a_module_that_raises_is_to_be_mended_even_if_it_names_no_module(folder: Path) -> None:
    (folder / "raises_something.py").write_text("raise ModuleNotFoundError('no idea')\n")
    found = refusal("raises_something:B")
    assert found.startswith("'raises_something:B' cannot be imported (ModuleNotFoundError: no idea (")


@pytest.mark.parametrize("name", ["described", "NOWHERE"])
def test_what_is_no_class_is_told(name: str) -> None:
    assert described.__name__ == "described"
    expected = (
        f"the robot 'devs_robotics.core.user_code:{name}' is not there: devs_robotics.core.user_code has no class"
    )
    assert refusal(f"devs_robotics.core.user_code:{name}") == f"{expected} {name!r}"
