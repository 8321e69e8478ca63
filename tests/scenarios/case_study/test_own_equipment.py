"""Real equipment of anybody's: a case of one file outside of the project, with a gripper, through the stages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from devs_robotics.hil.broker import EmbeddedBroker
from tests.scenarios.case_study.gripping import CASE, SCENARIO, write_case
from tests.scenarios.case_study.robot_program import RobotProgram
from tests.scenarios.commands.calling import called, refused
from tests.scenarios.commands.test_cli import cli

SHORT = ["--set", "run.duration=3 s"]
LONGER = ["--set", "run.duration=8 s"]
"""On the wall clock, where the computer may be busy."""


def ran(path: Path, *options: str, do: Callable[..., CompletedProcess[str]] = called) -> str:
    """What is shown of a run that was accepted."""
    result = do("run", path, *SHORT, *options)
    assert (result.returncode, "accepted" in result.stdout) == (0, True), result.stdout + result.stderr
    return result.stdout


def counted(shown: str) -> tuple[float, float]:
    """How often robot 2 held something, and the largest force."""
    times, largest = (
        float(shown.partition(title)[2].split(maxsplit=1)[0])
        for title in ("times that something was held", "largest force")
    )
    return times, largest


def test_in_the_stage_fast_the_gripper_is_a_model(tmp_path: Path) -> None:
    path = write_case(tmp_path)
    assert counted(ran(path)) == counted(ran(path, do=cli)) == (6.0, 0.0)


def test_in_the_loop_it_is_real_where_that_is_said_and_runs_inside_alike(tmp_path: Path) -> None:
    path = write_case(tmp_path)
    times, largest = counted(ran(path, "--stage", "loop", "--lab", "inside"))
    assert times > 3
    assert 200.0 < largest < 202.0
    assert counted(ran(path, "--stage", "loop", "--lab", "inside")) == (times, largest)
    virtual = ran(path, "--stage", "loop", "--lab", "inside", "--set", "real.2.equipment.gripper=virtual")
    assert counted(virtual)[1] == 0.0
    assert "gripper real" not in virtual


def test_in_the_stage_real_all_equipment_is(tmp_path: Path) -> None:
    shown = ran(write_case(tmp_path), "--stage", "real", "--lab", "inside")
    assert shown.count("gripper real") == 2
    assert 200.0 < counted(shown)[1] < 202.0


@pytest.mark.wall_clock
def test_the_laboratory_s_process_finds_what_plays_it_beside_the_case(tmp_path: Path) -> None:
    times, largest = counted(ran(write_case(tmp_path), "--stage", "loop", *LONGER, do=cli))
    assert times >= 2
    assert 200.0 < largest < 202.0


@pytest.mark.wall_clock
def test_a_robot_s_program_by_hand_has_a_gripper(tmp_path: Path) -> None:
    path = write_case(tmp_path)
    with EmbeddedBroker() as broker, RobotProgram(broker.address) as robot:
        how = ["--stage", "loop", *LONGER, "--set", f"real.2.address={robot.address}", "--accept-risk"]
        first, again = ran(path, *how), ran(path, *how)
    for each in (first, again):
        times, largest = counted(each)
        assert times >= 2
        assert largest == 7.5
    assert len(robot.gripped) >= counted(first)[0] + counted(again)[0]
    assert robot.gripped[:4] == [True, False, True, False]


@pytest.mark.wall_clock
def test_a_robot_s_program_without_a_gripper_is_told_of(tmp_path: Path) -> None:
    path = write_case(tmp_path)
    with EmbeddedBroker() as broker, RobotProgram(broker.address, knows_ask=False) as robot:
        result = called("run", path, "--stage", "loop", "--set", f"real.2.address={robot.address}", "--accept-risk")
    assert result.returncode == 3
    assert (
        "does not know the message `ask`, and its gripper is to be real: teach its program the messages ask"
        in result.stdout
    )


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        (
            "real.2.equipment.griper=real",
            "griper: the robot has no equipment of its own that is called 'griper': did you mean 'gripper'?",
        ),
        (
            "real.2.equipment.smell=virtual",
            "smell: the robot has no equipment of its own that is called 'smell': it has gripper: remove it",
        ),
        (
            "real.2.protocol=epuck-ascii",
            "real.2.equipment.gripper: a robot that speaks epuck-ascii has no gripper: make it 'virtual'",
        ),
    ],
)
def test_what_the_robot_has_not_is_a_mistake(tmp_path: Path, setting: str, sentence: str) -> None:
    result = called("check", write_case(tmp_path), "--set", setting)
    assert result.returncode == 2
    assert sentence in result.stdout


def test_a_case_without_equipment_says_so() -> None:
    result = called("check", "convoy", "--set", "real.2.equipment.gripper=real")
    assert "the robot has no equipment of its own that is called 'gripper': it has none: remove it" in result.stdout


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("close: bool\n", "close: dict\n", "Grip.close is neither a truth value, a number, a text nor a tuple of"),
        (
            "    hand = Service(Grip, Gripped)\n    world",
            "    hand = Service(Grip, Gripped)\n    foot = Service(Grip, Gripped)\n    world",
            "must declare one Service and has hand, foot",
        ),
    ],
)
def test_what_cannot_be_carried_cannot_be_real(tmp_path: Path, before: str, after: str, sentence: str) -> None:
    assert before in CASE
    result = called("check", write_case(tmp_path, case=CASE.replace(before, after)))
    assert result.returncode == 2
    assert sentence in result.stdout + result.stderr


def test_in_the_stage_real_a_robot_whose_protocol_carries_none_is_refused(tmp_path: Path) -> None:
    path = write_case(tmp_path, SCENARIO.replace('equipment = { gripper = "real" }', 'protocol = "epuck-ascii"'))
    said = refused("run", path, "--stage", "real")
    assert "robot2 is real in this stage, and its gripper is a model: run in the stage loop, where" in said


@pytest.mark.parametrize(("stage", "robot"), [("loop", 2), ("real", 1)])
def test_what_no_stand_in_can_play_is_said_before_the_run_begins(tmp_path: Path, stage: str, robot: int) -> None:
    path = write_case(tmp_path, case=CASE.replace('{"gripper": "hands:PlayedGripper"}', "{}"))
    assert (
        f"no stand-in can play the gripper of robot {robot}, which is to be real: write stand_ins = "
        f'{{"gripper": "module:Class"}} into the case study (docs/add-a-robot.md), or give real.{robot}.address'
        in refused("run", path, "--stage", stage, "--lab", "inside")
    )


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        ("hands:Nobody", "the stand-in 'hands:Nobody' is not there: hands has no class 'Nobody'"),
        ("hands:BrokenGripper", "the stand-in hands:BrokenGripper failed for robot 2 (OSError: no fingers ("),
    ],
)
def test_a_player_that_fails_is_told_of(tmp_path: Path, player: str, sentence: str) -> None:
    path = write_case(tmp_path, case=CASE.replace("hands:PlayedGripper", player))
    result = called("run", path, *SHORT, "--stage", "loop", "--lab", "inside")
    assert result.returncode == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.wall_clock
def test_a_player_that_fails_in_the_laboratory_s_process_ends_the_run_with_its_sentence(tmp_path: Path) -> None:
    path = write_case(tmp_path, case=CASE.replace("hands:PlayedGripper", "hands:BrokenGripper"))
    result = cli("run", path, "--stage", "loop", "--set", "real.2.link_within=1 s")
    assert result.returncode == 3
    said = (
        "the laboratory has ended by itself: the stand-in hands:BrokenGripper failed for robot 2 (OSError: no fingers ("
    )
    assert f"broken off: {said}" in result.stdout


def test_an_answer_of_another_type_ends_the_run_in_a_sentence(tmp_path: Path) -> None:
    path = write_case(tmp_path, case=CASE.replace("hands:PlayedGripper", "hands:WrongGripper"))
    result = called("run", path, *SHORT, "--stage", "loop", "--lab", "inside")
    assert result.returncode == 3
    assert (
        "its gripper was asked 3 times (what came last was dropped: no valid Gripped of its gripper: Expected"
        in result.stdout
    )
