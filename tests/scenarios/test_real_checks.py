"""What a scenario may say of its real robots."""

from __future__ import annotations

from typing import Any

import pytest

from scenarios.loading import load, validate
from scenarios.parts import parts
from scenarios.perfect import perfect
from scenarios.problems import ScenarioError
from scenarios.real_robots import RealRobots


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
        ({"two": {}}, "real.two: is no robot: write [real.N] with the number of a robot, from 1"),
        ({"2": {"adress": "mqtt://host/robot"}}, "real.2.adress: there is no such key: did you mean 'real.2.address'?"),
    ],
)
def test_a_mistake_gets_one_sentence_with_its_key(real: dict[str, Any], sentence: str) -> None:
    problems = found(real)
    assert len(problems) == 1
    assert problems[0].startswith(sentence)


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


def test_in_the_loop_the_second_and_the_third_robot_are_real_unless_the_scenario_says_otherwise() -> None:
    assert [(number, part.kinds.infrared) for number, part in parts(load("convoy"), "loop").items()] == [
        (2, "virtual"),
        (3, "real"),
    ]
    assert list(parts(load("convoy", ["convoy.robots=2"]), "loop")) == [2]
    assert list(parts(load("convoy", ["real.4.infrared=virtual"]), "loop")) == [4]


def test_in_the_stage_real_every_robot_is_and_all_of_it() -> None:
    real = parts(load("convoy_in_the_loop"), "real")
    assert list(real) == [1, 2, 3, 4]
    assert {(part.kinds.motor, part.kinds.infrared, part.kinds.whiskers) for part in real.values()} == {
        ("real", "real", "real")
    }


@pytest.mark.parametrize("stage", ["fast", "realtime", "distributed"])
def test_in_the_other_stages_no_robot_is(stage: Any) -> None:
    assert parts(load("convoy_in_the_loop"), stage) == {}


def test_robots_that_are_no_stand_ins_live_at_rate_one() -> None:
    scenario = load("convoy_in_the_loop", ["real.2.address=mqtt://host/robot/2"])
    with pytest.raises(Exception, match=r"robot 2 is real \(mqtt://host/robot/2\) and cannot live at the rate 4: "):
        RealRobots(scenario, "loop", 4.0, lambda: "", print)


def test_a_perfect_scenario_has_neither_noise_nor_hardware() -> None:
    scenario = perfect(load("convoy_in_the_loop", ["real.2.address=mqtt://host/robot/2", "clock.rate=4"]))
    assert (scenario.noise.dnf, scenario.noise.anf, scenario.stand_in.perfect) == (0.0, 0.0, True)
    assert all(part.is_stand_in for part in parts(scenario, "loop").values())
