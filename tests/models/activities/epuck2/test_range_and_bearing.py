"""Range and bearing in the world: who is heard, from where, what is lost and how far ranges err."""

from __future__ import annotations

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import ModelError, Sense
from devs_robotics.core.robots.epuck2.messages import Broadcast, RangeAndBearing, Signal
from devs_robotics.models.activities.epuck2 import VirtualBroadcast, VirtualRangeAndBearing
from devs_robotics.models.environment import Segment, World
from tests.approximately import near
from tests.models.activities.sensed import asked, world_of
from tests.models.play import tell


def heard(world: World, board: VirtualRangeAndBearing | None = None) -> tuple[Signal, ...]:
    found: RangeAndBearing = asked(world, board or VirtualRangeAndBearing("board"), Sense())
    return found.signals


def sending(world: World, *robots: int) -> World:
    for robot in robots:
        asked(world, VirtualBroadcast("broadcast"), Broadcast((robot, 7)), robot=robot)
    return world


def test_who_sends_is_heard_with_where_it_is_and_never_oneself() -> None:
    world = sending(world_of((1.0, 1.0, pi / 2.0), (1.5, 1.0, 0.0), (1.0, 0.6, 0.0), (1.0, 2.0, 0.0)), 1, 2, 3, 4)
    assert heard(world) == (Signal((2, 7), near(0.5), near(-pi / 2.0)), Signal((3, 7), near(0.4), near(-pi)))
    assert heard(world_of((1.0, 1.0, 0.0), (1.2, 1.0, 0.0))) == (), "nobody has said anything"


def test_what_stands_between_two_robots_hides_one_from_the_other() -> None:
    assert len(heard(sending(world_of((1.0, 1.0, 0.0), (1.6, 1.0, 0.0), (1.3, 1.03, 0.0)), 2))) == 0
    assert len(heard(sending(world_of((1.0, 1.0, 0.0), (1.6, 1.0, 0.0), (1.3, 1.04, 0.0)), 2))) == 1
    wall = Segment(1.3, 0.5, 1.3, 1.5)
    assert len(heard(sending(world_of((1.0, 1.0, 0.0), (1.6, 1.0, 0.0), obstacles=[wall]), 2))) == 0


def over_ticks(board: VirtualRangeAndBearing, ticks: int) -> list[tuple[Signal, ...]]:
    world = sending(world_of((1.0, 1.0, 0.0), (1.6, 1.0, 0.0)), 2)
    board.robot = 1
    answer = board.to_other(board.ask(Sense())).answer(world)
    told = [tell(board, (board.world.answer, answer), e=0.1 if tick else 0.0) for tick in range(ticks)]
    return [said[0][1].signals for said in told]


def test_losses_and_errors_are_as_many_as_was_said() -> None:
    lossy = over_ticks(VirtualRangeAndBearing("board", loss=0.3, deviation=0.02, seed=5), 2000)
    errors = [signals[0].range - 0.6 for signals in lossy if signals]
    assert 0.27 < 1.0 - len(errors) / 2000 < 0.33
    assert sum(errors) / len(errors) == pytest.approx(0.0, abs=0.002)
    assert (sum(error**2 for error in errors) / len(errors)) ** 0.5 == pytest.approx(0.02, rel=0.1)
    assert over_ticks(VirtualRangeAndBearing("board", loss=1.0), 50) == [()] * 50


@given(st.integers(0, 30))
def test_ticks_that_nobody_listens_to_shift_nothing(late: int) -> None:
    board = VirtualRangeAndBearing("board", loss=0.5, deviation=0.01, seed=9)
    all_ticks = over_ticks(board, late + 1)
    later = VirtualRangeAndBearing("board", loss=0.5, deviation=0.01, seed=9)
    later.time = 0.1 * late
    assert heard(sending(world_of((1.0, 1.0, 0.0), (1.6, 1.0, 0.0)), 2), later) == all_ticks[-1]


def test_chances_that_cannot_be_are_refused() -> None:
    with pytest.raises(ModelError, match="a loss from 0 to 1"):
        VirtualRangeAndBearing("board", loss=1.5)
