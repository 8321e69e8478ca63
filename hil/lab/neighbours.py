"""Neighbours: for each body those that it may touch soon, so that nobody looks at all (lists after Verlet, 1967)."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Generic, Protocol, TypeVar

STRIDE = 0.05
"""Longest way of one step (m) on which a body can meet its neighbours only."""

SLACK = 0.3
"""Distance, beyond the one that matters, within which bodies are neighbours (m); when one has gone half of it, its
neighbours are looked for again."""


class Located(Protocol):
    """A round body with whiskers (m)."""

    x: float
    y: float
    radius: float
    whisker_reach: float


B = TypeVar("B", bound=Located)


class Neighbours(Generic[B]):
    """Which bodies are near each other: whiskers of one, or a stride, may reach the other.

    Args:
        bodies: that move about
    """

    def __init__(self, bodies: Sequence[B]) -> None:
        self._near: dict[B, list[B]] = {}
        self._entered: dict[B, tuple[float, float]] = {}
        """Where each body was when its neighbours were looked for."""
        for body in bodies:
            self._enter(body)

    def of(self, body: B) -> list[B]:
        """All that are near a body, and some more."""
        return self._near[body]

    def moved(self, body: B) -> None:
        """A body has moved; must be told of every one that has."""
        x, y = self._entered[body]
        if hypot(body.x - x, body.y - y) > 0.5 * SLACK:
            for other in self._near.pop(body):
                self._near[other].remove(body)
            del self._entered[body]
            self._enter(body)

    def _enter(self, body: B) -> None:
        near = []
        for other, (x, y) in self._entered.items():
            matters = body.radius + other.radius + max(STRIDE, body.whisker_reach, other.whisker_reach)
            if hypot(body.x - x, body.y - y) <= matters + SLACK:
                near.append(other)
                self._near[other].append(body)
        self._near[body] = near
        self._entered[body] = (body.x, body.y)
