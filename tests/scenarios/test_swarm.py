"""The case swarm: its twins are proven, and its results are the same in arrays."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from devs_robotics import Crossed, Obstructed
from devs_robotics.core.population import Draw
from devs_robotics.core.testing.twins import prove_twin
from devs_robotics.models.swarm import following, walking
from devs_robotics.models.swarm.following import FollowOthers, FollowsOthers
from devs_robotics.models.swarm.walking import WalkAtRandom, WalksAtRandom
from devs_robotics.scenarios.case_study import harness
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.swarm import Swarm
from devs_robotics.study import Robot
from tests.scenarios.case_runs import outcome_of, tables, tables_of_another_process

SMALL = ("swarm.robots=8", "swarm.area_per_robot=0.06", "run.duration=15")


def readings(*values: float) -> Any:
    """Readings on both sides of thresholds."""
    eight = st.lists(st.sampled_from((0.0, *values)), min_size=8, max_size=8).map(tuple)
    return st.builds(Crossed, eight)


def walk(robot: int, seed: int) -> WalkAtRandom:
    return WalkAtRandom(f"walk{robot}", 0.05, 0.053, 0.1, Draw(seed, robot, "length"), Draw(seed, robot, "angle"))


def follow(robot: int, seed: int) -> FollowOthers:
    return FollowOthers(f"follow{robot}", 0.05, 0.1, Draw(seed, robot, "follow"))


WALK: dict[str, Any] = {
    "of": WalkAtRandom,
    "make": walk,
    "hears": {"proximity": readings(1000.0, 1001.0), "wheels": st.builds(Obstructed, st.booleans())},
}
FOLLOW: dict[str, Any] = {"of": FollowOthers, "make": follow, "hears": {"proximity": readings(1.0, 2500.0, 2501.0)}}


def test_the_twins_are_proven() -> None:
    prove_twin(WalksAtRandom, worlds=25, **WALK)
    prove_twin(FollowsOthers, worlds=40, **FOLLOW)


@pytest.mark.parametrize(
    ("twin", "module", "threshold", "proof"),
    [(WalksAtRandom, walking, "NEAR", WALK), (FollowsOthers, following, "CLOSE", FOLLOW)],
)
def test_a_threshold_that_is_off_by_one_is_found(
    twin: Any, module: Any, threshold: str, proof: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    function = "deltext" if twin is WalksAtRandom else "_see"
    right, value = getattr(twin, function), getattr(module, threshold)

    def wrong(*arguments: Any) -> Any:
        setattr(module, threshold, value + 1.0)
        try:
            return right(*arguments)
        finally:
            setattr(module, threshold, value)

    monkeypatch.setattr(twin, function, wrong)
    with pytest.raises(AssertionError, match=f"{twin.__name__} is no twin of"):
        prove_twin(twin, worlds=60, shrunk=False, **proof)


def test_a_watch_with_another_period_than_the_grid_is_told() -> None:
    with pytest.raises(AssertionError, match=r"set sensing\.grid to that, or take another sensing\.strategy"):
        outcome_of("swarm", *SMALL, "swarm.period=0.2")
    assert outcome_of("swarm", *SMALL, "swarm.period=0.2", "sensing.grid=0.2").frames


@pytest.mark.parametrize("behaviour", ["walk", "follow"])
def test_results_in_arrays_are_those_of_ordinary_models(behaviour: str) -> None:
    models = tables(outcome_of("swarm", *SMALL, f"swarm.behaviour={behaviour}"))
    assert models == tables(outcome_of("swarm", *SMALL, f"swarm.behaviour={behaviour}", "run.population=arrays"))


def test_robots_of_which_one_stands_for_all_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    right = Swarm.put_together

    def counted(study: Swarm, robot: Robot) -> None:
        made.append(robot.number)
        right(study, robot)

    monkeypatch.setattr(Swarm, "put_together", counted)
    models = outcome_of("swarm", *SMALL)
    assert 8 in made
    made.clear()
    monkeypatch.setattr(harness, "MANY", 8)
    arrays = outcome_of("swarm", *SMALL, "run.population=arrays")
    assert set(made) == {1}
    assert (models.ended, arrays.ended) == ("accepted", "accepted"), arrays.reason
    assert tables(models) == tables(arrays)


def test_two_runs_give_the_same_and_another_seed_does_not() -> None:
    one = tables(outcome_of("swarm", *SMALL))
    assert one == tables_of_another_process("swarm", *SMALL)
    assert one != tables(outcome_of("swarm", *SMALL, "run.seed=2"))


def test_a_run_proves_itself(capsys: pytest.CaptureFixture[str]) -> None:
    settings = [part for each in SMALL for part in ("--set", each)]
    assert main(["run", "swarm", *settings, "--set", "run.population=arrays", "--prove", "4"]) == 0
    assert "of 8 in arrays" in "".join(capsys.readouterr())


def test_on_a_grid_arrays_are_taken_from_fewer_robots_on(capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["--set", "run.population=auto", "--set", "run.duration=1", "--prove", "1"]
    assert main(["run", "swarm", "--set", "swarm.robots=160", *settings]) == 0
    assert "of 160 in arrays" in "".join(capsys.readouterr())
    assert main(["run", "swarm", "--set", "swarm.robots=20", *settings]) == 2
    assert "--prove replays robots of a population, and there is none" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--stage", "loop", "--lab", "inside"],
            'sensing.strategy = "grid" is of simulations in one process, and the',
        ),
        (["--set", "swarm.speed=0"], "must be more than 0: robots would stand still"),
        (["--set", "swarm.period=0"], "must be more than 0: sensors would be read without end"),
    ],
)
def test_what_cannot_be_is_told(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "swarm", *arguments]) == 2
    assert sentence in capsys.readouterr().err
