"""What makes a run or a study pointless is told in one sentence before anything is started for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.core.observe import Recorder
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.comparison.study import RUNS, SUMMARY
from devs_robotics.scenarios.convoy.runs import experiment, load, run
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.distributed.node import address_of
from devs_robotics.scenarios.distributed.nodes import NodesWanted
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.running.trace_patterns import check_patterns
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import STAGES, USED_IN, Stage

LOOP = "convoy_in_the_loop"
GIVEN = {
    "rate": ["--rate", "4"],
    "nodes": ["--nodes", "2"],
    "await": ["--await", "2"],
    "broker": ["--broker", "127.0.0.1:9"],
    "certificate": ["--certificate", "some.json"],
    "accept-risk": ["--accept-risk"],
    "lab": ["--lab", "inside"],
    "pace": ["--pace", "2"],
}


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command says that ends with status 2, in one line and without any other output."""
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("devs-robotics: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("devs-robotics: ").rstrip()


@pytest.mark.parametrize(
    ("option", "stage"),
    [(option, stage) for option, used_in in USED_IN.items() for stage in STAGES if stage not in used_in],
)
def test_an_option_that_has_no_effect_in_the_stage_is_refused(
    option: str, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    assert GIVEN.keys() == USED_IN.keys()
    said = refused(capsys, "run", LOOP, "--stage", stage, *GIVEN[option])
    assert said.startswith(f"--{option} has no effect in the stage {stage}: leave it out, or run in ")
    *others, last = USED_IN[option]
    assert re.findall(r"\w+", said.partition(" run in ")[2]) == [*others, *(["or"] if others else []), last]


def test_a_study_refuses_what_has_no_effect_in_any_of_its_stages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["study", LOOP, "--out", str(tmp_path / "out"), "--stages", "fast,realtime", "--broker", "127.0.0.1"]
    said = refused(capsys, *arguments)
    assert said.startswith("--broker has no effect in the stages fast, realtime: leave it out, or run in distributed")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", [RUNS, SUMMARY])
def test_a_study_does_not_mix_its_results_with_others(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir()
    said = refused(capsys, "study", "convoy", "--stages", "fast", "--seeds", "1", "--out", str(tmp_path))
    assert said == f"--out: {tmp_path / name} is of something else: choose another folder, or empty this one"


NOWHERE = 'real.2.address="local:json:Nope"'
A_CABLE = 'real={2={protocol="epuck-ascii", infrared="virtual"}}'


@pytest.mark.parametrize(
    ("settings", "stage", "wanted", "pattern", "sentence"),
    [
        ((), "distributed", NodesWanted(9), "", "--nodes 9: only 4 robots are to be shared out: take fewer nodes"),
        ((), "loop", NodesWanted(awaited=(9,)), "", "--await 9: the scenario has 4 robots: give some of these numbers"),
        ((NOWHERE,), "loop", None, "", "the robot 'json:Nope' is not there: json has no class 'Nope'"),
        ((NOWHERE,), "real", NodesWanted(2), "", "the robot 'json:Nope' is not there: json has no class 'Nope'"),
        (
            (A_CABLE,),
            "loop",
            NodesWanted(awaited=(2,)),
            "",
            "--await 2: robot 2 has no address, and its stand-in, which speaks epuck-ascii, can be reached on this c",
        ),
        (
            (),
            "distributed",
            NodesWanted(awaited=(2, 3)),
            "robot2/motor",
            "--trace-ports 'robot2/motor' means only models of robot 2, which run at nodes, and a trace shows what r",
        ),
        ((), "loop", None, "robot9", "no model or port fits the pattern 'robot9': there is "),
    ],
)
def test_a_run_that_cannot_be_is_told_before_a_broker_or_a_stand_in_starts(
    settings: tuple[str, ...], stage: Stage, wanted: NodesWanted | None, pattern: str, sentence: str
) -> None:
    told: list[str] = []
    observers = [(Recorder(), [pattern])] if pattern else []
    with pytest.raises(DevsRoboticsError) as caught:
        run(
            load(LOOP, settings),
            Means(stage=stage, nodes=wanted, accept_risk=True),
            Hooks(observers=observers, tell=told.append),
        )
    assert str(caught.value).startswith(sentence)
    assert told == []


def loop(*settings: str) -> ConvoyScenario:
    return resolve(load(LOOP, settings))


def test_the_class_of_an_awaited_robot_need_not_be_at_the_host() -> None:
    robots = RealRobots(set_up(loop(NOWHERE), "loop"), awaited=(2,))
    assert robots.addresses == {}


def test_a_pattern_that_means_robots_here_too_is_no_mistake() -> None:
    check_patterns(experiment(set_up(loop())), ["robot*/motor", "environment", "robot1/motor.ask"], (2, 3))


def test_only_a_node_at_the_host_goes_to_a_stand_in_that_is_not_at_the_broker() -> None:
    cable = "serial:///dev/pts/7"
    assert str(address_of(2, loop(), 1.0, cable, "mqtt://c", at_host=True)) == f"{cable}?baud=115200"
    with pytest.raises(DevsRoboticsError, match=rf"robot 2 has no address here.*\({cable}\?.*give real\.2\.address"):
        address_of(2, loop(), 1.0, cable, "mqtt://c", at_host=False)
    assert str(address_of(2, loop(), 1.0, "mqtt://host/lab/2", "mqtt://c", at_host=False)) == "mqtt://c:1883/lab/2"
