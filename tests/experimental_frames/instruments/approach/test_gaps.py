"""Gaps worked out by hand, of ways that lead towards things, past them and away."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from devs_robotics.experimental_frames.instruments.approach.gaps import to_boxes, to_discs, to_walls

NOWHERE = complex(nan, nan)
STARTS = np.array([1 + 1j, 3 + 1j, NOWHERE, 1 + 1j])
ENDS = np.array([3 + 1j, 1 + 1j, 3 + 1j, 1 + 1j])
RADII = np.full(4, 0.25)


def test_to_discs_ahead_beside_and_behind() -> None:
    standing = np.tile(np.array([4 + 1j, 2 + 3j, 0 + 1j, NOWHERE]), (4, 1))
    before, closest = to_discs(STARTS, ENDS, standing, np.full((4, 4), 0.5))
    side = 5.0**0.5 - 0.5
    assert before == pytest.approx(
        np.array([[2.5, side, 0.5, inf], [0.5, side, 2.5, inf], [inf] * 4, [2.5, side, 0.5, inf]])
    )
    assert closest == pytest.approx(
        np.array([[0.5, 1.5, 0.5, inf], [0.5, 1.5, 0.5, inf], [0.5, side, 2.5, inf], [2.5, side, 0.5, inf]])
    )


def test_to_walls_whichever_end_is_nearer() -> None:
    before, closest = to_walls(STARTS, ENDS, RADII, 10.0, 4.0)
    there, back = [0.75, 8.75, 0.75, 2.75], [2.75, 6.75, 0.75, 2.75]
    nearest = [0.75, 6.75, 0.75, 2.75]
    assert before == pytest.approx(np.array([there, back, [inf] * 4, there]))
    assert closest == pytest.approx(np.array([nearest, nearest, back, there]))


def test_to_boxes_never_more_than_there_is() -> None:
    boxes = np.array([[4.0, 2.0, 5.0, 3.0], [1.5, 0.0, 2.0, 2.0]])
    corner = 2.0**0.5 - 0.25
    least = to_boxes(STARTS, ENDS, RADII, boxes)
    expected = [[corner, -0.25], [corner, -0.25], [corner, 0.75], [10.0**0.5 - 0.25, 0.25]]
    assert least == pytest.approx(np.array(expected))
