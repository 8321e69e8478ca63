"""What a scenario may say of its real robots."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, ClassVar

import pytest

from devs_robotics.hil.addresses import MqttAddress, TcpAddress
from devs_robotics.scenarios.case import noise_free, resolve
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.distributed.node import seen_from_here
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.setup import set_up
from tests.hil.drivers.test_driver import Words


class Mute(Words):
    """A robot of somebody's own, of which its class says what it has."""

    kind = "a cart"
    schemes = ("serial",)
    beams: ClassVar[tuple[float, ...] | None] = (0.5, -0.5)
    services = frozenset(("motor", "ranging"))


class Squint(Mute):
    """One that looks aside."""

    beams = (0.5,)


def found(real: dict[str, Any] | None = None, **tables: dict[str, Any]) -> list[str]:
    data = {"convoy": {"robots": 4}, "real": real or {}, **tables}
    return [str(problem) for problem in validate(data)[1]]


@pytest.mark.parametrize(
    ("real", "sentence"),
    [
        ({"5": {}}, "real.5: there is no robot 5 in a convoy of 4: remove the table"),
        ({"2": {"protocol": "jsn"}}, "real.2.protocol: there is no protocol 'jsn': did you mean 'json'"),
        ({"2": {"protocol": "no.such:Robot"}}, "real.2.protocol: "),
        ({"2": {"address": "mqtt://"}}, "real.2.address: "),
        ({"2": {"address": "tcp://host"}}, "real.2.address: "),
        (
            {"2": {"address": "tcp://host:1000"}},
            "real.2.address: a robot that speaks json is not to be found at 'tcp://host:1000': write an address that",
        ),
        (
            {"2": {"protocol": "epuck2-wifi", "address": "serial:///dev/ttyACM0"}},
            "real.2.address: a robot that speaks epuck2-wifi is not to be found at 'serial:///dev/ttyACM0': write an ",
        ),
        (
            {"2": {"address": "mqtt://host/robot"}, "3": {"address": "mqtt://host/robot"}},
            "real.3.address: 'mqtt://host/robot' is the address of robot 2 too: give each one of its own",
        ),
        (
            {"1": {"protocol": "epuck2-wifi"}},
            "real.1.infrared: a leader needs 9 range sensors, and an e-puck has one ahead: make it 'virtual'",
        ),
        (
            {"2": {"proximity": "webots"}},
            "real.2.proximity: only the readings of an e-puck have to be told what they mean; a robot that speaks json",
        ),
        (
            {"2": {"protocol": f"{__name__}:Mute", "infrared": "virtual", "whiskers": "real"}},
            f"real.2.whiskers: a robot that speaks {__name__}:Mute has no whiskers: make it 'virtual'",
        ),
        (
            {"2": {"protocol": f"{__name__}:Mute"}},
            "real.2.infrared: a follower needs a range sensor ahead, and a cart has 2 others: make it 'virtual'",
        ),
        (
            {"2": {"protocol": f"{__name__}:Squint"}},
            "real.2.infrared: a follower needs a range sensor ahead, and a cart has one, which does not look ahead: ",
        ),
        (
            {"2": {"protocol": f"{__name__}:Mute", "infrared": "virtual", "address": "tcp://host:1000"}},
            f"real.2.address: a robot that speaks {__name__}:Mute is not to be found at 'tcp://host:1000': write an ",
        ),
        (
            {"2": {"protocol": f"{__name__}:Mute", "infrared": "virtual", "proximity": "webots"}},
            "real.2.proximity: only the readings of an e-puck have to be told what they mean; a robot that speaks ",
        ),
        ({"2": {"protocol": "epuck-ascii", "proximity": "papre"}}, "real.2.proximity: "),
        ({"two": {}}, "real.two: is no robot: write [real.N] with the number of a robot, from 1"),
        ({"2": {"adress": "mqtt://host/robot"}}, "real.2.adress: there is no such key: did you mean 'real.2.address'?"),
    ],
)
def test_a_mistake_gets_one_sentence_with_its_key(real: dict[str, Any], sentence: str) -> None:
    problems = found(real)
    assert len(problems) == 1
    assert problems[0].startswith(sentence)


class Bright(Words):
    """A robot of somebody's own whose readings are those of an e-puck's sensors."""

    proximity = True


def test_of_a_robot_of_ones_own_anything_is_taken_that_its_class_does_not_deny() -> None:
    assert found({"2": {"protocol": f"{__name__}:Bright", "proximity": "webots"}}) == []
    assert found({"2": {"protocol": "tests.hil.drivers.test_driver:Words", "whiskers": "real"}}) == []
    assert found({"1": {"protocol": "tests.hil.drivers.test_driver:Words", "address": "serial:///dev/tty1"}}) == []


def test_a_tracking_system_of_ros_2_must_know_what_robots_are_called() -> None:
    real = {"2": {"address": "ros2://turtle2", "protocol": "ros2"}}
    assert found(real, tracking={"address": "ros2://?tf=map"}) == []
    assert found({"2": {}}, tracking={"address": "ros2://?pose=/p{N}"}) == []
    [said] = found({"2": {}}, tracking={"address": "ros2://?tf=map"})
    assert said.startswith("tracking.address: nothing says what the frame of robot 2 is called")
    [said] = found(real, tracking={"address": "ros2://?map=tf"})
    assert "has an option 'map' that is unknown" in said


def test_only_a_map_of_somebody_elses_lies_otherwise_in_the_field() -> None:
    frame = {"x": "50 cm", "heading": "90 deg"}
    assert found(tracking={"address": "mqtt://host/tracking", "frame": frame}) == []
    [said] = found({"2": {}}, tracking={"frame": frame})
    assert said.startswith("tracking.frame: the laboratory's own tracking system sees the field as it is: give the ")


def test_a_tracking_system_needs_an_mqtt_topic() -> None:
    assert found(tracking={"address": "mqtt://host"}) == [
        "tracking.address: 'mqtt://host' has no topic: write mqtt://HOST/tracking"
    ]
    assert len(found(tracking={"address": "tcp://host:1"})) == 1


def test_what_nobody_tracks_cannot_be_corrected() -> None:
    real = {"2": {"address": "mqtt://host/robot/2"}}
    assert found(real, tracking={"corrects": True}) == [
        "tracking.corrects: there is no tracking system that could correct anything: give its address, or make it false"
    ]
    assert found({"2": {}}, tracking={"corrects": True}) == []


def test_passwords_are_not_shown() -> None:
    with pytest.raises(ScenarioError) as caught:
        load("convoy_in_the_loop", ["real.2.address=mqtt://me:secret@host:wrong/robot"])
    assert "secret" not in str(caught.value)


def test_passwords_go_into_no_results() -> None:
    scenario = load(
        "convoy_in_the_loop",
        ["real.2.address=mqtt://me:secret@host/robot", "tracking.address=mqtt://me:secret@host/tracking"],
    )
    text = json.dumps(scenario.model_dump(mode="json"))
    assert "secret" not in text
    assert "mqtt://me:***@host/robot" in text
    assert ConvoyScenario.model_validate_json(scenario.model_dump_json(round_trip=True)) == scenario


@pytest.mark.parametrize(
    "settings",
    [
        ["real.2.address=mqtt://me:secret@host/robot", "real.3.address=mqtt://me:secret@host/robot"],
        ["real.2.address=mqtt://me:secret@host/robot", "real.2.protocol=epuck-ascii"],
        ["tracking.address=mqtt://me:secret@host"],
    ],
)
def test_passwords_are_in_no_sentence(settings: list[str]) -> None:
    with pytest.raises(ScenarioError) as caught:
        load("convoy_in_the_loop", settings)
    assert "secret" not in str(caught.value)
    assert "mqtt://me:***@host" in str(caught.value)


def test_stand_ins_are_at_the_broker_however_its_address_says_how_to_be_let_in() -> None:
    scenario = resolve(load("convoy_in_the_loop"))
    plan = laboratory_plan(set_up(scenario, "loop"), "mqtt://me@host?password_file=secret.txt", 1.0)
    addresses = [robot.address for robot in plan.robots] + [plan.tracking]
    assert all(re.fullmatch(r"mqtt://me@host/lab-\w+/[\w/]+\?password_file=secret.txt", each) for each in addresses)


def test_in_the_loop_the_second_and_the_third_robot_are_real_unless_the_scenario_says_otherwise() -> None:
    assert [(number, part.kinds.infrared) for number, part in set_up(load("convoy"), "loop").real.items()] == [
        (2, "virtual"),
        (3, "real"),
    ]
    assert list(set_up(load("convoy", ["convoy.robots=2"]), "loop").real) == [2]
    assert list(set_up(load("convoy", ["real.4.infrared=virtual"]), "loop").real) == [4]


def test_in_the_stage_real_every_robot_is_and_all_of_it() -> None:
    real = set_up(load("convoy_in_the_loop"), "real").real
    assert list(real) == [1, 2, 3, 4]
    assert {(part.kinds.motor, part.kinds.infrared, part.kinds.whiskers) for part in real.values()} == {
        ("real", "real", "real")
    }


@pytest.mark.parametrize("stage", ["fast", "realtime", "distributed"])
def test_in_the_other_stages_no_robot_is(stage: Any) -> None:
    assert set_up(load("convoy_in_the_loop"), stage).real == {}


def test_robots_that_are_no_stand_ins_live_at_rate_one() -> None:
    scenario = load("convoy_in_the_loop", ["real.2.address=mqtt://host/robot/2", "clock.rate=4"])
    with pytest.raises(Exception, match=r"robot 2 is real \(mqtt://host/robot/2\) and cannot live at the rate 4: "):
        RealRobots(set_up(scenario, "loop"))


def test_a_node_reaches_stand_ins_by_its_own_way_to_the_broker() -> None:
    robots = RealRobots(set_up(load("convoy_in_the_loop", ["real.3.address=mqtt://c/3"]), "loop"))
    robots.addresses = {2: "mqtt://host:secret@127.0.0.1/lab/robot/2", 3: "mqtt://c/3"}
    assert robots.stand_ins == {2: "mqtt://host:***@127.0.0.1/lab/robot/2"}
    seen = seen_from_here(robots.stand_ins[2], "mqtt://node:own@192.0.2.1:1884")
    assert seen == MqttAddress("192.0.2.1", 1884, user="node", password="own", prefix="lab/robot/2")
    assert seen_from_here("tcp://127.0.0.1:1000", "192.0.2.1") == TcpAddress("127.0.0.1", 1000)


def test_a_perfect_scenario_has_neither_noise_nor_hardware() -> None:
    scenario = noise_free(load("convoy_in_the_loop", ["real.2.address=mqtt://host/robot/2", "clock.rate=4"]))
    assert (scenario.noise.dnf, scenario.noise.anf, scenario.stand_in.perfect) == (0.0, 0.0, True)
    assert all(part.is_stand_in for part in set_up(scenario, "loop").real.values())


EVERY_COMMAND = {
    "check": (),
    "run": ("--stage", "loop"),
    "tree": (),
    "sweep": ("--out", "out", "--replicates", "1"),
    "study": ("--out", "out", "--stages", "fast,loop", "--seeds", "1"),
    "conform": ("--level", "large"),
    "lab": (),
    "node": ("--robot", "5", "--broker", "127.0.0.1:1"),
}


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_every_command_tells_of_a_robot_that_the_team_has_not(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('case = "wander"\nwandering.robots = 2\nreal.5.motor = "loop"\n')
    assert main([command, "mine.toml", *EVERY_COMMAND[command]]) == 2
    shown = capsys.readouterr()
    told = [line for line in f"{shown.out}{shown.err}".splitlines() if "real.5" in line]
    assert [line.removeprefix("devs-robotics: ") for line in told] == [
        "mine.toml: real.5: there is no robot 5 in a team of 2: remove the table"
    ]
    assert not (tmp_path / "out").exists()
