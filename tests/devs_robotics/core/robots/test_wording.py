"""Robots in words."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from devs_robotics.core.robots.wording import numbered


@pytest.mark.parametrize(
    ("robots", "words"),
    [
        ((2,), "robot 2"),
        ((3, 2), "robots 2, 3"),
        ((3, 2, 4, 7), "robots 2-4, 7"),
        (range(16, 31), "robots 16-30"),
        (("1", "3"), "robots 1, 3"),
        ((2, 10, 9), "robots 2, 9, 10"),
        ((1, 3, 4, 5, 6, 8, 9, 11, 12, 13), "robots 1, 3-6, 8, 9, 11-13"),
        ((2, 2), "robot 2"),
        ((), "robots "),
    ],
)
def test_robots_are_told_by_their_numbers(robots: Iterable[int | str], words: str) -> None:
    assert numbered(robots) == words


def test_other_things_have_numbers_too() -> None:
    assert numbered([1, 2], "crossing") == "crossings 1, 2"
