"""Protocols alone: what they say is returned, and nobody is needed who drives the robot."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterable
from itertools import repeat
from math import inf
from typing import Any

import msgspec
import pytest

from devs_robotics import DevsRoboticsError, Drive, Link, Packet, Simulator
from devs_robotics.core.errors import ModelError
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.protocols import (
    Dropped,
    Felt,
    Found,
    GivenUp,
    Lost,
    Moved,
    Output,
    Protocol,
    Ranged,
    Remind,
    protocol_for,
)
from devs_robotics.hil.protocols.json_robot import JsonRobot
from devs_robotics.hil.protocols.naming import PROTOCOLS
from devs_robotics.hil.testing.driver_bench import SETTINGS
from tests.hil.drivers.test_driver import Words
from tests.hil.protocols.test_json_robot import MOVED, STATE


class Plain(Protocol):
    """Says no more than it must."""

    begin = Words.begin
    feed = Words.feed
    stop_message = Words.stop_message
    number = 0


def fed(robot: Protocol, message: dict[str, Any]) -> list[Output]:
    return list(robot.feed(json.dumps(message).encode()))


def test_what_a_robot_says_becomes_events_without_a_driver() -> None:
    robot = JsonRobot(7, SETTINGS)
    assert fed(robot, STATE) == [Found()]
    robot.now.ready = True
    (move,) = robot.begin(Drive(0.0, 0.1))
    assert isinstance(move, bytes)
    assert json.loads(move)["id"] == 1
    robot.now.under_way = Drive(0.0, 0.1)
    assert fed(robot, MOVED) == [Moved(0.0, 0.1)]
    assert list(robot.feed(b"?")) == [Dropped("no message of the JSON robot protocol")]
    robot.now.time = 9.0
    *_, last = robot.tick()
    assert last == Lost("it has been silent for 0.5 s")
    (end,) = fed(robot, {**STATE, "count": 2, "moving": 99})
    assert isinstance(end, GivenUp)


def test_what_is_not_said_of_a_robot_type_has_an_answer() -> None:
    robot = Plain(7, msgspec.structs.replace(SETTINGS, beams=(0.5, -0.5)))
    assert list(robot.connect()) == [b"stop", Found()]
    robot.now.under_way = Drive(0.1, 0.0)
    robot.now.touching = True
    assert list(robot.connect()) == [Found()]
    assert list(robot.halt()) == [b"stop"]
    assert list(robot.sense()) == [Ranged((inf, inf))]
    assert list(robot.feel()) == [Felt(True)]
    assert list(robot.tick()) == list(robot.reminded("anything")) == []
    assert (robot.patience, robot.period, robot.remark) == (0.5, inf, "")


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_that_has_said_nothing_yet_can_be_looked_at_copied_and_pickled(name: str) -> None:
    """Every value that it has is there from the start."""

    def says(robot: Protocol) -> list[Output]:
        hooks = (robot.tick, robot.sense, robot.feel, robot.halt, robot.connect, lambda: robot.feed(b"\x02" * 300))
        return [output for hook in hooks for output in hook()]

    robot = protocol_for(name)(7, SETTINGS)
    copies = [copy.deepcopy(robot), pickle.loads(pickle.dumps(robot))]
    said = says(robot)
    assert said
    assert [says(same) for same in copies] == [said, said]


def test_beams_that_a_robot_does_not_have_are_refused_in_a_sentence() -> None:
    class Pair(Plain):
        kind = "a cart"
        beams = (0.5, -0.5)

    assert [Pair.serves(beams) for beams in ((0.5, -0.5), (), (0.0,))] == [True, True, False]
    assert Plain.serves((0.1, 0.2))
    assert Pair(7, msgspec.structs.replace(SETTINGS, beams=())).settings.beams == ()
    with pytest.raises(
        DevsRoboticsError,
        match=r"robot 7 is a cart, which has 2 beams at 28.6479, -28.6479 degrees; one beam, straight ahead are wanted",
    ):
        Pair(7, SETTINGS)


class Wrong(Plain):
    """Says what no driver understands."""

    says: object = None

    def feed(self, data: bytes) -> Iterable[Output]:
        return self.says  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        (None, r"`feed` of Wrong failed: TypeError: it returned None: let it return \(\) for nothing"),
        (["R\n"], r"`feed` of Wrong said 'R\\n', which cannot be done: TypeError: let it say bytes, or an event of "),
        (b"R\n", r"`feed` of Wrong failed: TypeError: it returned b'R\\n': let it return a list, or be a generator"),
        (Found(), r"`feed` of Wrong failed: TypeError: it returned Found\(\): let it return a list, or be a generator"),
        ([Remind("x", "soon")], r"`feed` of Wrong said Remind\(.*\), which cannot be done: TypeError: "),  # type: ignore[arg-type]
        (repeat(b"R\n"), "`feed` of Wrong says more than 10,000 things: let it end"),
    ],
)
def test_what_no_driver_understands_is_told_in_a_sentence(says: object, sentence: str) -> None:
    wrong = Wrong(7, SETTINGS)
    wrong.says = says
    driver = Driver("driver", "tcp://robot:1", wrong)
    with Simulator(driver) as simulator:
        simulator.inject(driver.incoming, Link(up=True), at=0.0)
        simulator.inject(driver.incoming, Packet(b"?"), at=1.0)
        with pytest.raises(ModelError, match=sentence):
            simulator.run(until=2.0)


def test_a_protocol_that_says_last_words_as_before_still_stops_its_robot() -> None:
    with pytest.warns(DeprecationWarning, match="`last_words` of Old is now called `stop_message`: rename it"):

        class Old(Protocol):
            begin = Words.begin
            feed = Words.feed

            def last_words(self) -> Iterable[bytes]:
                return [b"S\n"]

    old = Old(7, SETTINGS)  # type: ignore[abstract]
    assert list(Driver("driver", "tcp://robot:1", old).stop_message()) == [b"S\n"]
    assert list(old.halt()) == [b"S\n"]
