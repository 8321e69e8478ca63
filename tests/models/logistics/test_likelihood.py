"""The grid of the collision map: the figures of equations 2 to 4, and a plain grid beside the lazy one."""

from __future__ import annotations

from math import exp, hypot, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.models.logistics.likelihood import LikelihoodGrid

SIGMA, DISC = 0.025, 0.125

HERE = np.array([0.0025 + 0.0025j])
"""The middle of a cell of 5 mm."""


def fine(period: float) -> LikelihoodGrid:
    return LikelihoodGrid(period, 1.0, SIGMA, cell=0.005, half=0.5, patch=7.0)


def seen(period: float, frames: int) -> float:
    grid = fine(period)
    for number in range(frames):
        grid.update(number, HERE)
    return grid.likelihood(frames - 1, 0.0025, 0.0025, DISC)


def test_one_return_in_a_disc_counts_as_the_gaussian_does() -> None:
    assert seen(0.02, 1) == pytest.approx(2.0 * (SIGMA / DISC) ** 2, rel=2e-3)
    assert [seen(0.02, frames) for frames in (2, 3, 4)] == pytest.approx([0.135, 0.166, 0.189], abs=5e-4)


@pytest.mark.parametrize(("period", "figure", "saturated"), [(0.02, 0.393, 0.070), (0.1, 0.264, 0.054)])
def test_in_balance_it_has_the_closed_form_of_the_rate(period: float, figure: float, saturated: float) -> None:
    radius = SIGMA * sqrt(2.0 * log(1.0 / period))
    assert radius == pytest.approx(saturated, abs=5e-4)
    closed = (radius**2 + 2.0 * SIGMA**2) / DISC**2
    assert closed == pytest.approx(figure, abs=5e-4)
    balance = seen(period, int(20.0 / period))
    # the tail of the Gaussian beyond the disc is not in the disc
    outside = 2.0 * SIGMA**2 * exp(-((DISC / SIGMA) ** 2) / 2.0) / period / DISC**2
    assert balance == pytest.approx(closed - outside, rel=2e-3)


@pytest.mark.parametrize(("period", "left"), [(0.02, 0.364), (0.1, 0.349)])
def test_a_second_after_it_has_gone_so_much_is_left(period: float, left: float) -> None:
    grid = fine(period)
    for number in range(100):
        grid.update(number, HERE)
    later = 99 + round(1.0 / period)
    assert grid.likelihood(later, 0.0025, 0.0025, 0.004) == pytest.approx(left, rel=2e-3)


Step = tuple[float, float, list[tuple[float, float]]]
near = st.floats(-0.3, 0.3)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(near, near, st.lists(st.tuples(near, near), max_size=4)), min_size=1, max_size=8))
def test_it_is_the_plain_grid_that_decays_at_every_update(steps: list[Step]) -> None:
    """The plain one: a dictionary of all cells by odometry, of which those outside of the window are forgotten."""
    cell, half, period = 0.05, 0.25, 0.1
    grid = LikelihoodGrid(period, 1.0, SIGMA, cell, half)
    plain: dict[tuple[int, int], float] = {}
    room, reach = grid.side // 2, len(grid._patch) // 2
    for number, (x, y, returns) in enumerate(steps):
        grid.move(x, y)
        mx, my = int(np.floor(x / cell)), int(np.floor(y / cell))
        inside = {at: v for at, v in plain.items() if -room <= at[0] - mx < room and -room <= at[1] - my < room}
        plain = {at: value * (1.0 - period) for at, value in inside.items()}
        added: dict[tuple[int, int], float] = {}
        for px, py in returns:
            cx, cy = int(np.floor(px / cell)), int(np.floor(py / cell))
            if not all(-(room - reach) <= off < room - reach for off in (cx - mx, cy - my)):
                continue
            for i in range(cx - reach, cx + reach + 1):
                for j in range(cy - reach, cy + reach + 1):
                    away = hypot((i + 0.5) * cell - px, (j + 0.5) * cell - py)
                    added[i, j] = added.get((i, j), 0.0) + exp(-(away**2) / 2.0 / SIGMA**2)
        for at, value in added.items():
            plain[at] = min(1.0, plain.get(at, 0.0) + value)
        grid.update(number, np.array([complex(*each) for each in returns], complex))
        for i in range(mx - room, mx + room):
            for j in range(my - room, my + room):
                there = grid.likelihood(number, (i + 0.5) * cell, (j + 0.5) * cell, 0.01)
                assert there == pytest.approx(plain.get((i, j), 0.0), abs=1e-12)
