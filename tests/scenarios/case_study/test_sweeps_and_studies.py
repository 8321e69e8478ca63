"""A case study that declares nothing but its metrics goes through sweeps, their reports and studies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from devs_robotics import DevsRoboticsError, Stream
from devs_robotics.experimental_frames.study.comparing import rows
from devs_robotics.experimental_frames.study.page import study_html
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.comparison.study import StudyOrder, conduct
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.sweeps.design import Wishes, plan
from tests.scenarios.case_study.files import modules_as_they_were

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


GROWING = """
from devs_robotics.study import CaseStudy, Count

class Growing(CaseStudy):
    robots: Count = 2
    faulty: str = ""
    defaults = {"run.duration": 1.0}

    def fails(self, method):
        if self.robots == 3 and self.faulty == method:
            raise ValueError(method)

    def size(self):
        self.fails("size")
        return 1.0

    def build(self, system):
        self.fails("build")
        for pose in system.free_poses(self.robots):
            system.add_robot(pose)
        if system.stream(None, "seed").uniform() > 0.0:
            self.fails("seed")
"""


@pytest.mark.parametrize("faulty", ["build", "size"])
@pytest.mark.parametrize("robots", ["2,3", "3"])
def test_a_point_at_which_a_case_study_fails_is_named(tmp_path: Path, faulty: str, robots: str) -> None:
    (tmp_path / "growing.py").write_text(GROWING)
    with modules_as_they_were():
        wishes = Wishes(vary=(f"growing.robots={robots}",))
        with pytest.raises(DevsRoboticsError) as caught:
            plan(str(tmp_path / "growing.py"), [f"growing.faulty={faulty}"], wishes)
    point = f"point {robots.count(',')} (growing.robots=3): "
    assert str(caught.value).startswith(point)
    assert f"Growing.{faulty} failed: ValueError: {faulty} (" in str(caught.value)


def test_a_run_that_fails_is_told_with_its_point(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where what fails depends on the seed, no check finds it."""
    (tmp_path / "growing.py").write_text(GROWING)
    good = [Stream(seed, 0, "seed").uniform() <= 0.0 for seed in range(99)]
    first = next(seed for seed in range(98) if good[seed] and not good[seed + 1])
    sweep = ["sweep", str(tmp_path / "growing.py"), "--vary", "growing.robots=2,3", "--replicates", "2", "--jobs", "1"]
    settings = ["--set", "growing.faulty=seed", "--set", f"run.seed={first}"]
    with modules_as_they_were():
        assert main([*sweep, *settings, "--out", str(tmp_path / "out")]) == 2
    (failed,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("run "))
    place = f"({tmp_path / 'growing.py'}, line 11)"
    expected = f"Growing.build failed: ValueError: seed {place}; by itself:"
    assert failed == f"run 3 (growing.robots=3, seed {first + 1}) failed: {expected}"
