"""Random arenas, and an independent way to tell how far a point is from what stands in one."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

import numpy as np
from hypothesis import strategies as st

from devs_robotics.hil.lab.arena import Arena
from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.physics import Body
from devs_robotics.hil.lab.plan import Corners, LabDisc

WIDTH, HEIGHT = 3.0, 2.0


def gap(arena: Arena, x: float, y: float, others: Sequence[Body]) -> float:
    """Distance from a point to the nearest thing (m); not positive inside one."""
    gaps = [x, WIDTH - x, y, HEIGHT - y]
    gaps += [hypot(disc.x - x, disc.y - y) - disc.radius for disc in arena.discs]
    gaps += [hypot(other.x - x, other.y - y) - other.radius for other in others]
    gaps += [_polygon_gap(x, y, corners) for corners in arena.polygons]
    return min(gaps)


def _polygon_gap(x: float, y: float, corners: Corners) -> float:
    """By complex numbers: the sum of the angles under which the edges are seen is a full turn inside."""
    here = complex(x, y)
    points = np.array([complex(*corner) for corner in corners]) - here
    following = np.roll(points, -1)
    winding = np.angle(following / points).sum()
    edges = following - points
    shares = np.clip((-points * edges.conj()).real / (np.abs(edges) ** 2), 0.0, 1.0)
    nearest = float(np.abs(points + shares * edges).min())
    return -nearest if abs(winding) > pi else nearest


inside_x = st.floats(0.1, WIDTH - 0.1)
inside_y = st.floats(0.1, HEIGHT - 0.1)
angles = st.floats(-pi, pi)


@st.composite
def polygons(draw: st.DrawFn) -> Corners:
    """A star-shaped polygon, convex or not."""
    x, y = draw(inside_x), draw(inside_y)
    number = draw(st.integers(3, 6))
    sizes = draw(st.lists(st.floats(0.05, 0.3), min_size=number, max_size=number))
    start = draw(angles)
    return tuple(
        (x + size * cos(start + 2 * pi * k / number), y + size * sin(start + 2 * pi * k / number))
        for k, size in enumerate(sizes)
    )


@st.composite
def arenas(draw: st.DrawFn, bodies: int = 4) -> tuple[Arena, list[Body]]:
    """An arena with obstacles and at least one body; no body stands in anything."""
    discs = [
        LabDisc(x, y, radius)
        for x, y, radius in draw(st.lists(st.tuples(inside_x, inside_y, st.floats(0.02, 0.3)), max_size=3))
    ]
    placed: list[Body] = []
    arena = Arena(WIDTH, HEIGHT, discs, draw(st.lists(polygons(), max_size=2)), placed)
    candidates = st.tuples(inside_x, inside_y, angles, st.floats(0.03, 0.15))
    for x, y, heading, radius in draw(st.lists(candidates, min_size=1, max_size=bodies)):
        body = Body(Pose(x, y, heading), radius)
        if arena.clearance(body) > 0.0 and gap(arena, x, y, placed) > radius:
            placed.append(body)
    return arena, placed
