"""What robots see along beams of one kind: the distances of `BeamsOutlook.look`, to the last bit."""

from __future__ import annotations

from math import inf

import numpy as np
from msgspec import Struct

from devs_robotics.models.environment.on_grid.arc_columns import Floats, Mask, Numbers
from devs_robotics.models.environment.sensing.beams import ROUNDING


class Near(Struct):
    """Pairs of bodies within some distance of each other now, each of them both ways.

    Attributes:
        one, other: the bodies, by their numbers from 0
        dx, dy: where the other is from the one (m)
        square: of the distance (m2)
    """

    one: Numbers
    other: Numbers
    dx: Floats
    dy: Floats
    square: Floats


class WalledRectangle(Struct, frozen=True):
    """The field: a rectangle, with walls round it or open.

    Attributes:
        width, height: size (m)
    """

    width: float
    height: float
    walled: bool


def look(
    ground: WalledRectangle,
    poses: tuple[Floats, Floats, Floats],
    radius: Floats,
    near: Near,
    bearings: Floats,
    edge: float,
    reach: float,
    members: Mask | None,
    further: Numbers,
) -> tuple[Numbers, Floats]:
    """Which robots may see something now, ascending, and the distances along the beams of each, or infinity (m).

    Args:
        ground: of the bodies
        poses: x, y (m) and heading (rad) of all
        radius: of all (m)
        near: pairs at least as far from each other as beams reach
        bearings: of the beams, from the heading (rad)
        edge: radius of those who look (m)
        reach: of the beams, from the edge (m)
        members: those who look; None: all
        further: robots that are told in any case
    """
    far = edge + reach
    observers, beams, distances = _of_bodies(poses[2], radius, near, bearings, far, members)
    by_walls = _by_walls(ground, poses, far, members)
    marked = np.zeros(len(radius), bool)
    marked[observers] = marked[by_walls] = marked[further] = True
    rows = marked.nonzero()[0]
    place = np.empty(len(radius), np.int64)
    place[rows] = np.arange(rows.size)
    nearest = np.full((rows.size, bearings.size), inf)
    if observers.size:
        np.minimum.at(nearest.ravel(), place[observers] * bearings.size + beams, distances)
    if by_walls.size:
        at = place[by_walls]
        nearest[at] = np.minimum(nearest[at], _of_walls(ground, poses, bearings, by_walls))
    gaps = nearest - edge
    return rows, np.where((nearest <= far) & (gaps <= reach), np.maximum(0.0, gaps), inf)


def _of_bodies(
    heading: Floats, radius: Floats, near: Near, bearings: Floats, far: float, members: Mask | None
) -> tuple[Numbers, Numbers, Floats]:
    """Observers, beams, and how far it is along these to other bodies, from the middle of the robot (m)."""
    within = near.square <= (far + radius[near.other]) ** 2 + ROUNDING
    if members is not None:
        within &= members[near.one]
    pairs = within.nonzero()[0]
    one, dx, dy, size = near.one[pairs], near.dx[pairs], near.dy[pairs], radius[near.other[pairs]]
    c, s = np.cos(heading[one]), np.sin(heading[one])
    px, py = dx * c + dy * s, dy * c - dx * s
    beam_c, beam_s = np.cos(bearings), np.sin(bearings)
    across = py[:, None] * beam_c - px[:, None] * beam_s
    hits = (np.abs(across) <= (size + ROUNDING)[:, None]).ravel().nonzero()[0]
    pair, beam = np.divmod(hits, bearings.size)
    ahead = px[pair] * beam_c[beam] + py[pair] * beam_s[beam] > -ROUNDING
    pair, beam = pair[ahead], beam[ahead]
    dx, dy, size, one = dx[pair], dy[pair], size[pair], one[pair]
    directions = heading[one] + bearings[beam]
    ux, uy = np.cos(directions), np.sin(directions)
    along, aside = dx * ux + dy * uy, dx * uy - dy * ux
    half_2 = size * size - aside * aside
    hit = ((along > 0.0) & (half_2 > 0.0)).nonzero()[0]
    return one[hit], beam[hit], np.maximum(0.0, along[hit] - np.sqrt(half_2[hit]))


def _by_walls(
    ground: WalledRectangle, poses: tuple[Floats, Floats, Floats], far: float, members: Mask | None
) -> Numbers:
    """The robots that are within a distance (m) of a wall, or beyond it."""
    if not ground.walled:
        return np.empty(0, np.int64)
    x, y, _ = poses
    near = (x < far) | (y < far) | (x > ground.width - far) | (y > ground.height - far)
    if members is not None:
        near &= members
    found: Numbers = near.nonzero()[0]
    return found


def _of_walls(
    ground: WalledRectangle, poses: tuple[Floats, Floats, Floats], bearings: Floats, bodies: Numbers
) -> Floats:
    """How far it is to the walls from the middle of each of these bodies, along each of its beams (m)."""
    x, y, heading = (column[bodies, None] for column in poses)
    directions = heading + bearings
    ux, uy = np.cos(directions), np.sin(directions)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        along_x = np.where(ux > 0.0, ground.width - x, 0.0 - x) / ux
        along_y = np.where(uy > 0.0, ground.height - y, 0.0 - y) / uy
    along_x[ux == 0.0] = along_y[uy == 0.0] = inf
    nearest: Floats = np.maximum(0.0, np.minimum(along_x, along_y))
    return nearest
