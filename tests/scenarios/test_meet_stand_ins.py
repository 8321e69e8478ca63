"""What plays the transceivers of the case meet: who hears what, and when."""

from __future__ import annotations

from typing import Any

import pytest

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import LabScene
from devs_robotics.scenarios.meet_stand_ins import PlayedTransceiver

HELLO = {"text": "hello", "numbers": [0.5]}


class Channel:
    """Robots at places on a line, by their numbers, with transceivers."""

    def __init__(self, loss: float = 0.0, seed: int = 1, **places: float) -> None:
        self.poses = {int(name[1:]): Pose(x, 0.0, 0.0) for name, x in places.items()}
        self.played = PlayedTransceiver()
        self.played.begin(LabScene({"reach": 1.0, "delay": 0.25, "loss": loss}, seed, lambda: self.poses, {}))

    def say(self, robot: int, time: float, text: str = "hello") -> None:
        self.played.answer(robot, {**HELLO, "text": text}, self.poses[robot], time)

    def hears(self, robot: int, time: float) -> dict[str, Any] | None:
        return self.played.unasked(robot, self.poses[robot], time)


def test_who_is_in_reach_when_something_is_said_hears_it_once_after_the_delay() -> None:
    channel = Channel(r1=0.0, r2=1.0, r3=1.01)
    channel.say(1, time=5.0)
    channel.poses = {1: Pose(9.0, 0.0, 0.0), 2: Pose(0.0, 0.0, 0.0), 3: Pose(9.0, 0.0, 0.0)}
    assert [channel.hears(robot, 5.24) for robot in (1, 2, 3)] == [None, None, None]
    heard = {**HELLO, "sender": 1, "distance": 1.0}
    assert [channel.hears(robot, 5.25) for robot in (1, 2, 3)] == [None, heard, None]
    assert channel.hears(2, 9.0) is None


def test_what_comes_together_is_heard_one_by_one_in_the_order_in_which_it_was_said() -> None:
    channel = Channel(r1=0.0, r2=0.5, r3=1.0)
    for robot, text in ((3, "first"), (1, "second")):
        channel.say(robot, 0.0, text)
    assert [(channel.hears(2, 1.0) or {}).get("text") for _ in range(3)] == ["first", "second", None]


@pytest.mark.parametrize("loss", [0.0, 0.3, 1.0])
def test_a_share_of_messages_is_lost_alike_every_time(loss: float) -> None:
    def heard(seed: int) -> list[bool]:
        channel = Channel(loss, seed, r1=0.0, r2=0.5)
        said = []
        for number in range(1000):
            channel.say(1, float(number))
            said.append(channel.hears(2, number + 0.5) is not None)
        return said

    assert sum(heard(1)) / 1000 == pytest.approx(1.0 - loss, abs=0.05)
    assert heard(1) == heard(1)
    assert (heard(1) == heard(2)) == (loss in (0.0, 1.0))
