"""A case study that declares nothing but its metrics goes through sweeps, their reports and studies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from devs_robotics.experimental_frames.study.comparing import rows
from devs_robotics.experimental_frames.study.page import study_html
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.comparison.study import StudyOrder, conduct
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.settings.loading import load

SMALL = ("run.duration=5", "wandering.robots=2")
OF_THE_CONVOY = re.compile(
    r"convoy|leader|follower|formation|Hu and Zeigler \[|position error|back robot", re.IGNORECASE
)


def words_of(page: str) -> str:
    return re.sub(r"<svg.*?</svg>|<style.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)


def test_a_sweep_and_its_report(tmp_path: Path) -> None:
    out = tmp_path / "sweep"
    arguments = ["--vary", "wandering.robots=2,3,4", "--replicates", "3", "--set", "run.duration=5", "--jobs", "1"]
    assert main(["sweep", "wander", *arguments, "--out", str(out), "--quiet"]) == 0
    assert json.loads((out / "design.json").read_text())["units"]["wandering.step"] == "m"
    assert main(["report", str(out), "--out", str(out / "report.html")]) == 0
    text = words_of((out / "report.html").read_text())
    assert "Scalability" in text
    assert "trend of share of the field covered" in text
    assert not OF_THE_CONVOY.search(text)
    assert not OF_THE_CONVOY.search((out / "methods.md").read_text())


@pytest.mark.wall_clock
def test_a_study(tmp_path: Path) -> None:
    order = StudyOrder(
        scenario=load("wander", SMALL),
        stages=("fast", "realtime"),
        seeds=(1, 2),
        means=Means(rate=100.0),
        source="wander",
    )
    lines: list[str] = []
    done = conduct(order, tmp_path, tell=lines.append)
    assert [run.ended for run in done.runs] == ["accepted"] * 4
    assert "share of the field covered = " in lines[0]
    found = rows(done)
    assert found[0].quantity.name == "frames.coverage.share"
    assert found[0].differences["realtime"].reading == "the same"
    assert not OF_THE_CONVOY.search(words_of(study_html(done, found)))
