"""What fixes are said to be like has to be possible."""

from __future__ import annotations

from math import inf, nan, radians
from typing import Any

import msgspec
import pytest

from devs_robotics import DevsRoboticsError
from devs_robotics.core.robots.fix_quality import EXACT, FixQuality


def test_the_defaults_are_the_published_figures() -> None:
    usual = FixQuality()
    assert (usual.delay, usual.delay + usual.jitter) == (0.045, 0.079)
    assert (usual.sigma_x, usual.sigma_y) == (0.0223, 0.0161)
    assert (usual.period, usual.sigma_heading, usual.missed) == (0.1, radians(1.5), 0.0)


def test_exact_fixes_are_there_at_once_and_true() -> None:
    assert FixQuality(delay=0.0, jitter=0.0, sigma_x=0.0, sigma_y=0.0, sigma_heading=0.0) == EXACT
    assert msgspec.structs.astuple(EXACT) == (0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("missed", [0.0, 0.5, 1.0])
def test_any_share_may_be_missed(missed: float) -> None:
    assert FixQuality(missed=missed).missed == missed


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"period": 0.0}, "a camera's period must be above 0 s, not 0.0"),
        ({"period": inf}, "a camera's period must be above 0 s, not inf"),
        ({"sigma_x": -0.1}, "a camera's sigma_x must be 0 or more, not -0.1"),
        ({"sigma_y": -0.1}, "a camera's sigma_y must be 0 or more, not -0.1"),
        ({"missed": -0.5}, "a camera's missed is a share from 0 to 1, not -0.5"),
        ({"period": nan}, "a camera's period must be above 0 s, not nan"),
        ({"delay": -0.1}, "a camera's delay must be 0 or more, not -0.1"),
        ({"jitter": inf}, "a camera's jitter must be 0 or more, not inf"),
        ({"sigma_heading": nan}, "a camera's sigma_heading must be 0 or more, not nan"),
        ({"missed": 1.5}, "a camera's missed is a share from 0 to 1, not 1.5"),
    ],
)
def test_what_cannot_be_is_told(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(DevsRoboticsError, match=told):
        FixQuality(**wrong)
