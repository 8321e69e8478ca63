"""Models of which one stands for many: each is made where it is asked for, also in groups that follow on each other."""

from __future__ import annotations

import pytest

from devs_robotics import Atomic
from devs_robotics.core.population import Alike


class Numbered(Atomic):
    """Knows its group and its place."""

    def __init__(self, group: int, place: int) -> None:
        super().__init__(f"model{group}x{place}")
        self.at = group, place


def group(number: int, count: int) -> Alike:
    return Alike(count, lambda place: Numbered(number, place))


def places(models: Alike) -> list[tuple[int, int]]:
    return [model.at for model in models if isinstance(model, Numbered)]


def test_each_is_made_where_it_is_asked_for() -> None:
    joined = Alike.joined([group(0, 3), group(1, 1), group(2, 2)])
    assert places(joined) == [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 1)]
    assert [model.at for model in joined[-2:] if isinstance(model, Numbered)] == [(2, 0), (2, 1)]
    assert len(joined) == 6
    assert joined[0] is joined.firsts[0]
    assert joined[4] is joined.firsts[2]


def test_there_are_no_more_than_were_said() -> None:
    with pytest.raises(IndexError):
        group(0, 3)[3]
