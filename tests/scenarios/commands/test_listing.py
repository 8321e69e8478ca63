"""``devs-robotics list``: what ships, and what installed packages bring."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from devs_robotics.scenarios.case import shipped_cases
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.settings.loading import load, shipped_scenarios

SHIPS = tuple(shipped_scenarios())

GATHERING = '''
from devs_robotics.study import CaseStudy, Count


class Gathering(CaseStudy):
    """Robots bring items home.

    And more of it.
    """

    robots: Count = 2
    items: Count = 9

    def build(self, system):
        for pose in system.free_poses(self.robots):
            system.add_robot(pose)
'''

Shown = pytest.CaptureFixture[str]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path of modules with a package of cases in it, as an installer leaves it."""
    (tmp_path / "gathering_of_theirs.py").write_text(GATHERING)
    (tmp_path / "broken_of_theirs.py").write_text("import nothing_of_this_name\n")
    (tmp_path / "no_case_of_theirs.py").write_text("Thing = 3\n")
    metadata = tmp_path / "their_cases-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: their-cases\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[devs_robotics.cases]\n"
        "gather = gathering_of_theirs:Gathering\n"
        "broken = broken_of_theirs:Broken\n"
        "thing = no_case_of_theirs:Thing\n"
        "wander = gathering_of_theirs:Gathering\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def listed(capsys: Shown) -> dict[str, str]:
    assert main(["list"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = [re.fullmatch(r"(\S+(?: \(\S+\))?) {2,}(\S.*)", line) for line in out.splitlines()]
    assert None not in lines, out
    return {line[1]: line[2] for line in lines if line is not None}


def test_the_scenarios_that_ship_are_listed_with_their_titles(capsys: Shown) -> None:
    found = listed(capsys)
    assert tuple(found) == SHIPS
    assert found["wander"] == load("wander").title
    assert (
        {"convoy", "wander"} <= set(shipped_cases()) <= set(shipped_scenarios())
    )  # so that each case that ships has a line


def test_what_packages_bring_has_a_line_each_and_what_is_broken_says_why(installed: Path, capsys: Shown) -> None:
    found = listed(capsys)
    assert tuple(found) == (*SHIPS, "broken", "gather", "thing", "wander (gathering_of_theirs:Gathering)")
    assert found["gather"] == "Robots bring items home."
    assert found["broken"] == (
        "the case study 'broken' (broken_of_theirs:Broken) cannot be imported (ModuleNotFoundError: No module named "
        f"'nothing_of_this_name' ({installed / 'broken_of_theirs.py'}, line 1)): mend the package that brings it, or "
        "remove it"
    )
    assert found["thing"] == "'thing' is no case study: derive it from devs_robotics.study.CaseStudy"
    assert found["wander (gathering_of_theirs:Gathering)"] == (
        "cannot be reached: what ships has the same name; give it another one"
    )


def test_a_case_that_a_package_brings_is_run_by_its_name(installed: Path, tmp_path: Path, capsys: Shown) -> None:
    assert main(["run", "gather", "--set", "gathering.robots=1", "--set", "run.duration=1"]) == 0
    assert capsys.readouterr().out.startswith("Gathering: 1 robot, seed 1, stage fast: 1.0 s simulated")
    mine = tmp_path / "mine.toml"
    mine.write_text('case = "gather"\nrun.duration = 1\n[gathering]\nrobots = 0\n')
    assert main(["check", str(mine)]) == 2
    assert capsys.readouterr().out == f"{mine}: gathering.robots: must be at least 1, not 0\n1 mistake\n"


@pytest.mark.usefixtures("installed")
def test_a_case_that_there_is_not_names_those_that_there_are(tmp_path: Path, capsys: Shown) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('case = "gathr"\n')
    assert main(["run", str(mine)]) == 2
    assert capsys.readouterr().err == (
        f"devs-robotics: {mine}: case: there is no case study 'gathr': did you mean 'gather'? One of your own is "
        'case = "module:Class", in a file beside the scenario\'s\n'
    )
    mine.write_text('case = "qqqq"\n')
    assert main(["run", str(mine)]) == 2
    known = ", ".join(sorted({*shipped_cases(), "broken", "gather", "thing"}))
    assert f"there is no case study 'qqqq': there is {known}; one of your own" in capsys.readouterr().err
