"""The command line, run as a user runs it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT, names
from tests.scenarios.commands.calling import called, refused

COMMAND = [sys.executable, "-m", "devs_robotics"]
SMALL = ["--set", "convoy.robots=4", "--set", "run.rounds=12"]


def cli(*arguments: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=cwd)


def test_check_finds_no_mistake_in_what_ships_and_all_in_a_file(tmp_path: Path) -> None:
    good = cli("check", "convoy")
    assert (good.returncode, good.stderr) == (0, "")
    assert good.stdout.startswith("convoy: no mistakes")
    mine = tmp_path / "my.toml"
    mine.write_text('[convoy]\nrobots = 0\ndistnce = 1\n[noise]\ndnf = "x"\n')
    bad = cli("check", mine)
    assert bad.returncode == 2
    assert bad.stdout.splitlines() == [
        f"{mine}: convoy.robots: must be at least 2, not 0",
        f"{mine}: convoy.distnce: there is no such key: did you mean 'convoy.distance'?",
        f"{mine}: noise.dnf: must be a number, such as 0.1, not 'x'",
        "3 mistakes",
    ]


def test_run_measures_and_writes_everything(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    result = cli("run", "convoy", "--seed", 7, *SMALL, "--out", out)
    assert (result.returncode, result.stderr) == (0, "")  # no progress bar where there is no terminal
    assert "accepted: every robot has completed 12 rounds" in result.stdout
    assert f"report: {out / 'report.html'}" in result.stdout
    assert names(out) == ["report.html", "rounds.csv", "series.csv", "summary.json"]
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["seed"], summary["stage"], summary["outcome"]) == (7, "fast", "accepted")
    assert summary["scenario"]["convoy"]["robots"] == 4
    assert len(summary["scenario"]["convoy"]["poses"]) == 4  # nothing is left open
    assert summary["scenario"]["field"]["width"] == 30.0
    assert re.fullmatch("[0-9a-f]{64}", summary["scenario_sha256"])
    assert summary["events"]["robot_rounds"] >= 48
    assert set(summary["versions"]) == {"devs-robotics", "python", "platform", "xdevs", "numpy"}
    assert summary["metrics"]["error_at_pose_changes"]["mean_over_all"] > 0
    assert summary["cpu_s"] > 0


def test_a_summary_is_a_scenario_again(tmp_path: Path) -> None:
    """What was run can be run again from what was written, to the same bytes."""
    called("run", "convoy", *SMALL, "--out", tmp_path / "a")
    scenario = json.loads((tmp_path / "a" / "summary.json").read_text())["scenario"]
    lines = []
    for table, keys in scenario.items():
        if isinstance(keys, dict):
            lines.append(f"[{table}]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in keys.items() if value is not None]
    (tmp_path / "again.toml").write_text("\n".join(lines))
    called("run", tmp_path / "again.toml", "--out", tmp_path / "b")
    for name in ("rounds.csv", "series.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_rejected_run_ends_with_status_one_and_is_written_all_the_same(tmp_path: Path) -> None:
    arguments = ["--set", "noise.dnf=0.9", "--set", "noise.anf=2"]
    result = cli("run", "convoy", *arguments, "--out", tmp_path)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "rejected: the convoy has broken up: robot " in result.stdout
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["outcome"] == "rejected"
    assert len(summary["metrics"]["robots_lost"]) == 1
    assert summary["metrics"]["rounds_completed"] < 20
    assert summary["metrics"]["error_at_pose_changes"]["mean_over_all"] is None  # JSON knows no NaN


def test_a_folder_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    """Its case study goes to all processes; a queue, which would have to keep the name, says so."""
    folder = tmp_path / "one\udcff"
    folder.mkdir()
    assert called("new", "cleaning", cwd=folder).returncode == 0
    settings = ("--robots", "2", "--duration", "2", "--stage", "distributed", "--rate", "20")
    result = called("run", "cleaning.toml", *settings, "--out", "out", cwd=folder)
    assert result.returncode == 0, result.stdout + result.stderr
    result = called("queue", "add", "cleaning.toml", cwd=folder)
    assert result.returncode == 2, result.stdout + result.stderr
    assert "has a byte that is no text in UTF-8: give it another name" in result.stderr


def test_a_duration_ends_a_run(tmp_path: Path) -> None:
    mine = tmp_path / "my.toml"
    mine.write_text('[run]\nduration = "1 min"\n[convoy]\nrobots = 3')
    result = called("run", mine)
    assert result.returncode == 0
    assert "accepted: the duration of 60 s is over" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["run", "convoi"], "devs-robotics: convoi: there is no such file or shipped scenario: did you mean 'convoy'?"),
        (["run", "convoy", "--set", "convoy.robts=3"], "--set: convoy.robts: there is no such key: did you mean"),
        (["run", "convoy", "--set", "convoy.robots"], "--set: convoy.robots: has no value: write --set KEY=VALUE"),
        (["run", "convoy", "--set", "convoy.robots=-3"], "--set: convoy.robots: must be at least 2, not -3"),
        (["run", "convoy", "--set", "convoy.distance=15 cm"], "leaves no room between two bodies"),
        (["run", "convoy", "--set", "field.width=5"], "is too small for a line of 30 robots"),
        (["run", "convoy", "--seed", "x"], "argument --seed: must be a whole number from 0 on, not 'x'"),
        (["run", "convoy", "--set", "\x1b[2J=1"], r"--set: \x1b[2J: there is no such key"),
        (["run", "convoy", "--set", "\udcff=1"], r"--set: \udcff: is a key that is no text in UTF-8: write it anew"),
        (
            ["run", "wander", "--view", "--view-host", "\udcff"],
            r"devs-robotics: '\udcff' has a byte that is no text in UTF-8: give it another name",
        ),
        (
            ["run", "convoy", "--stage", "later"],
            "argument --stage: must be one of fast, realtime, ",
        ),
        (["run"], "the following arguments are required: scenario"),
        (["rnu", "convoy"], "there is no command 'rnu': did you mean 'run'?"),
        (["run", "convoy", "--out", "/proc/nowhere"], "--out: /proc/nowhere cannot be written"),
        (["run", "convoy", "--out", "setup.cfg/out"], "--out: setup.cfg/out cannot be written (Not a directory)"),
    ],
)
def test_bad_input_gets_one_clear_sentence_and_status_two(arguments: list[str], expected: str) -> None:
    said = refused(*arguments)
    assert len([line for line in said.splitlines() if expected in line]) == 1, said


@pytest.mark.parametrize("arguments", [["run", "convoi"], ["rnu", "convoy"], ["run", "convoy", *SMALL]])
def test_a_command_in_this_process_says_what_one_of_its_own_says(arguments: list[str]) -> None:
    """Other tests rely on it."""
    apart, here = cli(*arguments), called(*arguments)
    took = r"[\d.]+ s CPU"
    assert re.sub(took, "", apart.stdout) == re.sub(took, "", here.stdout)
    assert (apart.returncode, apart.stderr) == (here.returncode, here.stderr)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder in which no file can be made, by root neither."""
    folder = tmp_path / "closed"
    folder.mkdir()
    if os.geteuid() != 0:
        folder.chmod(0o500)
        yield folder
        folder.chmod(0o700)
        return
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", folder], check=False).returncode != 0:
        pytest.skip("root may write to any folder, and this system lets nobody mount a read-only one")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_read_only_folder_is_found_before_the_run(read_only: Path) -> None:
    said = refused("run", "convoy", *SMALL, "--out", read_only / "out")
    assert re.search(r"cannot be written \((Permission denied|Read-only file system)\): free or choose another", said)


def test_a_disk_that_fills_up_leaves_whole_files_only(tmp_path: Path) -> None:
    """The system refuses to let a file grow beyond 8 KiB, as a full disk does."""
    script = f"ulimit -f 8; exec {sys.executable} -m devs_robotics run convoy {' '.join(SMALL)} --out {tmp_path}"
    script = script.replace("rounds=12", "rounds=60")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # bytecode would be cut off too, and stay so
    result = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=False, cwd=ROOT, env=environment
    )
    assert result.returncode == 2
    assert f"--out: {tmp_path / 'rounds.csv'} cannot be written (File too large)" in result.stderr
    assert "mean position error" in result.stdout  # what was measured is not lost
    assert names(tmp_path) == ["summary.json"]
    json.loads((tmp_path / "summary.json").read_text())


def test_ctrl_c_ends_a_run_cleanly_and_writes_what_was_measured(tmp_path: Path) -> None:
    command = [*COMMAND, "run", "convoy", "--set", "run.rounds=1000000", "--out", str(tmp_path)]
    bar, terminal = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, text=True, cwd=ROOT)
    os.close(terminal)
    shown = _read_until(bar, r"[1-9]\d* s simulated +[\d,]+ events/s")
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    os.close(bar)
    assert process.returncode == 130
    assert "interrupted: the user interrupted the run" in output
    assert "s simulated" in shown
    assert "left" in shown
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["outcome"] == "interrupted"
    assert summary["metrics"]["robot_rounds"] > 0
    assert (tmp_path / "rounds.csv").read_text().count("\n") == summary["metrics"]["robot_rounds"] + 1


def _read_until(terminal: int, pattern: str) -> str:
    shown, deadline = "", time.monotonic() + 60.0
    while re.search(pattern, re.sub("\x1b[^m]*m", "", shown)) is None:
        assert time.monotonic() < deadline, shown
        ready, _, _ = select.select([terminal], [], [], 1.0)
        if ready:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return shown


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    result = subprocess.run(
        [
            "bash",
            "-c",
            f"set -o pipefail; {' '.join(COMMAND)} run convoy {' '.join(SMALL)} | head -1",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert "Traceback" not in result.stderr
    assert result.stdout.startswith("4 robots")


def test_help_and_version() -> None:
    words = " ".join(cli("--help").stdout.split())
    assert "Exit status: 0 ran, 1 the acceptor rejected the run, 2 bad input or a faulty model" in words
    assert re.fullmatch(r"devs-robotics \d+\.\d+\.\d+\n", cli("--version").stdout)


@pytest.mark.parametrize("name", ["devs_robotics", "devs_robotics.scenarios"])
def test_the_command_is_a_module_too_also_by_its_old_name(name: str, tmp_path: Path) -> None:
    words = [sys.executable, "-m", name, "list"]
    listed = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "convoy" in listed.stdout
