"""Wheels that keep speeds: what they are told, how far they roll, and when something holds them."""

from __future__ import annotations

import pytest

from devs_robotics.core.robots.messages import Obstructed, Rolled, Wheels
from devs_robotics.core.robots.plain_data import plain
from devs_robotics.hil.protocols.events import Output, Told
from devs_robotics.hil.protocols.kept_wheels import KeptWheels
from devs_robotics.hil.protocols.step_control import FEW, STALLED
from tests.approximately import near

STEP = 3.141592653589793 * 0.041 / 1000.0
"""Of an e-puck2: its wheels have a diameter of 41 mm, and a turn has 1000 steps (m)."""


def wheels(left: float, right: float, at: float = 0.0) -> KeptWheels:
    kept = KeptWheels()
    assert kept.keep("wheels", plain(Wheels(left * STEP, right * STEP))) == Told("wheels", None)
    kept.set_going(at)
    return kept


def counted(kept: KeptWheels, left: int, right: int, as_of: float) -> list[Output]:
    return list(kept.count(left, right, as_of))


def obstructed(is_so: bool) -> Told:
    return Told("wheels", plain(Obstructed(is_so)), unasked=True)


@pytest.mark.parametrize(
    ("told", "speeds", "turn"),
    [
        ((100.0, -200.0), (100, -200), True),
        ((0.0, 0.4), (0, 0), False),
        ((5000.0, -5000.0), (1100, -1100), True),
        ((0.0, 1.0), (0, 1), True),
    ],
)
def test_speeds_are_whole_steps_that_the_robot_obeys(
    told: tuple[float, float], speeds: tuple[int, int], turn: bool
) -> None:
    kept = wheels(*told)
    assert (kept.speeds, kept.turn, kept.obstructed) == (speeds, turn, False)


def test_wheels_that_nobody_has_told_anything_are_not_counted() -> None:
    kept = KeptWheels()
    assert (kept.speeds, kept.turn) == (None, False)
    assert counted(kept, 10, 10, 1.0) == []
    kept = wheels(100.0, 100.0)
    kept.end()
    assert (kept.speeds, kept.turn) == (None, False)
    assert counted(kept, 10, 10, 1.0) == []


def test_each_roll_is_told_once_in_metres() -> None:
    kept = wheels(100.0, 100.0)
    (rolled,) = counted(kept, 10, -20, 0.1)
    assert isinstance(rolled, Rolled)
    assert (rolled.left, rolled.right) == (near(10 * STEP), near(-20 * STEP))
    assert counted(kept, 0, 0, 0.2) == []
    assert counted(kept, 0, 1, 0.3) == [Rolled(0.0, near(STEP))]


def test_wheels_that_do_not_come_on_for_some_time_are_obstructed_until_they_do() -> None:
    kept = wheels(100.0, 0.0, at=1.0)
    assert counted(kept, 0, 0, 1.0 + STALLED) == []
    assert counted(kept, 0, 0, 1.01 + STALLED) == [obstructed(True)]
    assert kept.obstructed
    assert counted(kept, 0, 0, 9.0) == []
    assert counted(kept, 1, 0, 9.1) == [Rolled(near(STEP), 0.0), obstructed(False)]
    assert counted(kept, 0, 0, 9.1 + STALLED) == []
    assert counted(kept, 0, 0, 9.2 + STALLED) == [obstructed(True)]


def test_slow_wheels_have_time_for_some_steps() -> None:
    kept = wheels(-1.0, 0.0)
    assert counted(kept, 0, 0, FEW - 0.5) == []
    assert counted(kept, 0, 0, FEW) == [obstructed(True)]


def test_wheels_that_are_not_to_turn_are_not_held() -> None:
    kept = wheels(100.0, 100.0)
    assert counted(kept, 0, 0, 1.0) == [obstructed(True)]
    kept.keep("wheels", plain(Wheels()))
    assert counted(kept, 0, 0, 2.0) == [obstructed(False)]
    kept.keep("wheels", plain(Wheels(0.05, 0.05)))
    assert counted(kept, 0, 0, 2.0 + STALLED) == [], "they need not have come on while they stood"
    assert counted(kept, 0, 0, 2.1 + STALLED) == [obstructed(True)]


def test_what_was_read_before_they_were_set_going_says_nothing() -> None:
    kept = wheels(100.0, 100.0, at=5.0)
    assert counted(kept, 1, 0, 3.0) == [Rolled(near(STEP), 0.0)]
    assert counted(kept, 0, 0, 5.0 + STALLED) == []
    kept.set_going(7.0)
    assert counted(kept, 0, 0, 7.0 + STALLED) == []


def test_an_obstacle_is_forgotten_with_the_speeds() -> None:
    kept = wheels(100.0, 100.0)
    assert counted(kept, 0, 0, 1.0) == [obstructed(True)]
    kept.end()
    assert not kept.obstructed
