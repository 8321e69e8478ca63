"""Completion as a shell asks for it."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands.completion import keys, scenarios

BIN = Path(sys.executable).parent

SCRIPT = """
eval "$(register-python-argcomplete devs-robotics)"
COMP_LINE="$1"; COMP_POINT=${#1}; COMP_TYPE=9; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_python_argcomplete devs-robotics
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("devs-robotics stu", ["study "]),
        ("devs-robotics run convoy_in", ["convoy_in_the_loop "]),
        ("devs-robotics run my", ["my.toml "]),
        ("devs-robotics run convoy --set noise.d", ["noise.dnf="]),
        ("devs-robotics run wander --set wandering.s", ["wandering.step="]),
        ("devs-robotics run convoy --stage rea", ["real", "realtime"]),
        ("devs-robotics sweep convoy --js", ["--json "]),
    ],
)
def test_bash_is_told_what_may_follow(line: str, offered: list[str], tmp_path: Path) -> None:
    (tmp_path / "my.toml").touch()
    done = subprocess.run(
        ["bash", "--norc", "-c", SCRIPT, "bash", line],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"},
    )
    assert sorted(done.stdout.splitlines()) == offered, done.stderr


def test_keys_and_scenarios_are_those_that_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.toml").touch()
    (tmp_path / "other.csv").touch()
    (tmp_path / "others.py").touch()
    assert keys("noise.") == ["noise.dnf=", "noise.anf="]
    assert keys("ti") == ["title="]
    assert not [key for key in keys("") if ".N." in key or ".NAME." in key]
    assert scenarios("other") == ["other.toml", "others.py"]
    assert keys("wandering.s", parsed_args=Namespace(scenario="wander")) == ["wandering.step="]
    assert keys("convoy.r", parsed_args=Namespace(scenario="nothing.toml")) == ["convoy.robots="]
    assert scenarios("convoy_o") == ["convoy_obstacles"]
