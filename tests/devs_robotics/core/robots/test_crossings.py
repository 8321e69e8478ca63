"""Which levels readings have crossed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.crossings import crossings
from devs_robotics.core.robots.messages import Crossed

readings = st.integers(0, 9).map(float)


def test_without_levels_each_change_is_told_once() -> None:
    assert list(crossings((), (1.0, 2.0), (1.0, 3.0))) == [Crossed((1.0, 3.0))]
    assert list(crossings((), (1.0, 2.0), (1.0, 2.0))) == []


def test_levels_are_told_in_the_order_in_which_they_were_crossed() -> None:
    now = (3.5, 0.0)
    assert list(crossings((1.0, 2.0, 3.0), (0.0, 2.5), now)) == [
        Crossed(now, 0, 1.0, True),
        Crossed(now, 0, 2.0, True),
        Crossed(now, 0, 3.0, True),
        Crossed(now, 1, 2.0, False),
        Crossed(now, 1, 1.0, False),
    ]


@given(st.lists(readings, unique=True, min_size=1).map(sorted), readings, readings)
def test_a_level_is_reached_by_what_is_at_it(levels: list[float], old: float, new: float) -> None:
    found = list(crossings(levels, (old,), (new,)))
    rising = [level for level in levels if old < level <= new]
    falling = [level for level in reversed(levels) if new < level <= old]
    assert [(each.level, each.rising) for each in found] == [
        *((level, True) for level in rising),
        *((level, False) for level in falling),
    ]
