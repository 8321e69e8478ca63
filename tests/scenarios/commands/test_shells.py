"""``devs-robotics completion``: each shell takes what it is given."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from devs_robotics.scenarios.commands.shells import SHELLS
from tests.scenarios.commands.calling import called

BIN = Path(sys.executable).parent

ASKED = """
source "$1"
COMP_LINE="$2"; COMP_POINT=${#2}; COMP_TYPE=9; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_python_argcomplete devs-robotics
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_takes_what_it_is_given(shell: str, tmp_path: Path) -> None:
    result = called("completion", shell)
    assert (result.returncode, result.stderr) == (0, "")
    assert "devs-robotics" in result.stdout
    assert shell in SHELLS[shell]
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed: apt-get install {shell}")
    (tmp_path / "file").write_text(result.stdout)
    checked = subprocess.run([shell, "-n", tmp_path / "file"], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("devs-robotics queu", ["queue "]),
        ("devs-robotics queue can", ["cancel "]),
        ("devs-robotics queue add wand", ["wander "]),
        ("devs-robotics queue list --state fin", ["finished "]),
        ("devs-robotics completion fi", ["fish "]),
        ("devs-robotics run wander --dur", ["--duration "]),
    ],
)
def test_bash_completes_with_it(line: str, offered: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text(called("completion", "bash").stdout)
    done = subprocess.run(
        ["bash", "--norc", "-c", ASKED, "bash", tmp_path / "file", line],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"},
    )
    assert sorted(done.stdout.splitlines()) == offered, done.stderr
