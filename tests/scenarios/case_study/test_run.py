"""Case studies from Python: in a script, a class that is defined anew, every stage, and what is said of mistakes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.errors import CaseError, OptionError
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run as run_scenario
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.wander import Wandering
from devs_robotics.study import CaseStudy, CaseSystem, Count, Length, SettingsTable, run
from tests.paths import ROOT
from tests.scenarios.case_study.files import modules_as_they_were, standing, written


class Spot(SettingsTable):
    x: Length = 1.0


class Standing(CaseStudy):
    robots: Count = 1
    spot: Spot = Spot()

    def build(self, system: CaseSystem) -> None:
        for number in range(self.robots):
            system.add_robot((self.spot.x + number, 2.0, 0.0))


@pytest.fixture(autouse=True)
def _own_modules() -> Iterator[None]:
    with modules_as_they_were():
        yield


def python(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_run_has_the_settings_of_the_case_study_and_those_that_are_given() -> None:
    outcome = run(Wandering(robots=3, step="20 cm"), duration="1 min", seed=7, noise={"dnf": 0.1})
    scenario: Any = outcome.scenario
    assert outcome.ended == "accepted"
    assert (scenario.wandering.robots, scenario.wandering.step, scenario.run.duration) == (3, 0.2, 60.0)
    assert (scenario.run.seed, scenario.noise.dnf, scenario.field.width) == (7, 0.1, 6.0)
    assert outcome.end_s == 60.0
    assert {row.robot for row in outcome.tracks.rows} == {1, 2, 3}
    assert run(Wandering(robots=1), title="mine", duration=1).scenario.title == "mine"


def test_what_is_run_from_python_is_what_a_file_runs() -> None:
    first = run(Wandering(robots=2), duration=30, field={"obstacles": []})
    second = run_scenario(load("wander", ["wandering.robots=2", "run.duration=30", "field.obstacles=[]"]))
    assert first.table("tracks").equals(second.table("tracks"))
    assert first.frames == second.frames


def test_the_same_seed_gives_the_same_run_and_another_one_another() -> None:
    tracks = [list(run(Wandering(robots=2), duration=20, seed=seed).tracks.rows) for seed in (1, 1, 2)]
    assert tracks[0] == tracks[1] != tracks[2]


@pytest.mark.parametrize(
    ("stage", "means"),
    [
        ("loop", Means(lab="inside")),
        ("real", Means(lab="inside")),
        ("realtime", Means(rate=200.0)),
        ("distributed", Means(rate=20.0)),
    ],
)
def test_the_stages_are_those_of_the_command(stage: Any, means: Means) -> None:
    outcome = run(Wandering(robots=2), stage, duration=2.0, means=means)
    assert (outcome.ended, outcome.stage) == ("accepted", stage)


def test_robots_that_are_real_may_be_given_by_their_numbers() -> None:
    outcome = run(Wandering(robots=3), "loop", duration=2.0, real={1: {}, 3: {}}, means=Means(lab="inside"))
    assert set(outcome.robots) == {1, 3}


def test_tables_of_the_case_studys_own_are_in_the_run() -> None:
    assert run(Standing(spot={"x": 3.0})).tracks.poses == ((3.0, 2.0, 0.0),)
    assert run(Standing(robots=2)).tracks.poses == ((1.0, 2.0, 0.0), (2.0, 2.0, 0.0))


def test_a_class_may_be_defined_in_a_function_and_anew() -> None:
    """As in a notebook, where a cell is run again with another body."""

    def cell(x: float) -> type[CaseStudy]:
        class Parked(CaseStudy):
            robots: Count = 1

            def build(self, system: CaseSystem) -> None:
                system.add_robot((x, 2.0, 0.0))

        return Parked

    first, second = run(cell(2.0)()), run(cell(4.0)())
    assert first.scenario.case == second.scenario.case
    assert (first.tracks.poses[0][0], second.tracks.poses[0][0]) == (2.0, 4.0)
    plans = [case_of(outcome.scenario).plan(outcome.scenario) for outcome in (first, second)]
    assert [plan.robots[0].pose[0] for plan in plans] == [2.0, 4.0]  # the older outcome keeps its class
    assert pickle.loads(pickle.dumps(second)) == second


def test_a_file_of_the_same_name_is_not_taken_for_an_object_that_was_given(tmp_path: Path) -> None:
    written(tmp_path / "a", given_case_py=standing(robots=1), mine_toml='case = "given_case"')
    written(tmp_path / "b", given_case_py=standing(robots=2), mine_toml='case = "given_case"')
    first = load(str(tmp_path / "a" / "mine.toml"))
    assert len(run(case_of(first).study()).tracks.poses) == 1  # type: ignore[attr-defined]
    second = load(str(tmp_path / "b" / "mine.toml"))
    assert len(case_of(second).plan(second).robots) == 2
    assert pickle.loads(pickle.dumps(second)) == second


SCRIPT = """
from __future__ import annotations
from devs_robotics.study import CaseStudy, Count, Length, run
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run as run_scenario

class Parked(CaseStudy):
    \"\"\"A robot stands still.\"\"\"
    robots: Count = 1
    x: Length = 2.0

    def build(self, system):
        for number in range(self.robots):
            system.add_robot((self.x + number, 2.0, 0.0))

for stage, means in (("fast", None), ("loop", Means(lab="inside")), ("realtime", Means(rate=100.0))):
    outcome = run(Parked(robots=2, x="3 m"), stage, duration=1, means=means)
    print(outcome.scenario.case, outcome.stage, outcome.ended, outcome.tracks.poses[1])
run(Parked(), "distributed", duration=1)
"""


def test_a_script_runs_its_own_class_and_nodes_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    for command in (["script.py"], ["-c", SCRIPT]):
        done = python(*command, cwd=tmp_path)
        assert done.stdout.splitlines() == [
            f"__main__:Parked {stage} accepted (4.0, 2.0, 0.0)" for stage in ("fast", "loop", "realtime")
        ]
        assert done.stderr.splitlines()[-1] == (
            "devs_robotics.scenarios.errors.CaseError: Parked is known to this process only, and nodes are others: put "
            "it at the top of a module of its own, and import it from there"
        )


def test_a_script_runs_in_the_loop_with_a_laboratory_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(
        SCRIPT.replace('Means(lab="inside")', "None").replace("duration=1,", "duration=0.5,")
    )
    done = python("script.py", cwd=tmp_path)
    assert "__main__:Parked loop accepted" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("study", "given", "kind", "sentence"),
    [
        (Wandering, {}, CaseError, "run takes a case study, as run(Wandering(robots=3)), not <class '"),
        (3, {}, CaseError, "run takes a case study, as run(Wandering(robots=3)), not 3"),
        (
            Wandering(),
            {"duration": "2 kg"},
            ScenarioError,
            "Wandering: run.duration: '2 kg' has the wrong unit: write it in s or the like, as in '2 min'",
        ),
        (Wandering(), {"duration": 0}, ScenarioError, "Wandering: run.duration: must be more than 0, not 0"),
        (Wandering(), {"seed": -1}, ScenarioError, "Wandering: run.seed: must be at least 0, not -1"),
        (Wandering(), {"stage": "later"}, OptionError, "there is no stage 'later': there are fast, realtime, "),
        (
            Wandering(),
            {"feild": {"width": 3}},
            ScenarioError,
            "Wandering: feild: there is no such key: did you mean 'field'?",
        ),
        (
            Wandering(),
            {"field": {"widht": 3}},
            ScenarioError,
            "Wandering: field.widht: there is no such key: did you mean 'field.width'?",
        ),
        (Wandering(), {"field": 3}, ScenarioError, "Wandering: field: must be a table, not 3"),
        (Wandering(), {"run": 3, "seed": 1}, ScenarioError, "Wandering: run: must be a table, not 3"),
        (
            Wandering(),
            {"wandering": {"robots": 2}},
            CaseError,
            "run: wandering is given by the case study: write its settings as Wandering(...)",
        ),
        (
            Standing(),
            {"spot": {"x": 2}},
            CaseError,
            "run: spot is given by the case study: write its settings as Standing(...)",
        ),
        (
            Wandering(step=0.6),
            {},
            ScenarioError,
            "Wandering: wandering.step: robots see 1 m far, and go half of what is free: take 0.35 m at most",
        ),
        (
            Wandering(),
            {"means": Means(lab="inside")},
            OptionError,
            "--lab has no effect in the stage fast: leave it out, or run in loop or real",
        ),
    ],
)
def test_a_mistake_is_told_in_a_sentence(
    study: Any, given: dict[str, Any], kind: type[DevsRoboticsError], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        run(study, **given)
    assert str(caught.value).startswith(sentence)
