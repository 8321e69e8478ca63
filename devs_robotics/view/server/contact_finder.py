"""Which robots of a live run touch each other, found in the states that viewers get: the run does nothing for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from devs_robotics.view.scene import SceneBody
from devs_robotics.view.states import THERE, Floats, ViewState

TOUCH = 1e-4
"""Gap up to which bodies touch (m); places in states are rounded."""

Pair = tuple[int, int]


class ContactFinder:
    """Finds which robots have come to touch each other since the state before: those of the model, real ones never."""

    def __init__(self) -> None:
        self._before: set[Pair] = set()
        self.learn(())

    def learn(self, bodies: Iterable[SceneBody]) -> None:
        """These are the bodies of the scene."""
        found = {body.slot: body for body in bodies if body.robot and body.kind != "real"}
        self._slots = np.array(sorted(found), dtype=int)
        self._robots = [found[slot].robot for slot in self._slots.tolist()]
        self._radii = np.array([found[slot].radius for slot in self._slots.tolist()])

    def find(self, state: ViewState) -> list[Pair]:
        """Numbers of robots that touch now and did not in the state before, the lower number first, in their order."""
        here = self._slots < len(state.bits)
        slots = self._slots[here]
        here[here] = (state.bits[slots] & THERE) > 0
        now = set(_touching(state.poses[:2, self._slots[here]].astype(float), self._radii[here], np.flatnonzero(here)))
        new = now - self._before
        self._before = now
        return sorted((min(pair), max(pair)) for pair in ((self._robots[a], self._robots[b]) for a, b in new))


def _touching(places: Floats, radii: Floats, numbers: Floats) -> Iterator[Pair]:
    """Numbers of bodies that touch: sorted by x, each is held against those that may be near enough."""
    order = np.argsort(places[0], kind="stable")
    (x, y), radii, numbers = places[:, order], radii[order], numbers[order]
    reach = 2.0 * float(radii.max(initial=0.0)) + TOUCH
    for step in range(1, len(x)):
        dx = x[step:] - x[:-step]
        if dx.min() > reach:
            return
        gap = np.hypot(dx, y[step:] - y[:-step]) - radii[step:] - radii[:-step]
        for at in np.flatnonzero(gap <= TOUCH).tolist():
            one, other = int(numbers[at]), int(numbers[at + step])
            yield min(one, other), max(one, other)
