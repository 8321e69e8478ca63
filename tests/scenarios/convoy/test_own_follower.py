"""What docs/conformance.md tells a user to write, in a module of his own, is held against the protocol as it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.documents import FENCE
from tests.paths import ROOT


def test_a_follower_of_ones_own_is_tested_as_the_document_says(tmp_path: Path) -> None:
    blocks = FENCE.findall((ROOT / "docs" / "conformance.md").read_text())
    (module,) = (block for of, block in blocks if of == "python" and "class " in block)
    (command,) = (block for of, block in blocks if of == "shell" and "PYTHONPATH" in block)
    (tmp_path / "my_robots.py").write_text(module)
    path, program, *arguments = command.split()
    assert (path, program) == ("PYTHONPATH=.", "devs-robotics")
    result = subprocess.run(
        [sys.executable, "-m", "devs_robotics", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1, result.stderr
    assert "robot 2 looked before its back robot had caught up" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("does not conform")
