"""Sweeps as a user makes them: the command in this process, or in one of its own."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from devs_robotics.scenarios.commands.sweep import add_arguments, execute
from tests.paths import ROOT

PATIENCE = 60.0
"""What has not come about after so long (s) never will."""

SMALL = ("--set", "convoy.robots=3", "--set", "run.rounds=8")

COMMAND = "import sys; from devs_robotics.scenarios.commands.cli import main; sys.exit(main(['sweep', *sys.argv[1:]]))"


def sweep(*arguments: str | Path, out: Path) -> tuple[int, list[str]]:
    """Sweep in this process; returns the exit status and what was shown."""
    parser, lines = ArgumentParser(), list[str]()
    add_arguments(parser)
    words = ["convoy", *SMALL, *map(str, arguments), "--out", str(out)]
    status = execute(parser.parse_args(words), lines.append)
    return status, lines


def start(*arguments: str | Path, out: Path, before: str = "", strict: bool = True) -> subprocess.Popen[str]:
    """Start a sweep in a process group of its own.

    Args:
        arguments: of the command
        out: where its results go
        before: Python to be done first
        strict: whether a warning is an error
    """
    words = ["convoy", *SMALL, *map(str, arguments), "--out", str(out)]
    return subprocess.Popen(
        [sys.executable, *(["-W", "error"] if strict else []), "-c", before + COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit status, output and error output, when nobody holds either open any more: no worker is left."""
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def wait_for_rows(out: Path, rows: int) -> None:
    """Wait until so many runs are done."""
    wait_until(lambda: len(lines(out)) >= rows, f"{rows} rows")


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Wait for a condition that nobody announces."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"{what} did not come about"
        time.sleep(0.002)


def lines(out: Path) -> list[bytes]:
    """The whole lines of the rows on disk."""
    path = out / "rows.jsonl"
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def table(out: Path) -> list[list[str]]:
    """The table without processor times, which no two runs share."""
    with (out / "runs.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    same = [place for place, name in enumerate(head) if not name.startswith("cpu_")]
    return [[cells[place] for place in same] for cells in (head, *rows)]


def column(out: Path, name: str) -> list[str]:
    """One column of the table."""
    head, *rows = table(out)
    return [cells[head.index(name)] for cells in rows]


def results(out: Path) -> dict[str, Any]:
    """All that must not depend on how, where and how often a sweep was carried out."""
    return {
        "files": sorted(path.name for path in out.iterdir()),
        "table": table(out),
        "settings": (out / "settings.jsonl").read_bytes(),
        "design": json.loads((out / "design.json").read_bytes()),
    }
