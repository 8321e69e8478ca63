"""Actions change the world for questions of the same instant, and watches of them notice, whoever stands still."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Struct

from devs_robotics import ModelError, Simulator
from devs_robotics.models.environment import (
    Action,
    Field,
    Lamp,
    Noticed,
    Question,
    SpaceManager,
    Things,
    Watching,
    World,
)
from devs_robotics.models.environment.sensing import StrategyName


class Flag(Struct, frozen=True):
    """What robots of this test show."""

    colour: str


class Flags(Struct, frozen=True):
    """What all of them show."""

    robot: int
    values: tuple[str, ...]


class Raise(Action, frozen=True):
    """Show a flag."""

    colour: str

    def act(self, world: World) -> None:
        world.things.give(self.robot, Flag(self.colour))


class LookRound(Question, frozen=True):
    """Which flags are there?"""

    def answer(self, world: World) -> Flags:
        return Flags(self.robot, tuple(flag.colour for flag in world.things.with_robots(Flag).values()))


def space_of_two(strategy: StrategyName = "predict") -> SpaceManager:
    field = Field(4.0, 4.0)
    for x in (1.0, 3.0):
        field.add_body(x, 2.0, 0.0, 0.035)
    return SpaceManager("space", World(field, 0.03), strategy)


def test_actions_come_before_the_questions_of_an_instant_in_the_order_of_the_robots() -> None:
    space = space_of_two()
    heard = space.offer(Flags, 1)
    with Simulator(space) as simulator:
        simulator.inject(space.question, LookRound(1), at=1.0)
        simulator.inject(space.action, Raise(2, "blue"), at=1.0)
        simulator.inject(space.action, Raise(1, "red"), at=1.0)
        simulator.run(until=1.0)
    assert list(heard.values) == [Flags(1, ("red", "blue"))]


@pytest.mark.parametrize("strategy", ["polling", "predict", "batch"])
def test_a_watch_of_which_nothing_is_known_notices_at_the_next_point_while_all_stand_still(
    strategy: StrategyName,
) -> None:
    space, told = space_of_two(strategy), []
    port = space.offer(Noticed, 1)
    with Simulator(space) as simulator:
        simulator.inject(space.watch, Watching(LookRound(1), period=0.5), at=0.0)
        simulator.inject(space.action, Raise(2, "blue"), at=1.2)
        while simulator.next_time <= 3.0:
            time = simulator.next_time
            simulator.run(until=time, max_steps=1)
            told += [(time, noticed.answer.values) for noticed in port.values]
    assert told == [(0.0, ()), (1.5, ("blue",))]


def test_things_are_found_by_their_type_and_a_robot_has_one_of_each() -> None:
    things = Things()
    one, two = Lamp(1.0, 1.0), Lamp(2.0, 1.0)
    for thing in (two, one):
        things.add(thing)
    for robot, colour in ((3, "red"), (1, "blue"), (3, "green")):
        things.give(robot, Flag(colour))
    assert things.of(Lamp) == [two, one]
    assert things.of(Flag) == []
    assert list(things.with_robots(Flag).items()) == [(1, Flag("blue")), (3, Flag("green"))]


def test_an_action_without_a_method_is_told() -> None:
    class Nothing(Action, frozen=True):
        pass

    space: Any = space_of_two()
    space.action.add(Nothing(1))
    with pytest.raises((ModelError, NotImplementedError), match=r"Nothing needs a method act\(self, world\)"):
        space.deltext(0.0)


def test_traces_tell_of_an_action_what_is_not_as_usual() -> None:
    assert msgspec.to_builtins(Raise(1, "red")) == {"robot": 1, "colour": "red"}
    assert msgspec.to_builtins(Raise(1, "red", sensor="mast")) == {"robot": 1, "colour": "red", "sensor": "mast"}
