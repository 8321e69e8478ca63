"""The laboratory of a scenario: where its robots listen, and what they see with."""

from __future__ import annotations

import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.hil.lab.plan import LabPlan
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.setup import set_up

SETTINGS = ["real.2.protocol=epuck2-wifi", "real.3.protocol=epuck-ascii", "real.4.protocol=json"]


def plan(*settings: str, listen: dict[int, str] | None = None) -> LabPlan:
    scenario = resolve(load("convoy", [*SETTINGS, *settings]))
    return laboratory_plan(set_up(scenario, "loop"), "mqtt://here", 1.0, listen=listen)


def test_robots_listen_where_they_are_told_and_others_where_the_laboratory_chooses() -> None:
    two, three, four = plan(listen={3: "serial:///tmp/epuck3"}).robots
    assert (two.address, three.address) == ("", "serial:///tmp/epuck3")
    assert four.address.startswith("mqtt://here/lab-")
    assert four.address.endswith("/robot/4")


def test_stand_ins_see_with_the_response_of_the_robot_that_they_play() -> None:
    assert [robot.proximity for robot in plan("real.3.proximity=webots").robots] == ["paper", "webots", "paper"]


def test_rings_and_views_are_those_of_the_stand_ins_of_a_scenario() -> None:
    assert {(robot.ring, robot.view) for robot in plan().robots} == {("clients", "stand-in")}
    published = plan("stand_in.ring=paper", "stand_in.view=paper", "stand_in.perfect=true").robots
    assert {(robot.ring, robot.view) for robot in published} == {("paper", "paper")}


@pytest.mark.parametrize(
    ("listen", "words"),
    [
        ({5: "tcp://127.0.0.1:1000"}, r"--listen 5: the laboratory does not play robot 5: .* \(2, 3, 4\)"),
        ({4: "tcp://127.0.0.1:1000"}, "--listen 4: robot 4 speaks json, over the broker: .*--broker"),
    ],
)
def test_a_robot_that_cannot_listen_is_named(listen: dict[int, str], words: str) -> None:
    with pytest.raises(DevsRoboticsError, match=words):
        plan(listen=listen)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["2"], "must be ROBOT=ADDRESS, for instance 2=tcp://127.0.0.1:1000, not '2'"),
        (["two=tcp://127.0.0.1:1000"], "must be ROBOT=ADDRESS"),
        (["2=nowhere"], "the address 'nowhere' is of no known kind"),
        (["2=tcp://127.0.0.1"], "the address 'tcp://127.0.0.1' has no port"),
    ],
)
def test_what_is_no_place_to_listen_is_refused(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", "convoy", "--listen", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_a_robot_listens_at_one_place(capsys: pytest.CaptureFixture[str]) -> None:
    twice = ["--listen", "2=tcp://127.0.0.1:1000", "--listen", "2=tcp://127.0.0.1:2000"]
    assert main(["lab", "convoy", *twice]) == 2
    assert "--listen names a robot twice" in capsys.readouterr().err


def test_an_arena_has_walls_where_the_field_has_some() -> None:
    assert plan().walled
    assert not plan("field.walls=false").walled
