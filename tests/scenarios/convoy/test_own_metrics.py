"""What docs/own-metrics.md tells a user to write, written and run as it says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.documents import FENCE
from tests.paths import ROOT


def blocks(kind: str) -> list[str]:
    text = (ROOT / "docs" / "own-metrics.md").read_text()
    return [block for of, block in FENCE.findall(text) if of == kind]


def test_the_first_metric_runs_as_the_document_says(tmp_path: Path) -> None:
    module = blocks("python")[0]
    assert sum(bool(line.strip()) for line in module.split("class ")[1].splitlines()) <= 11  # ten lines and its name
    (tmp_path / "my_metrics.py").write_text(module)
    (tmp_path / "my.toml").write_text(blocks("toml")[0])
    (command,) = blocks("shell")
    assert command.split() == ["PYTHONPATH=.", "devs-robotics", "run", "my.toml", "--out", "out/"]
    result = subprocess.run(
        [sys.executable, "-m", "devs_robotics", *command.split()[2:]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "  winding.rad_per_m" in result.stdout
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["frames"]["winding"]["rad_per_m"] > 0.0
