"""What else is in the world: questions are answered to whom they are from, whatever the order in a bag."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from devs_robotics import Exchange, ModelError, Out, Sense
from devs_robotics.models.environment import PoseChange, WorldModel, answers
from tests.models.play import settle, tell


class Sniff(Struct, frozen=True):
    """Another question than `Sense`."""


class Level(Struct, frozen=True):
    of: str
    robot: int
    number: int


class Smell(Level, frozen=True):
    """A level of one kind."""


class Doors(WorldModel):
    """Answers two questions with levels, counts what it was asked, and says who moved where."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.asked = 0
        self.log: list[str] = []

    def moved(self, change: PoseChange) -> None:
        self.log.append(f"moved {change.robot}")

    @answers(Sense, Level)
    def look(self, robot: int, question: Sense) -> Level | None:
        self.log.append(f"look {robot}")
        self.asked += 1
        return Level("light", robot, self.asked) if robot != 13 else None

    @answers(Sniff, Level)
    def sniff(self, robot: int, question: Sniff) -> Level:
        return Smell("smell", robot, 0)


class Bell(Doors):
    """Tells frames of each move."""

    rung = Out(int)

    def moved(self, change: PoseChange) -> None:
        self.send(self.rung, change.robot)


class Deaf(Doors):
    """Answers as `Doors`, but for one question: with nonsense."""

    @answers(Sniff, Level)
    def sniff(self, robot: int, question: Sniff) -> Any:
        return "strong"


def offered(world: WorldModel, robot: int, question: type = Sense) -> Exchange[Any, Any]:
    exchange = world.offer(robot, question, Level)
    assert exchange is not None
    return exchange


@given(st.permutations([1, 2, 3, 4]), st.permutations([1, 2, 3, 4]))
def test_what_comes_at_one_instant_is_handled_in_the_order_of_the_robots(moves: list[int], asks: list[int]) -> None:
    world = Doors("doors")
    sensors = {robot: offered(world, robot) for robot in (1, 2, 3, 4)}
    said = tell(
        world,
        *((world.pose_change, PoseChange(robot, 0.0, 0.0, 0.0)) for robot in moves),
        *((sensors[robot].ask, Sense()) for robot in asks),
    )
    assert world.log == [f"{what} {robot}" for what in ("moved", "look") for robot in (1, 2, 3, 4)]
    assert said == [(f"look{robot}_answer", Level("light", robot, robot)) for robot in (1, 2, 3, 4)]


def test_two_questions_with_one_kind_of_answer_are_each_answered_where_they_were_asked() -> None:
    world = Doors("doors")
    light, smell = offered(world, 1), offered(world, 1, Sniff)
    assert tell(world, (light.ask, Sense())) == [("look1_answer", Level("light", 1, 1))]
    assert tell(world, (smell.ask, Sniff())) == [("sniff1_answer", Smell("smell", 1, 0))]


def test_a_robot_may_have_the_same_sensor_twice() -> None:
    world = Doors("doors")
    left, right = offered(world, 1), offered(world, 1)
    assert tell(world, (right.ask, Sense())) == [("look1_2_answer", Level("light", 1, 1))]
    assert tell(world, (left.ask, Sense())) == [("look1_answer", Level("light", 1, 2))]


def test_what_is_said_unasked_comes_to_all_of_a_robot_that_can_hear_it_and_to_nobody_else() -> None:
    world = Doors("doors")
    for robot, question in ((1, Sense), (2, Sense), (1, Sniff)):
        offered(world, robot, question)
    world.say(1, Level("bell", 1, 0))
    world.say(3, Level("bell", 3, 0))
    world.say(2, "words")
    assert tell(world, (world.pose_change, PoseChange(2, 0.0, 0.0, 0.0))) == [
        ("look1_answer", Level("bell", 1, 0)),
        ("sniff1_answer", Level("bell", 1, 0)),
    ]
    assert settle(world) == []


def test_what_it_sends_through_a_port_of_its_own_goes_out_once_with_the_answers() -> None:
    world = Bell("bell")
    eye = offered(world, 1)
    said = tell(world, (world.pose_change, PoseChange(2, 0.0, 0.0, 0.0)), (eye.ask, Sense()))
    assert said == [("rung", 2), ("look1_answer", Level("light", 1, 1))]
    assert tell(world, (eye.ask, Sense())) == [("look1_answer", Level("light", 1, 2))]


def test_what_is_not_its_affair_it_does_not_offer_and_what_has_no_answer_it_does_not_answer() -> None:
    world = Doors("doors")
    assert world.offer(1, Sense, Smell) is None
    assert tell(world, (offered(world, 13).ask, Sense()), e=2.5) == []
    assert world.time == 2.5


def test_an_answer_of_another_kind_is_told_with_the_method() -> None:
    world = Deaf("doors")
    sentence = "Deaf.sniff must return Level or None, not 'strong'"
    with pytest.raises(ModelError, match=re.escape(sentence)):
        tell(world, (offered(world, 1, Sniff).ask, Sniff()))
