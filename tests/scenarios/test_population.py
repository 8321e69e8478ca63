"""Cases with teams in arrays: the results of ordinary models, and runs that prove themselves by replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from devs_robotics import Actuator, Atomic, Crossed, DevsRoboticsError, Obstructed, Out, Sensor, Watch, Wheels
from devs_robotics.core.population import Population
from devs_robotics.core.testing.twins import prove_twin
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualProximityWatch
from devs_robotics.models.environment import WorldModel
from devs_robotics.models.swarm.following import FollowsOthers
from devs_robotics.models.swarm.walking import WalksAtRandom
from devs_robotics.scenarios.case_study.run import run as run_study
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.diffusion import Diffuse, Diffuses, Diffusion
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.wander import Wanders
from devs_robotics.study import CaseSystem, Robot
from tests.scenarios.case_runs import outcome_of, tables

SETTINGS = ("diffusion.robots=8", "diffusion.area_per_robot=0.06", "run.duration=15")
READINGS = st.lists(st.sampled_from((0.0, 200.0, 900.0, 4095.0)), min_size=8, max_size=8).map(tuple)


def test_the_twin_of_diffusion_is_proven() -> None:
    prove_twin(
        Diffuses,
        of=Diffuse,
        make=lambda robot, seed: Diffuse(f"diffuse{robot}", 0.05, 0.1),
        hears={"proximity": st.builds(Crossed, READINGS), "wheels": st.builds(Obstructed, st.booleans())},
        worlds=40,
    )


def test_results_in_arrays_are_those_of_ordinary_models() -> None:
    assert tables(outcome_of("diffusion", *SETTINGS, "run.population=arrays")) == tables(
        outcome_of("diffusion", *SETTINGS)
    )


def proven(robots: int) -> tuple[Any, list[str]]:
    told: list[str] = []
    scenario = load("diffusion", [*SETTINGS, "run.population=arrays"])
    return run(scenario, Means(), Hooks(prove=robots, tell=told.append)), told


def test_a_run_proves_some_of_its_robots_by_replay() -> None:
    outcome, told = proven(3)
    assert outcome.ended == "accepted"
    assert any(line.startswith("proven by replay: robots ") and " of 8 in arrays" in line for line in told), told


def test_a_run_whose_twin_decides_otherwise_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Diffuses.decide

    def wrong(twin: Any, readings: Any) -> Any:
        found = right(twin, readings)
        return np.where(found == "left", "right", found)

    monkeypatch.setattr(Diffuses, "decide", wrong)
    outcome, _ = proven(8)
    assert outcome.ended == "failed"
    assert "the proof by replay failed for robot" in outcome.reason
    assert "the traces differ at" in outcome.reason


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--prove", "2"], "--prove replays robots of a population, and there is none in this run: add --set run.pop"),
        (["--stage", "loop", "--lab", "inside", "--set", "run.population=arrays"], "and the stage is loop: take"),
        (["--stage", "distributed", "--set", "run.population=arrays"], "and the stage is distributed: take"),
    ],
)
def test_what_arrays_cannot_do_is_told(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "diffusion", *arguments]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("case", "sentence"),
    [("forage", "is of teams, and Foraging.build adds none"), ("convoy", "and a convoy has no twin")],
)
def test_cases_without_teams_are_told(case: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", case, "--set", "run.population=arrays"]) == 2
    assert sentence in capsys.readouterr().err


def test_a_convoy_on_a_grid_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "convoy", "--set", "sensing.strategy=grid"]) == 2
    assert 'sensing.strategy: is "grid", and robots of a convoy make motions' in capsys.readouterr().err


def test_auto_takes_models_where_arrays_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    auto = ["--set", "run.population=auto", "--set", "run.duration=1"]
    assert main(["run", "diffusion", "--stage", "loop", "--lab", "inside", *auto]) == 0
    assert "accepted" in capsys.readouterr().out


class Smell(WorldModel):
    """Answers robots one by one."""


class SmellyDiffusion(Diffusion):
    """Robots in a world that answers them."""

    def build(self, system: CaseSystem) -> None:
        super().build(system)
        system.add(Smell("smell"))


class Startle(Atomic):
    """Turns when something comes near, at that instant."""

    wheels = Actuator(Wheels, Obstructed)
    proximity = Sensor(Watch, Crossed)
    decided = Out(str)

    def initialize(self) -> None:
        self.activate("beginning")

    def lambdaf(self) -> None:
        if self.phase == "beginning":
            self.proximity.ask.add(Watch(levels=(1000.0,)))
        self.wheels.ask.add(Wheels(0.05, 0.05) if self.phase == "beginning" else Wheels(-0.02, 0.02))
        self.decided.add(self.phase)

    def deltext(self, e: float) -> None:
        if self.proximity.answer and any(max(each.values) > 0.0 for each in self.proximity.answer.values):
            self.activate("startled")
        else:
            self.continuef(e)


class Startles(Population, of=Startle):
    """The same in arrays."""

    def initialize(self, who: Any) -> None:
        self.activate(who, "beginning")

    def lambdaf(self, who: Any) -> None:
        begins = self.in_phase(who, "beginning")
        self.proximity.ask.send(who[begins], Watch(levels=(1000.0,)))
        self.wheels.ask.send(who[begins], Wheels(0.05, 0.05))
        self.wheels.ask.send(who[~begins], Wheels(-0.02, 0.02))
        self.decided.send(who[begins], "beginning")
        self.decided.send(who[~begins], "startled")

    def deltext(self, who: Any, e: Any) -> None:
        near = np.zeros(len(who), bool)
        for some, crossed in self.proximity.answer.each(who):
            near[np.searchsorted(who, some)] |= crossed.column("values").max(axis=1) > 0.0
        self.activate(who[near], "startled")
        self.continuef(who[~near], e[~near])


class StartledDiffusion(Diffusion):
    """Robots that watch at exact instants."""

    def put_together(self, robot: Robot) -> None:
        robot.equip(VirtualWheels("wheels", 0.05, 0.15))
        robot.equip(VirtualProximityWatch("proximity"))
        robot.decide(Startle("startle"))


@pytest.mark.parametrize("study", [SmellyDiffusion, StartledDiffusion])
def test_auto_does_not_err_where_arrays_are_refused(study: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devs_robotics.models.robots.team_system.ENOUGH", 5)
    its = study(robots=8, area_per_robot=0.06)
    outcomes = {each: run_study(its, duration=8.0, run={"population": each}) for each in ("models", "auto")}
    for outcome in outcomes.values():
        assert outcome.ended == "accepted", outcome.reason
    assert tables(outcomes["auto"]) == tables(outcomes["models"])


def test_the_same_is_refused_where_arrays_are_asked_for() -> None:
    with pytest.raises(DevsRoboticsError, match="smell answers robots one by one, and team1 is in arrays"):
        run_study(SmellyDiffusion(robots=8), run={"population": "arrays"})
    refused = run_study(StartledDiffusion(robots=8), duration=1.0, run={"population": "arrays"})
    assert refused.ended == "failed"
    assert "robot 1 watches proximity at exact instants, which arrays gain nothing of" in refused.reason


def test_a_run_in_arrays_can_be_reported_recorded_and_traced(tmp_path: Path) -> None:
    paths = [
        "--out",
        str(tmp_path / "out"),
        "--record",
        str(tmp_path / "run.jsonl"),
        "--trace",
        str(tmp_path / "t.txt"),
    ]
    arrays = ["--set", "run.population=arrays", "--set", "run.duration=2", "--set", "diffusion.robots=3"]
    assert main(["run", "diffusion", *arrays, *paths]) == 0
    assert (tmp_path / "out" / "report.html").exists()
    assert main(["view", str(tmp_path / "run.jsonl"), "--export", str(tmp_path / "run.html")]) == 0
    assert "team1/population" in (tmp_path / "t.txt").read_text()


def test_every_twin_is_of_a_model_and_has_its_functions() -> None:
    functions = ("initialize", "lambdaf", "deltint", "deltext", "deltcon")
    for twin in (Diffuses, WalksAtRandom, FollowsOthers, Wanders):
        assert issubclass(twin, Population)
        assert issubclass(twin.of, Atomic)
        for name in functions:
            assert (name in vars(twin)) == (name in vars(twin.of)), f"{twin.__name__}.{name}"
