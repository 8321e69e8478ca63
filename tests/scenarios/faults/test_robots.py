"""A robot is lost in the middle of a run."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec import structs

from devs_robotics import Simulator
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.hil.lab.launch import LabProcess
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.setup import set_up
from tests.real_components import Mosquitto
from tests.scenarios.faults.cable import Cable
from tests.scenarios.faults.labs import BUSY, STOPPED_WITHIN, Labs, Truth, addressed, is_driven, pair

pytestmark = pytest.mark.wall_clock

EPUCKS = (
    "run.rounds=3",
    "convoy.robots=3",
    "convoy.distance=16 cm",
    "robot.radius=3.7 cm",
    "robot.speed=6 cm/s",
    "robot.whisker_reach=2 cm",
    "robot.back_off=2 cm",
    "infrared.range=25 cm",
    "leader.step=8 cm",
    "leader.clearance=25 cm",
    "follower.nearest=9 cm",
    "follower.farthest=25 cm",
    "follower.tolerance=2 cm",
    "follower.recovery_step=4 cm",
    "real.2.protocol=epuck-binary",
    "real.2.link_within=0.6 s",
    "real.3.protocol=epuck-binary",
)
"""A virtual leader and two e-pucks, the second of which sees the first one."""


def test_a_robot_whose_process_is_killed_ends_the_run_and_the_other_one_is_stopped(tmp_path: Path) -> None:
    scenario = pair("robot.speed=4 cm/s", "real.2.link_within=1 s")
    killed_at = 0.0
    with Mosquitto() as broker, Labs(scenario, broker.address, tmp_path).running() as labs:

        def kill(experiment: CaseExperiment, simulator: Simulator) -> None:
            nonlocal killed_at
            if not killed_at and labs.truths[1].moves():
                killed_at = time.time()
                labs.processes[2].kill()

        outcome = run(labs.scenario, Means(stage="loop", accept_risk=True), Hooks(report=kill))
        ended = time.time()
        moved = labs.truths[1]
        assert moved.moved_at(ended)
        assert moved.still_after(ended + BUSY, ended + 2.0 * STOPPED_WITHIN)
        where = f"robot 2 at {labs.address(2)}"
    assert outcome.ended == "broken off"
    assert outcome.reason.startswith(f"{where} was lost and did not come back within 1 s (the broker has lost it): ")
    assert killed_at < ended < killed_at + 2.0


def test_a_cable_that_is_pulled_ends_the_run_and_the_other_robot_is_stopped(tmp_path: Path) -> None:
    scenario = resolve(load("convoy_in_the_loop", EPUCKS))
    file = tmp_path / "truth.jsonl"
    plan = structs.replace(laboratory_plan(set_up(scenario, "loop"), "", 1.0, str(file)), tracking="")
    pulled_at = 0.0
    with LabProcess(plan) as lab, ExitStack() as stack:
        cables = {robot: stack.enter_context(Cable(address)) for robot, address in lab.addresses.items()}

        def pull(experiment: CaseExperiment, simulator: Simulator) -> None:
            nonlocal pulled_at
            if not pulled_at and is_driven(experiment, 3) and Truth(file, 3).moves():
                pulled_at = time.time()
                cables[2].pull()

        real = addressed(scenario, {robot: cable.address for robot, cable in cables.items()})
        outcome = run(real, Means(stage="loop", accept_risk=True), Hooks(report=pull))
        ended = time.time()
        moved = Truth(file, 3)
        assert moved.moved_at(ended)
        assert moved.still_after(ended + BUSY, ended + 2.0 * STOPPED_WITHIN)
    assert outcome.ended == "broken off"
    where = f"robot 2 at {cables[2].address}"
    assert outcome.reason.startswith(f"{where} was lost and did not come back within 0.6 s (")
    assert pulled_at < ended < pulled_at + 2.0


def test_a_second_robot_that_answers_on_the_same_topic_ends_the_run_and_both_are_stopped(tmp_path: Path) -> None:
    with Mosquitto() as broker, Labs(pair("robot.speed=4 cm/s"), broker.address, tmp_path).running() as labs:
        file = tmp_path / "second.jsonl"
        second = LabProcess(structs.replace(labs.processes[1].plan, truth=str(file)))

        def join(experiment: CaseExperiment, simulator: Simulator) -> None:
            if not second.addresses and labs.truths[1].moves():
                second.start()

        try:
            outcome = run(labs.scenario, Means(stage="loop", accept_risk=True), Hooks(report=join))
            ended = time.time()
            for robot in labs.truths[1], Truth(file, 1):
                assert robot.still_after(ended + BUSY, ended + STOPPED_WITHIN)
        finally:
            second.stop()
    assert outcome.ended == "broken off"
    assert outcome.reason.startswith(
        f"robot 1 at {labs.scenario.real['1'].address} is two robots that answer in turn: "
    )
