"""Event traces: the same under xdevs' coordinator; the convoy's with and without a frame, and in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devs_robotics.scenarios.convoy.case import CASE
from devs_robotics.scenarios.convoy.runs import experiment, load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.setup.setup import set_up
from tests.scenarios.case_runs import model_of
from tests.scenarios.driven_system import DrivenSystem
from tests.tracing import Trace, trace_ours, trace_xdevs

UNTIL = 120.0


def scenario(*settings: str) -> ConvoyScenario:
    return load("convoy", ["convoy.robots=4", "run.rounds=100000", *settings])


NOISES = {"without noise": ("noise.dnf=0", "noise.anf=0"), "with much noise": ("noise.dnf=0.3", "noise.anf=0.15")}


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_every_model_runs_alike_under_xdevs_own_coordinator(noise: tuple[str, ...]) -> None:
    ours = trace_ours(experiment(set_up(scenario(*noise))), UNTIL)
    assert ours == trace_xdevs(experiment(set_up(scenario(*noise))), UNTIL)
    assert {path.split("/")[-1] for path in ours} >= {"convoy", "avoid", "motor", "infrared", "space", "formation"}
    assert sum(map(len, ours.values())) > 3000


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("wander", "wandering.robots=4"),
        ("forage", "foraging.items=6"),
        ("meet", "meeting.reach=2"),
        ("mixed_walk", "walk.real=2"),
    ],
)
def test_so_do_those_of_the_small_case_studies(name: str, setting: str) -> None:
    ours = trace_ours(model_of(name, setting), 30.0)
    assert ours == trace_xdevs(model_of(name, setting), 30.0)
    assert sum(map(len, ours.values())) > 1000


def test_avoid_takes_part_in_that_comparison() -> None:
    """A scripted leader that drives into a wall touches it with its whiskers."""
    crash = ("leader.path=[[0, 0.4]]", "field.width=12", "noise.dnf=0", "noise.anf=0")
    ours = trace_ours(experiment(set_up(scenario(*crash))), UNTIL)
    assert any("take over" in str(event) for event in ours["experiment/system/robot1/avoid"])
    assert ours == trace_xdevs(experiment(set_up(scenario(*crash))), UNTIL)


def of_the_system(trace: Trace) -> Trace:
    return {path.removeprefix("experiment/"): events for path, events in trace.items() if "/frame" not in path}


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES)
def test_observing_a_system_changes_none_of_its_events(noise: tuple[str, ...]) -> None:
    observed = of_the_system(trace_ours(experiment(set_up(scenario(*noise))), UNTIL))
    driven = of_the_system(trace_ours(DrivenSystem(scenario(*noise)), UNTIL))
    driven.pop("generator")
    assert observed == driven


def test_a_whole_frame_without_noise_changes_none_of_its_events() -> None:
    quiet = NOISES["without noise"]
    assert of_the_system(trace_ours(experiment(set_up(scenario(*quiet))), UNTIL)) == trace_ours(
        CASE.system(set_up(scenario(*quiet))), UNTIL
    )


def csv_bytes(folder: Path, hash_seed: str, *settings: str) -> dict[str, bytes]:
    environment: dict[str, Any] = {**os.environ, "PYTHONHASHSEED": hash_seed}
    arguments: list[Any] = ["--set", "convoy.robots=8", "--set", "run.rounds=40", *settings, "--out", folder]
    command = [sys.executable, "-m", "devs_robotics", "run", "convoy", *arguments]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return {name: (folder / name).read_bytes() for name in ("rounds.csv", "series.csv")}


def test_the_same_seed_gives_the_same_bytes_in_every_process_whatever_the_hash_seed(tmp_path: Path) -> None:
    first = csv_bytes(tmp_path / "a", "0")
    assert first == csv_bytes(tmp_path / "b", "4242")
    assert len(first["rounds.csv"].splitlines()) > 300
    other = csv_bytes(tmp_path / "c", "0", "--seed", "2")
    assert first["rounds.csv"] != other["rounds.csv"]
    assert first["series.csv"] != other["series.csv"]
