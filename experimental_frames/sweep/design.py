"""The plan of a sweep, as `design.json` keeps it: written by the sweep, read by reports."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Value = bool | int | float | str | None
"""What a table has of a varied key: SI numbers, words, and lists as JSON."""


class Design(Struct, frozen=True, kw_only=True):
    """The points of a sweep, and how they were chosen.

    Attributes:
        kind: all combinations of given values, or a sample for Sobol indices or for Morris' elementary effects
        keys: which are varied
        bounds: of each key the lowest and the highest value (SI); none in a factorial design
        samples: N, as SALib means it
        levels: of the grid on which Morris' trajectories move
        second_order: whether a sample serves Sobol indices of the second order
        replicates: runs per point
        first_seed: replicate r has the seed ``first_seed + r``, the same at every point
        points: of each the values (SI) by key
    """

    kind: Literal["factorial", "sobol", "morris"]
    keys: tuple[str, ...]
    bounds: tuple[tuple[float, float], ...] = ()
    samples: int | None = None
    levels: int | None = None
    second_order: bool = False
    replicates: int
    first_seed: int
    points: tuple[tuple[Value, ...], ...]

    @property
    def runs(self) -> int:
        """How many there are."""
        return len(self.points) * self.replicates

    def number(self, point: int, replicate: int) -> int:
        """Of a run, in the order of points, and at each point of replicates; it is another one with more replicates."""
        return point * self.replicates + replicate

    def seed(self, replicate: int) -> int:
        """Of a replicate, the same at every point."""
        return self.first_seed + replicate
