"""Every command does its work to the end, and ends with its own status, where nothing that it shows can be written."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT, names

SMALL = ("convoy", "--set", "convoy.robots=3", "--set", "run.rounds=3")
WANDER = ("wander", "--robots", "3", "--duration", "10")
NOISY = ("--set", "noise.dnf=0.9", "--set", "noise.anf=9")

COMMANDS = {
    "list": (0, ["list"]),
    "no mistakes": (0, ["check", *SMALL]),
    "mistakes": (2, ["check", *SMALL, "--set", "noise.dnf=2"]),
    "run": (0, ["run", *SMALL, "--out", "run", "--trace", "run.jsonl"]),
    "rejected": (1, ["run", *SMALL, *NOISY, "--set", "run.rounds=300", "--out", "rejected"]),
    "json": (0, ["run", *SMALL, "--json"]),
    "trace": (0, ["trace", "run.jsonl"]),
    "other": (0, ["run", *SMALL, "--seed", "2", "--trace", "other.jsonl", "--quiet"]),
    "compare": (1, ["trace", "run.jsonl", "--compare", "other.jsonl"]),
    "study": (0, ["study", *SMALL, "--stages", "fast", "--seeds", "1", "--out", "study"]),
    "sweep": (0, ["sweep", *SMALL, "--replicates", "2", "--jobs", "1", "--out", "sweep"]),
    "report": (0, ["report", "sweep", "--out", "page.html"]),
    "conform": (0, ["conform", *SMALL, "--level", "single", "--out", "conform"]),
    "tree": (0, ["tree", *SMALL]),
    "diagram": (0, ["tree", *SMALL, "--svg", "tree.svg"]),
    "record": (0, ["run", *SMALL, "--record", "run.mcap", "--quiet"]),
    "view": (0, ["view", "run.mcap", "--export", "view.html"]),
    "certify": (0, ["certify", *WANDER, "--seeds", "2", "--out", "certificate.json"]),
    "add": (0, ["queue", "add", *WANDER, "--seeds", "2"]),
    "queued": (0, ["queue", "list"]),
    "cancel": (0, ["queue", "cancel", "2"]),
    "retry": (0, ["queue", "retry", "2"]),
    "work": (0, ["queue", "work"]),
    "one": (0, ["queue", "show", "1"]),
    "collected": (0, ["queue", "collect", "--out", "collected"]),
    "new": (0, ["new", "cleaning"]),
    "completion": (0, ["completion", "bash"]),
    "curves": (0, ["battery", "curves"]),
    "markers": (0, ["camera", "--markers", "markers"]),
    "no such scenario": (2, ["run", "nowhere"]),
}

PROGRAM = """
import json, os, sys
from devs_robotics.scenarios.commands.cli import main
made = {"full": lambda: os.open("/dev/full", os.O_WRONLY), "gone": lambda: (pipe := os.pipe(), os.close(pipe[0]))[0][1]}
found = {}
for name, arguments in json.load(sys.stdin).items():
    os.dup2(made[sys.argv[1]](), 1)
    found[name] = main(arguments)
with open("found.json", "w") as file:
    json.dump(found, file)
"""

FILES = {
    "run": ["report.html", "rounds.csv", "series.csv", "summary.json"],
    "rejected": ["report.html", "rounds.csv", "series.csv", "summary.json"],
    "study": ["runs", "runs.csv", "study.html", "study.json"],
    "sweep": ["design.json", "rows.jsonl", "runs.csv", "runs.parquet", "settings.jsonl"],
    "conform": ["conformance.html", "conformance.json"],
    "collected": ["1", "2", "experiments.csv"],
}


QUICK = ("list", "mistakes", "rejected", "json", "sweep", "no such scenario")
"""Those with which a second kind of stream is tried."""


@pytest.mark.parametrize(
    ("stream", "complaint", "commands"),
    [("full", "No space left on device", tuple(COMMANDS)), ("gone", "", QUICK)],
    ids=["full", "gone"],
)
def test_nothing_is_lost_but_what_was_shown(
    stream: str, complaint: str, commands: tuple[str, ...], tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, stream],
        input=json.dumps({name: COMMANDS[name][1] for name in commands}),
        stderr=subprocess.PIPE,
        check=False,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "found.json").read_text()) == {name: COMMANDS[name][0] for name in commands}
    for folder in FILES.keys() & set(commands):
        assert names(tmp_path / folder) == FILES[folder]
    assert stream == "gone" or {"view.html", "certificate.json", "cleaning.py", "markers"} <= set(names(tmp_path))
    silent = {"other", "record", "no such scenario"}  # these show nothing on standard output
    complaints = [line for line in done.stderr.splitlines() if "standard output cannot be written" in line]
    assert len(complaints) == (len(set(commands) - silent) if complaint else 0)
    assert all(complaint in line for line in complaints)
    assert "Traceback" not in done.stderr
