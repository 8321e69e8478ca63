"""docs/first-case-study.md from top to bottom: its commands run, its changes fit, and what it shows is what comes."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.documents import FENCE
from tests.paths import ROOT
from tests.scenarios.commands.calling import called

PAGE = (ROOT / "docs" / "first-case-study.md").read_text()


@pytest.fixture(autouse=True)
def _as_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("CI", raising=False)  # where traces are not written


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=folder)


def shell(block: str, folder: Path) -> str:
    """Run each line of a block; returns all that was shown."""
    shown = ""
    for line in block.splitlines():
        command, _, comment = line.partition("  #")
        program, *arguments = shlex.split(command)
        here = program == "devs-robotics"
        done = called(*arguments, cwd=folder) if here else python(folder, "-m", program, *arguments)
        shown += done.stdout
        assert (done.returncode != 0) == ("fails" in comment), f"{line}\n{done.stdout}{done.stderr}"
    return shown


def change(block: str, folder: Path) -> None:
    """Make a change: lines with ``-`` go, lines with ``+`` come, others say where."""
    first, _, hunks = block.partition("\n")
    path = folder / first.removeprefix("--- ")
    text = path.read_text()
    for hunk in re.split("^@@\n", hunks, flags=re.M):
        lines = hunk.splitlines()
        before = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
        after = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
        assert text.count(before) == 1, hunk
        text = text.replace(before, after)
    path.write_text(text)


def check_shown(expected: str, shown: str) -> None:
    """Whether the lines are among those that were shown; dots stand for what differs from run to run."""
    for line in expected.splitlines():
        pattern = " +".join(re.escape(word).replace(re.escape("..."), "[^ ]+") for word in line.split())
        assert re.search(f"^ *{pattern}$", shown, flags=re.M), f"{line}\n\n{shown}"


def blocks() -> Iterator[tuple[str, str]]:
    for found in FENCE.finditer(PAGE):
        kind, block = found.groups()
        yield kind, block


@pytest.mark.long
@pytest.mark.wall_clock
@pytest.mark.timeout(600)
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    shown = ""
    for kind, block in blocks():
        if kind == "shell":
            shown = shell(block, tmp_path)
        elif kind == "diff":
            change(block, tmp_path)
        elif kind == "python":
            done = python(tmp_path, "-W", "error", "-c", block)
            assert done.returncode == 0, done.stderr
            shown = done.stdout
        elif kind == "text":
            check_shown(block, shown)
        else:
            assert kind == "toml"


def test_the_entry_point_is_of_the_group_that_is_looked_at() -> None:
    from devs_robotics.scenarios.case_study.finding import GROUP

    assert f'[project.entry-points."{GROUP}"]' in PAGE
