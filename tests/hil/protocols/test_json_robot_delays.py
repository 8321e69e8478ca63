"""A JSON robot whose messages are held up, in order, in both directions: what it reports is what it did."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Fault
from devs_robotics.hil.drivers import Driver
from devs_robotics.hil.protocols.json_robot import JsonRobot
from devs_robotics.hil.testing.driver_bench import SETTINGS, DriverBench
from tests.conftest import at_length
from tests.hil.protocols.held_up import HeldUp, Holds
from tests.hil.protocols.json_peer import JsonPeer

UNTIL = 30.0


class FarPeer(JsonPeer):
    """A robot behind two such lines."""

    def __init__(self, table: DriverBench, there: Holds, back: Holds) -> None:
        super().__init__(table)
        self._there, self._back = HeldUp(there), HeldUp(back)
        say = table.say
        table.say = lambda data, at=None: say(data, at=self._back.arrival(self.now))  # type: ignore[method-assign]

    def hear(self, data: bytes) -> None:
        self.table.at(self._there.arrival(self.now), partial(super().hear, data))


holds = st.lists(st.tuples(st.floats(0.5, 12.0), st.floats(0.05, 2.5)), max_size=4)
drives = st.builds(Drive, st.sampled_from([0.0, 0.5, -0.3]), st.sampled_from([0.0, 0.1, 0.2, -0.1]))
wishes = st.lists(st.tuples(st.floats(1.0, 10.0), drives), min_size=1, max_size=4)


def total(parts: list[Any]) -> list[float]:
    return [sum(part.turn for part in parts), sum(part.distance for part in parts)]


@given(wishes, holds, holds)
@settings(max_examples=1000 if at_length() else 80)
def test_whatever_is_held_up_the_robot_has_done_what_is_reported(
    wanted: list[tuple[float, Drive]], there: Holds, back: Holds
) -> None:
    on = DriverBench(Driver("driver", "mqtt://broker/robot/7", JsonRobot(7, SETTINGS)), *wanted)
    robot = FarPeer(on, there, back)
    on.run(UNTIL)
    if not on.told(Fault):
        assert len(on.told(Driven)) == len(wanted)
        assert total(on.told(Driven)) == pytest.approx([robot.turned, robot.gone], abs=1e-6)


def test_a_state_from_before_a_move_is_not_taken_for_word_that_the_move_was_never_heard() -> None:
    """All that the robot says is held up for long; what it said before it moved comes when it has been told to stop."""
    on = DriverBench(Driver("driver", "mqtt://broker/robot/7", JsonRobot(7, SETTINGS)), (1.0, Drive(0.0, 0.2)))
    robot = FarPeer(on, [], [(0.85, 0.9)])
    on.run(UNTIL)
    assert not on.told(Fault)
    assert total(on.told(Driven)) == pytest.approx([robot.turned, robot.gone], abs=1e-6)


def test_a_heartbeat_that_was_overtaken_says_nothing() -> None:
    on = DriverBench(Driver("driver", "mqtt://broker/robot/7", JsonRobot(7, SETTINGS)), (1.0, Drive(0.0, 0.2)))
    robot = JsonPeer(on)
    old = {
        "type": "state",
        "robot": 7,
        "session": "s1",
        "count": 2,
        "moving": 0,
        "last": 0,
        "x": 0,
        "y": 0,
        "heading": 0,
    }
    for tenth in range(16, 29):
        on.say(json.dumps(old).encode(), at=tenth / 10.0 + 0.01)
    on.run(UNTIL)
    assert robot.begun == [1]
    assert total(on.told(Driven)) == pytest.approx([0.0, 0.2])
    assert on.driver.dropped == {"a heartbeat that came after a later one": 13}


class SlowPeer(JsonPeer):
    """A robot behind a link that is as late at any time."""

    def __init__(self, table: DriverBench, delay: float) -> None:
        super().__init__(table)
        self.delay = delay
        say = table.say
        table.say = lambda data, at=None: say(data, at=self.now + delay)  # type: ignore[method-assign]


@pytest.mark.parametrize(("delay", "patience"), [(0.25, 0.5), (0.5, 0.5), (1.0, 1.5), (2.0, 3.0)])
def test_with_a_constant_delay_moves_are_made_and_reported_as_they_were_made(delay: float, patience: float) -> None:
    drives = ((6.0, Drive(0.5, 0.2)), (20.0, Drive(0.0, 0.5)), (21.0, Drive(0.2, 0.0)))
    patient = msgspec.structs.replace(SETTINGS, answer_within=patience)
    on = DriverBench(Driver("driver", "mqtt://broker/robot/7", JsonRobot(7, patient)), *drives)
    robot = SlowPeer(on, delay)
    on.run(50.0)
    assert not on.told(Fault)
    assert len(on.told(Driven)) == len(drives)
    assert total(on.told(Driven)) == pytest.approx([robot.turned, robot.gone], abs=1e-6)


def test_a_link_that_is_too_slow_for_the_patience_of_the_host_is_a_fault_that_says_what_to_do() -> None:
    on = DriverBench(Driver("driver", "mqtt://broker/robot/7", JsonRobot(7, SETTINGS)), (4.0, Drive(0.5, 0.2)))
    SlowPeer(on, 1.0)
    on.run(50.0)
    assert "was told to move 3 times, 0.5 s apart, and does not answer: check its program and its link" in on.fault
    assert "if the link is slow, make answer_within longer" in on.fault
