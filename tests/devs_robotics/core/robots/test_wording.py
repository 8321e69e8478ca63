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
    ],
)
def test_robots_are_told_by_their_numbers(robots: Iterable[int | str], words: str) -> None:
    assert numbered(robots) == words
