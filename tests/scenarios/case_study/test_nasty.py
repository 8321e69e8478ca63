"""What somebody who means no good, or is in a hurry, writes into a case study: one sentence each."""

from __future__ import annotations

from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from devs_robotics import DevsRoboticsError, Drive
from devs_robotics.scenarios.case_study.run import run
from devs_robotics.scenarios.wander import Coverage, Wander, Wandering
from devs_robotics.study import CaseStudy, CaseSystem, Frame, Means
from tests.scenarios.commands.calling import called
from tests.scenarios.commands.test_cli import cli

HEAD = """
from collections.abc import Callable
from devs_robotics.study import CaseStudy, Count

class X(CaseStudy):
"""
STANDS = """
    def build(self, system):
        system.add_robot((1, 1, 0))
"""


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            "    def __init__(self):\n        super().__init__()\n    robots: Count = 1",
            "let its __init__ take **settings",
        ),
        ("    a: object = object()", "a setting has a type whose values no file can hold"),
        ("    a: Callable = print", "a setting has a type whose values no file can hold"),
        ("    a: list[int] = []", "X.a: what is set never changes: write tuple[int, ...], say, for a list"),
        ("    a: Count", "X.a has no default: write a: Count = ..."),
        ("    stand_ins = {'gripper': 5}", "X.stand_ins must be names and classes"),
        ("    stand_ins = 5", "X.stand_ins must be names and classes"),
    ],
)
def test_a_class_that_cannot_be_is_told_in_one_sentence(tmp_path: Path, lines: str, sentence: str) -> None:
    (tmp_path / "x.py").write_text(HEAD + lines + STANDS)
    result = called("run", tmp_path / "x.py")
    assert result.returncode == 2, result.stderr
    assert sentence in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "whose"), [("numpy", "an installed package"), ("msgspec", "an installed package"), ("json", "Python")]
)
def test_a_file_that_hides_a_module_is_told_to_have_another_name(tmp_path: Path, name: str, whose: str) -> None:
    (tmp_path / f"{name}.py").write_text(HEAD + "    robots: Count = 1" + STANDS)
    result = cli("run", tmp_path / f"{name}.py")
    assert result.returncode == 2
    assert f"{name}.py hides a module '{name}' of {whose}: give the file another name" in result.stderr


def test_the_base_of_all_case_studies_is_none(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('case = "devs_robotics.study:CaseStudy"')
    result = called("run", tmp_path / "x.toml")
    assert result.returncode == 2
    assert "is no case study: derive it from devs_robotics.study.CaseStudy" in result.stderr


class Far(Wander):
    """Its steps are longer than any world."""

    far = 1e300

    def lambdaf(self) -> None:
        """Command what it is told here."""
        if self.phase == "moving":
            self.command = Drive(distance=self.far)
        super().lambdaf()


def driving(far: float) -> CaseStudy:
    """A case study whose robots are told to drive so far."""

    class Driving(Wandering):
        """They drive."""

        def build(self, system: CaseSystem) -> None:
            """Two of them."""
            for pose in system.free_poses(2):
                robot = system.add_robot(pose)
                model = robot.decide(Far("wander", system.stream(robot, "wander"), 0.3, 0.4))
                model.far = far

    return Driving()


def test_a_step_beyond_all_walls_ends_at_the_wall_at_once() -> None:
    outcome = run(driving(1e300), "loop", duration=4.0, means=Means(lab="inside"))
    assert outcome.ended in ("accepted", "broken off")
    assert outcome.cpu_s < 30.0


@pytest.mark.parametrize("far", [nan, inf])
def test_a_drive_that_is_none_is_told_with_its_robot(far: float) -> None:
    outcome = run(driving(far), duration=4.0)
    assert outcome.ended == "failed"
    assert "robot 1 is told to drive Drive(" in outcome.reason
    assert "its decision model must send finite angles and distances" in outcome.reason


@pytest.mark.parametrize("name", ["lateness", "localisation", "tracks", "acceptor"])
def test_a_part_takes_no_name_of_the_harness_s(name: str) -> None:
    class Named(Wandering):
        """They wander."""

        def frame(self, frame: Frame, system: CaseSystem) -> None:
            """A part with a name of somebody else's."""
            frame.add(Coverage(name, 0.5, system.field))

    with pytest.raises(DevsRoboticsError, match=f"a part of the frame cannot be called '{name}'"):
        run(Named())


def test_outcomes_of_equal_runs_are_equal_and_of_others_not() -> None:
    one, same, other = (run(Wandering(robots=2), duration=5.0, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_a_metric_that_is_infinite_is_named() -> None:
    class Endless(Coverage):
        def share(self) -> Any:
            """Nobody can write it down."""
            return inf

    class Measured(Wandering):
        """They wander."""

        def frame(self, frame: Frame, system: CaseSystem) -> None:
            """With a metric that is none."""
            frame.add(Endless("coverage", 0.5, system.field))

    outcome = run(Measured(robots=1), duration=1.0)
    assert outcome.ended == "failed"
    assert "its metric share must be a finite number, NaN or a word, not inf" in outcome.reason


RAISES = """
from devs_robotics import Atomic
from devs_robotics.study import CaseStudy

class Mine(Atomic):
    def initialize(self):
        self.hold_in("soon", 0.5)

    def deltint(self):
        raise ValueError("mine")

class X(CaseStudy):
    def build(self, system):
        for place in (1, 3):
            system.add_robot((place, 1, 0)).decide(Mine("mine"))
"""


@pytest.mark.wall_clock
def test_a_faulty_model_is_a_fault_of_a_model_wherever_it_runs(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text(RAISES)
    for stage in ("fast", "distributed"):
        result = cli("run", tmp_path / "x.py", "--stage", stage, "--set", "run.duration=3")
        assert result.returncode == 2, result.stdout + result.stderr
        assert "ValueError: mine" in result.stdout
        assert "failed: " in result.stdout
