"""Replicates in one set of arrays: the rows of single runs, and what cannot be together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from devs_robotics import DevsRoboticsError, Simulator
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.diffusion import Diffusion
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.sweeps import together
from devs_robotics.scenarios.sweeps.design import Wishes, plan
from devs_robotics.scenarios.sweeps.runs import Job, RunRow, carry_out, job
from devs_robotics.scenarios.sweeps.together import carry_out_together
from devs_robotics.study import Robot

GRID = 'sensing.strategy="grid"'


def jobs(case: str, replicates: int, *settings: str) -> list[Job]:
    """Replicates of a case."""
    size = (f"{case}.robots=6", f"{case}.area_per_robot=0.05", "run.duration=12")
    sweep = plan(case, (GRID, *size, *settings), Wishes(replicates=replicates, first_seed=3))
    return [job(sweep, number) for number in range(replicates)]


def told(row: bytes | None) -> dict[str, Any]:
    """What a row says, but for what it has cost."""
    assert row is not None
    found: dict[str, Any] = msgspec.to_builtins(msgspec.json.decode(row, type=RunRow))
    return {**found, "metrics": {key: value for key, value in found["metrics"].items() if key not in COSTS}}


COSTS = ("cpu_s", "transitions")


@pytest.mark.parametrize(
    ("case", "settings"),
    [
        ("diffusion", ()),
        ("swarm", ()),
        ("swarm", ("run.duration=11.987",)),
        ("swarm", ('swarm.behaviour="follow"',)),
    ],
)
def test_rows_are_those_of_single_runs(case: str, settings: tuple[str, ...]) -> None:
    its = jobs(case, 4, *settings)
    rows = [told(row) for row in carry_out_together(its)]
    assert rows == [told(carry_out(each)) for each in its]
    assert len({str(row["metrics"]) for row in rows}) == 4
    assert {row["ended"] for row in rows} == {"accepted"}


def test_they_are_together_indeed(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(job: Job, interrupted: Any) -> None:
        raise AssertionError("it was done by itself")

    monkeypatch.setattr(together, "carry_out", never)
    assert len(carry_out_together(jobs("diffusion", 3))) == 3


def test_one_robot_of_each_replicate_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    right = Diffusion.put_together

    def counted(study: Diffusion, robot: Robot) -> None:
        made.append(robot.number)
        right(study, robot)

    monkeypatch.setattr(Diffusion, "put_together", counted)
    its = jobs("diffusion", 3)
    made.clear()
    assert len(carry_out_together(its)) == 3
    assert made == [1] * 6, "one for the plan of each, and one for its run"


def test_where_they_fail_each_fails_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    right, runs = Simulator.run, []

    def wrong(simulator: Simulator, *arguments: Any, **options: Any) -> None:
        runs.append(simulator.model.name)
        if simulator.model.name == "replicates":
            raise DevsRoboticsError("something is wrong")
        right(simulator, *arguments, **options)

    monkeypatch.setattr(Simulator, "run", wrong)
    its = jobs("diffusion", 2)
    assert [told(row)["ended"] for row in carry_out_together(its)] == ["accepted", "accepted"]
    assert "replicates" in runs


def test_no_row_comes_where_they_are_interrupted() -> None:
    assert carry_out_together(jobs("diffusion", 2), lambda: True) == []


def test_they_end_soon_where_steps_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    right, steps, now = Simulator.run, [], 0.0

    def slow(simulator: Simulator, *arguments: Any, max_steps: int, **options: Any) -> None:
        nonlocal now
        before = simulator.steps
        right(simulator, *arguments, max_steps=max_steps, **options)
        steps.append(simulator.steps - before)
        now += 0.05 * steps[-1]

    monkeypatch.setattr(Simulator, "run", slow)
    monkeypatch.setattr("devs_robotics.scenarios.sweeps.together.time.monotonic", lambda: now)
    assert carry_out_together(jobs("diffusion", 2), lambda: len(steps) > 20) == []
    assert len(steps) == 21
    assert max(steps) * 0.05 <= together.LOOKS


def test_they_are_interrupted_while_they_are_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []

    def counted(scenario: Any, *more: Any) -> Any:
        made.append(scenario)
        return set_up(scenario, *more)

    monkeypatch.setattr("devs_robotics.scenarios.sweeps.together.set_up", counted)
    assert carry_out_together(jobs("diffusion", 5), lambda: len(made) == 2) == []
    assert len(made) == 2


def test_replicates_of_cases_that_cannot_be_together_fail_each_for_itself() -> None:
    sweep = plan("wander", ("run.duration=2", "field.obstacles=[]", GRID), Wishes(replicates=2, first_seed=1))
    rows = [told(row) for row in carry_out_together([job(sweep, number) for number in range(2)])]
    assert [row["ended"] for row in rows] == ["failed", "failed"]
    assert all("all equipment is of robots' own: leave out --batch" in row["reason"] for row in rows)


def test_a_sweep_has_the_same_table_with_and_without(tmp_path: Path) -> None:
    tables = []
    for name, further in (("one", ["--batch"]), ("other", [])):
        out = tmp_path / name
        command = ["sweep", "swarm", "--set", "swarm.robots=3", "--vary", "run.duration=2,3", "--replicates", "2"]
        assert main([*command, "--jobs", "1", "--out", str(out), *further]) == 0
        rows = [line.split(",") for line in (out / "runs.csv").read_text().splitlines()]
        costs = [rows[0].index(name) for name in COSTS]
        tables.append([[cell for place, cell in enumerate(row) if place not in costs] for row in rows])
    assert tables[0] == tables[1]
    assert len(tables[0]) == 5


def test_another_strategy_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "diffusion", "--replicates", "2", "--batch", "--out", str(tmp_path / "out")]) == 2
    assert 'add --set sensing.strategy="grid", or leave out --batch' in capsys.readouterr().err
