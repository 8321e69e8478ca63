from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.commands import report, sweep


def command(module: ModuleType, *arguments: str) -> tuple[int, list[str]]:
    parser, told = argparse.ArgumentParser(), list[str]()
    module.add_arguments(parser)
    return int(module.execute(parser.parse_args(arguments), told.append)), told


def test_a_real_sweep_is_reported_on_one_page_with_methods_beside_it(tmp_path: Path) -> None:
    sens = str(tmp_path / "sens")
    fixed = ["--set", "run.rounds=8", "--set", "convoy.robots=3", "--jobs", "1"]
    status, _ = command(sweep, "convoy", "--vary", "noise=paper", "--replicates", "2", *fixed, "--out", sens)
    assert status == 0
    out = tmp_path / "reports" / "report.html"
    status, told = command(report, sens, "--out", str(out))
    assert status == 0
    assert told == ["6 runs of sens", f"methods: {out.parent / 'methods.md'}", f"report: {out}"]
    page = out.read_text()
    assert "Sensitivity to noise" in page
    assert "6 of 6 runs accepted" in page
    assert "../sens/runs.csv" in page
    assert "run 2 times, with the seeds 1 to 2" in (out.parent / "methods.md").read_text()


@pytest.mark.parametrize(
    ("out", "said"), [("report.txt", "a name that ends in .html"), (".", "a name that ends in .html")]
)
def test_a_page_must_be_named(tmp_path: Path, out: str, said: str) -> None:
    with pytest.raises(DevsRoboticsError, match=said):
        command(report, str(tmp_path), "--out", str(tmp_path / out))


def test_a_folder_that_is_no_sweep_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DevsRoboticsError, match=r"runs\.csv is missing"):
        command(report, str(tmp_path / "empty"), "--out", str(tmp_path / "out" / "report.html"))
    assert not (tmp_path / "out").exists()
