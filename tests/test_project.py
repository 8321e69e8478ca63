"""The project as a whole: arrows that only point down, style, and names that say where things are."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from devs_robotics import __version__
from tests.paths import ROOT

PACKAGES = ("devs_robotics", "models", "experimental_frames", "hil", "scenarios", "tests")

WIRE = "hil/robot_protocol.py"
MIRRORED = {
    "Busy": "hil/protocols/events.py",
    "Fix": "devs_robotics/core/robots/messages.py",
    "Moved": "hil/protocols/events.py",
    "Ranges": "devs_robotics/core/robots/messages.py",
    "Sense": "devs_robotics/core/robots/messages.py",
    "Told": "hil/protocols/events.py",
    "Touch": "devs_robotics/core/robots/messages.py",
}
"""Where the class stands that a message of the JSON robot protocol mirrors: both are the same thing, in two forms."""


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def tool(*command: str) -> None:
    environment = {**os.environ, "COLUMNS": "200"}
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]


@pytest.mark.long
def test_imports_keep_to_the_layers() -> None:
    tool(str(Path(sys.executable).parent / "lint-imports"), "--no-cache")


def test_style_is_the_same_everywhere() -> None:
    tool(sys.executable, "-m", "ruff", "check", ".")
    tool(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_no_file_is_too_long_to_read() -> None:
    long = {path.relative_to(ROOT): count for path in sources() if (count := path.read_text().count("\n")) > 400}
    assert not long


def test_a_name_of_a_class_stands_for_one_thing() -> None:
    homes = defaultdict(set)
    for path in sources():
        home = path.relative_to(ROOT).as_posix()
        for statement in () if home.startswith("tests/") else ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.ClassDef):
                homes[statement.name].add(home)
    shared = {name: places for name, places in homes.items() if len(places) > 1}
    assert shared == {name: {WIRE, home} for name, home in MIRRORED.items()}


def test_the_changelog_begins_with_this_version() -> None:
    (version, *_) = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)
    assert version == __version__


def test_the_map_of_the_house_names_what_there_is() -> None:
    paths = re.findall(r"`([\w./]+/[\w./]*)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert len(paths) >= 25
    assert [path for path in paths if not (ROOT / path).exists()] == []
