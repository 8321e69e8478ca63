"""Contacts on the grid: who must stop now, since it might else touch something before the next point."""

from __future__ import annotations

import numpy as np

from devs_robotics.models.environment.on_grid.arc_columns import Floats, Mask, Numbers
from devs_robotics.models.environment.on_grid.pairs_nearby import ROUNDING
from devs_robotics.models.environment.on_grid.sight import Near, WalledRectangle


def must_stop(
    ground: WalledRectangle,
    poses: tuple[Floats, Floats, Floats],
    radius: Floats,
    wanted: Floats,
    near: Near,
    period: float,
    fastest: float,
) -> Mask:
    """Whether each body that wants to drive has something ahead that it may touch before the next point of the grid.

    That is a body whose gap is no more than both can go in a period, or a wall whose gap is no more than it can go.
    Who stops goes on rotating; it drives on from the first point on at which nothing is ahead of it. A body that turns
    towards something between two points sees it at the next one: by then both may have gone deeper, by no more than
    their ways in a period.

    Args:
        ground: of the bodies
        poses: x, y (m) and heading (rad) of all
        radius: of all (m)
        wanted: speed that each wants to have along its heading (m/s, negative: backward)
        near: pairs at least so far from each other
        period: of the grid (s)
        fastest: speed that none of them exceeds (m/s)
    """
    x, y, heading = poses
    stopped = np.zeros(len(x), bool)
    farthest = 2.0 * (float(radius.max()) + fastest * period) + ROUNDING if len(radius) else 0.0
    pairs = (near.square < farthest * farthest).nonzero()[0]
    if pairs.size:
        one, other, dx, dy = near.one[pairs], near.other[pairs], near.dx[pairs], near.dy[pairs]
        room = radius[one] + radius[other] + (np.abs(wanted[one]) + np.abs(wanted[other])) * period
        ahead = (dx * np.cos(heading[one]) + dy * np.sin(heading[one])) * wanted[one] > 0.0
        stopped[one[ahead & (near.square[pairs] < room * room)]] = True
    if ground.walled:
        way = radius + fastest * period
        by = np.flatnonzero(
            ((x < way) | (y < way) | (x > ground.width - way) | (y > ground.height - way)) & (wanted != 0.0)
        )
        stopped[by[_before_walls(ground, x[by], y[by], heading[by], radius[by], wanted[by], period)]] = True
    return stopped


def _before_walls(
    ground: WalledRectangle, x: Floats, y: Floats, heading: Floats, radius: Floats, wanted: Floats, period: float
) -> Mask:
    way = radius + np.abs(wanted) * period
    vx, vy = np.cos(heading) * wanted, np.sin(heading) * wanted
    found: Mask = ((x < way) & (vx < 0.0)) | ((x > ground.width - way) & (vx > 0.0))
    found |= ((y < way) & (vy < 0.0)) | ((y > ground.height - way) & (vy > 0.0))
    return found


def between(first: Numbers, second: Numbers, x: Floats, y: Floats, reach: float) -> Near:
    """The pairs within a distance (m) of each other now, each of them both ways."""
    dx, dy = x[second] - x[first], y[second] - y[first]
    square = dx * dx + dy * dy
    close = (square <= reach * reach).nonzero()[0]
    one, other, dx, dy, square = first[close], second[close], dx[close], dy[close], square[close]
    return Near(
        np.concatenate((one, other)),
        np.concatenate((other, one)),
        np.concatenate((dx, -dx)),
        np.concatenate((dy, -dy)),
        np.concatenate((square, square)),
    )
