"""Pages that are played: their commands run in a folder of their own, and show what the pages say."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from types import ModuleType

from devs_robotics.scenarios.sweeps import runs
from tests.documents import blocks
from tests.scenarios.case_study.files import modules_as_they_were
from tests.scenarios.commands.calling import called


def play(page: Path, folder: Path) -> None:
    """Do all that a page says, from top to bottom.

    A block with a title is a file and is written; ``shell`` is run, line by line, where a comment may say that a line
    ``fails``; a ``diff`` is made; ``python`` is run as a program of this folder; and the lines of ``text`` must be
    among those that were shown last, where dots stand for what differs. Blocks of other kinds are looked at only.

    Args:
        page: a document
        folder: where it is played

    Raises:
        AssertionError: something does not do what the page says
    """
    runs._here.cache_clear()  # of modules of the same names that another page has made
    shown = ""
    for kind, title, block in blocks(page.read_text(encoding="utf-8")):
        if title:
            (folder / title).parent.mkdir(parents=True, exist_ok=True)
            (folder / title).write_text(block, encoding="utf-8")
        elif kind == "shell":
            shown = shell(block, folder)
        elif kind == "diff":
            change(block, folder)
        elif kind == "python":
            shown = program(block, folder)
        elif kind == "text":
            check_shown(block, shown)
        else:
            shown = ""


def program(code: str, folder: Path) -> str:
    """Run Python as a program of this folder; returns what it prints."""
    out = io.StringIO()
    with chdir(folder), modules_as_they_were(), redirect_stdout(out):
        sys.path.insert(0, str(folder))
        module = sys.modules["__main__"] = ModuleType("__main__")  # where classes look up the names of their types
        exec(compile(code, "<a block>", "exec"), module.__dict__)
    return out.getvalue()


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=folder)


def commands(block: str) -> list[tuple[list[str], str]]:
    """The commands of a block, each with its words and the comment behind it; a line that ends in \\ goes on."""
    lines = block.replace("\\\n", " ").splitlines()
    split = (line.partition("  #") for line in lines if line.strip() and not line.startswith("#"))
    return [(shlex.split(command), comment) for command, _, comment in split]


def shell(block: str, folder: Path) -> str:
    """Run each line of a block; returns all that was shown, with what was said of lines that fail."""
    shown = ""
    for words, comment in commands(block):
        beside, (name, *arguments) = ([str(folder)], words[1:]) if words[0] == "PYTHONPATH=." else ([], words)
        module = ["-m", name] if name == "pytest" else []
        with modules_as_they_were():
            sys.path[:0] = beside
            here = name == "devs-robotics"
            done = called(*arguments, cwd=folder) if here else python(folder, *module, *arguments)
        shown += done.stdout + (done.stderr if "fails" in comment else "")
        line = " ".join((name, *arguments))
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
        pattern = r"\s+".join(re.escape(word).replace(re.escape("..."), "[^ ]+") for word in line.split())
        assert re.search(rf"^\s*{pattern}\s*$", shown, flags=re.M), f"{line}\n\n{shown}"
