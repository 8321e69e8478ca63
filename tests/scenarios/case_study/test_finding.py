"""How a case study is found: in a file, beside a scenario, by module and class, and what is said where it is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy
import pytest

from devs_robotics.scenarios.case import case_of, shipped_cases
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load, shipped_scenarios
from devs_robotics.scenarios.settings.problems import ScenarioError
from tests.paths import ROOT
from tests.scenarios.case_study.files import modules_as_they_were, standing, written


@pytest.fixture(autouse=True)
def _own_modules() -> Iterator[None]:
    with modules_as_they_were():
        yield


def robots(name_or_path: object) -> int:
    """How many robots a case study has that does nothing else, when it has been run."""
    outcome = run(load(str(name_or_path)))
    assert isinstance(outcome, CaseOutcome)
    return len(outcome.tracks.poses)


def refusal(name_or_path: object) -> str:
    with pytest.raises(ScenarioError) as caught:
        load(str(name_or_path))
    return str(caught.value)


@pytest.mark.parametrize("case", ["found_one:Standing", "found_one"])
def test_a_case_is_found_beside_its_scenario(case: str, tmp_path: Path) -> None:
    written(tmp_path, found_one_py=standing(robots=3), mine_toml=f'case = "{case}"')
    scenario = load(str(tmp_path / "mine.toml"))
    assert scenario.case == "found_one:Standing"
    assert robots(tmp_path / "mine.toml") == 3


def test_a_python_file_with_one_case_is_its_defaults(tmp_path: Path) -> None:
    written(tmp_path, found_two_py=standing(robots=4))
    assert load(str(tmp_path / "found_two.py")).run.duration == 1.0
    assert robots(tmp_path / "found_two.py") == 4


def test_a_case_is_found_by_module_and_class_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, found_three_py=standing())
    monkeypatch.chdir(tmp_path)
    assert robots("found_three:Standing") == 2


def test_a_module_may_stand_in_a_package(tmp_path: Path) -> None:
    written(tmp_path, found_package__inside_py=standing(), mine_toml='case = "found_package.inside:Standing"')
    assert robots(tmp_path / "mine.toml") == 2


def test_a_relative_path_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, deep__found_four_py=standing(), deep__mine_toml='case = "found_four"')
    monkeypatch.chdir(tmp_path)
    assert robots("deep/mine.toml") == 2
    monkeypatch.chdir("deep")
    assert robots("mine.toml") == 2
    assert robots("found_four.py") == 2


def test_of_two_classes_in_a_file_one_is_named(tmp_path: Path) -> None:
    two = standing("First", 1) + standing("Second", 2)
    written(tmp_path, found_both_py=two, a_toml='case = "found_both"', b_toml='case = "found_both:Second"')
    sentence = 'found_both.py has several case studies (First, Second): name one, as case = "found_both:First"'
    assert refusal(tmp_path / "a.toml") == f"{tmp_path}/a.toml: case: {sentence}"
    assert refusal(tmp_path / "found_both.py") == f"{tmp_path}/found_both.py: {sentence}"
    assert robots(tmp_path / "b.toml") == 2


def test_a_class_that_a_module_only_imports_is_not_its_own(tmp_path: Path) -> None:
    derived = "from found_base import Standing\nclass More(Standing):\n    robots = 5\n"
    written(tmp_path, found_base_py=standing(), found_derived_py=derived)
    assert robots(tmp_path / "found_derived.py") == 5


BROKEN = "import no_such_module\n"


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        (
            "found_nowhere:Standing",
            "no module 'found_nowhere' can be imported: put found_nowhere.py beside the scenario's file, or its folder",
        ),
        ("found_here:Sitting", "the case study 'found_here:Sitting' is not there: found_here has no class 'Sitting'"),
        ("found_here:x", "'found_here:x' is no case study: derive it from devs_robotics.study.CaseStudy"),
        ("found_here:", "'found_here:' can name no case study: write case = \"module:Class\""),
        ("found_here:a b", "'found_here:a b' can name no case study: write case = \"module:Class\""),
        (
            "found_broken:Standing",
            "found_broken.py cannot be imported (ModuleNotFoundError: No module named 'no_such_module' ({folder}/",
        ),
        (
            "found_exits",
            "found_exits.py cannot be imported (SystemExit: 3 ({folder}/found_exits.py, line 1)): mend the module",
        ),
        ("found_empty", "found_empty.py has no case study: derive a class from devs_robotics.study.CaseStudy"),
        (
            "found_wrong",
            "Wrong.robots has no default: write robots: Count = ...",
        ),
    ],
)
def test_what_is_wrong_with_a_case_is_told_in_a_sentence(case: str, sentence: str, tmp_path: Path) -> None:
    wrong = "from devs_robotics.study import CaseStudy, Count\nclass Wrong(CaseStudy):\n    robots: Count\n"
    written(
        tmp_path,
        found_here_py=f"{standing()}\nx = 3\n",
        found_broken_py=BROKEN,
        found_exits_py="raise SystemExit(3)\n",
        found_empty_py="",
        found_wrong_py=wrong,
        mine_toml=f"case = '{case}'",
    )
    expected = sentence.format(folder=tmp_path)
    assert refusal(tmp_path / "mine.toml").startswith(f"{tmp_path}/mine.toml: case: {expected}")


def test_a_file_whose_name_is_no_modules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my-case.py"
    path.write_text(standing())
    assert (
        refusal(path) == f"{path}: {path} cannot be imported: give the file a name of letters, digits and underscores"
    )


def test_two_folders_may_have_modules_of_one_name(tmp_path: Path) -> None:
    """In one process, in any order; also packages and modules that the cases themselves import."""
    helped = "from found_helper import ROBOTS\nfrom found_tools.deep import MORE\n" + standing(robots=1).replace(
        "robots: Count = 1", "robots: Count = ROBOTS + MORE"
    )
    for name, count in (("a", 1), ("b", 4)):
        written(
            tmp_path / name,
            found_same_py=helped,
            found_helper_py=f"ROBOTS = {count}\n",
            found_tools__deep_py=f"MORE = {count}\n",
            mine_toml='case = "found_same"',
        )
    first, second = load(str(tmp_path / "a" / "mine.toml")), load(str(tmp_path / "b" / "mine.toml"))
    assert first.case == second.case == "found_same:Standing"
    counts = [len(case_of(scenario).plan(scenario).robots) for scenario in (first, second, first, second)]
    assert counts == [2, 8, 2, 8]
    assert [len(run(scenario).table("tracks").columns) for scenario in (first, second)] == [5, 5]
    assert robots(tmp_path / "a" / "mine.toml") == 2
    assert robots(tmp_path / "b" / "found_same.py") == 8
    assert robots(tmp_path / "a" / "found_same.py") == 2


NEIGHBOURS = {
    "by a dot": "from .found_neighbour import ROBOTS\n",
    "as it stands beside": "from found_neighbour import ROBOTS\n",
    "in both ways": "from . import found_neighbour\nfrom found_other import MORE\nROBOTS = found_neighbour.ROBOTS\n",
}


@pytest.mark.parametrize("imports", NEIGHBOURS.values(), ids=NEIGHBOURS)
@pytest.mark.parametrize("case", ["found_in_it", "found_in_it:Standing"])
def test_a_case_in_a_package_s_folder_finds_what_is_beside_it(case: str, imports: str, tmp_path: Path) -> None:
    text = imports + standing().replace("robots: Count = 2", "robots: Count = ROBOTS")
    folder = tmp_path / "found_around" / "found_package"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "__init__.py").touch()
    written(
        folder,
        found_in_it_py=text,
        found_neighbour_py="ROBOTS = 3\n",
        found_other_py="MORE = 1\n",
        mine_toml=f"case = '{case}'",
    )
    assert robots(folder / "mine.toml") == 3
    assert robots(folder / "found_in_it.py") == 3


def test_a_file_that_imports_by_a_dot_where_no_package_is_is_told_what_to_write(tmp_path: Path) -> None:
    text = "from . import found_neighbour\n" + standing()
    remedy = "write import NAME in place of from . import NAME"
    written(tmp_path, found_loose_py=text, found_neighbour_py="")
    told = refusal(tmp_path / "found_loose.py")
    assert told.endswith(f"found_loose.py imports what is beside it by a dot, which is no package: {remedy}")
    for name in ("my-package", "json"):
        written(tmp_path, **{f"{name}__found_loose_py": text})
        (tmp_path / name / "__init__.py").touch()
    told = refusal(tmp_path / "my-package" / "found_loose.py")
    assert told.endswith(f"imports what is beside it by a dot, and 'my-package' can name no package: {remedy}")
    told = refusal(tmp_path / "json" / "found_loose.py")
    assert told.endswith("json hides a module 'json' of Python: give the folder another name")


def test_no_module_of_pythons_makes_way_for_what_a_case_has_beside_it(tmp_path: Path) -> None:
    written(tmp_path, found_beside_py=standing(), json_py="raise SystemExit", numpy__inside_py="")
    assert robots(tmp_path / "found_beside.py") == 2
    assert sys.modules["json"] is json
    assert sys.modules["numpy"] is numpy


USERS = {
    "models____init___py": "",
    "models__robots_py": "ROBOTS = 3\n",
    "scenarios____init___py": "",
    "scenarios__words_py": "WORDS = 'of mine'\n",
    "experimental_frames_py": "raise SystemExit('frames of the user')\n",
    "hil_py": "raise SystemExit('hil of the user')\n",
    "found_own_py": "from models.robots import ROBOTS\nfrom scenarios.words import WORDS\n"
    + standing().replace("robots: Count = 2", "robots: Count = ROBOTS"),
    "mine_toml": 'case = "found_own"\n',
}


@pytest.mark.parametrize("stage", ["fast", "distributed"])
def test_a_folder_may_have_models_and_scenarios_of_its_own(stage: str, tmp_path: Path) -> None:
    written(tmp_path, **USERS)
    done = subprocess.run(
        [sys.executable, "-m", "devs_robotics", "run", tmp_path / "mine.toml", "--stage", stage],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Standing: 3 robots, seed 1, stage {stage}: 1.0 s simulated" in done.stdout


def test_what_ships_is_found_by_its_name_and_by_its_path_and_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load("wander").case == "wander"
    monkeypatch.chdir(ROOT)
    for path in ("scenarios/wander.toml", "devs_robotics/scenarios/wander.toml", shipped_scenarios()["wander"]):
        assert load(str(path)).case == "wander"
    assert "wander" not in sys.modules


def test_a_file_of_ones_own_may_be_called_as_one_that_ships(tmp_path: Path) -> None:
    written(tmp_path, wander_py=standing("Wander", 7), wander_toml='case = "wander"')
    assert load(str(tmp_path / "wander.toml")).case == "wander:Wander"
    assert robots(tmp_path / "wander.toml") == 7
    assert load("wander").case == "wander"


def test_only_cases_are_taken_for_cases(tmp_path: Path) -> None:
    """Not every module that there is: some do things when they are imported."""
    for name in ("__main__", "errors", "case_study", "commands"):
        written(tmp_path, mine_toml=f'case = "{name}"')
        there = ", ".join(shipped_cases())
        assert refusal(tmp_path / "mine.toml").startswith(
            f"{tmp_path}/mine.toml: case: there is no case study {name!r}: there is {there}; one of your own is "
        )
