"""Who can meet whom: of each body, the bodies that can come near it until its list has to be made anew."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from math import inf

from devs_robotics.models.environment.field import Field

HORIZON = 2.0
"""How long a list holds (s): about the time in which a body drives its own reach twice; longer lists hold more
bodies, shorter ones are made more often."""

EARLY = 0.125
"""How much earlier lists are made anew, so as to go along with other events (s)."""


class Nearby:
    """Lists of neighbours that hold for a while, since no body is faster than the fastest.

    The list of a moving body holds those within `reach` and what two bodies can drive in the time that it holds;
    nobody else can come within `reach` before. The list of a body at rest never expires: who moves enters itself there.

    Args:
        field: of the bodies
        reach: distance of centres within which bodies matter to each other (m)

    Attributes:
        near: of each body, the others that can come within reach of it
        expires: until when that holds (s)
    """

    def __init__(self, field: Field, reach: float) -> None:
        self.field = field
        self.reach = reach
        self.near: list[list[int]] = []
        self.expires: list[float] = []
        self._aware: list[dict[int, float]] = []
        """Of each body, whose lists it is in, and until when (s)."""
        self._fastest = 0.0
        self._expiries: list[tuple[float, int]] = []
        self._radius = reach
        self.grow()

    def grow(self) -> None:
        """Make room for bodies that have joined; `jumped` then enters them."""
        more = len(self.field.x) - len(self.near)
        self.near += [[] for _ in range(more)]
        self.expires += [inf] * more
        self._aware += [{} for _ in range(more)]

    def leave(self, body: int) -> None:
        """Take a body out of all lists."""
        for near, aware in zip(self.near, self._aware, strict=True):
            if body in near:
                near.remove(body)
            aware.pop(body, None)
        self.near[body], self.expires[body], self._aware[body] = [], inf, {}

    def widen(self, reach: float) -> list[int]:
        """Let bodies matter to each other within a larger distance (m); returns those whose lists were made anew."""
        if reach <= self.reach:
            return []
        self.reach = reach
        return self._all_anew()

    def next_time(self) -> float:
        """When the next list expires (s)."""
        expiries = self._expiries
        while expiries and self.expires[expiries[0][1]] != expiries[0][0]:
            heappop(expiries)
        return expiries[0][0] if expiries else inf

    def renew(self, now: float) -> list[int]:
        """Make the lists anew that expire about now; returns the bodies that have them."""
        due: list[int] = []
        until = now + EARLY
        while self.next_time() <= until:
            due.append(heappop(self._expiries)[1])
        bodies = sorted(set(due))
        for body in bodies:
            self.rebuild(body)
        return bodies

    def faster(self) -> list[int]:
        """Let lists hold what they must where a body is faster than any before; returns those made anew."""
        if self.field.bodies.fastest <= self._fastest:
            return []
        self._fastest = self.field.bodies.fastest
        return self._all_anew()

    def hearing(self, body: int) -> Iterable[int]:
        """Who has to hear that the motion of a body changes now: those in whose lists it is."""
        now, aware = self.field.now, self._aware[body]
        for other in [other for other, until in aware.items() if until <= now]:
            del aware[other]
        return aware

    def touchable(self, bodies: list[int], beyond: float) -> list[int]:
        """Of these bodies, whose lists have been made anew, those that may touch anything while these hold.

        Args:
            beyond: time for which they must not touch anything after that (s)
        """
        return bodies

    def changed(self, body: int, *, was_moving: bool) -> list[int]:
        """A body moves otherwise now; returns the bodies whose lists were made anew, of which it may be one."""
        anew = self.faster()
        if not anew and (body in self.field.bodies.moving) != was_moving:
            self.rebuild(body)
            anew = [body]
        return anew

    def rebuild(self, body: int) -> None:
        """Make the list of a body anew, for the present time."""
        field = self.field
        now, pose, moving = field.now, field.bodies.pose, field.bodies.moving
        x, y, _ = pose(body, now)
        square = self._radius * self._radius
        found: list[int] = []
        for other in field.near(x, y, self._radius):
            if other != body:
                dx, dy, _ = pose(other, now)
                dx -= x
                dy -= y
                if dx * dx + dy * dy < square:
                    found.append(other)
        moves = body in moving
        self._forget(body, found)
        expiry = now + HORIZON if moves else inf
        self.near[body] = found
        self.expires[body] = expiry
        if moves:
            heappush(self._expiries, (expiry, body))
        aware, mine = self._aware, self._aware[body]
        for other in found:
            aware[other][body] = expiry
            if other not in moving:
                if body not in self.near[other]:
                    self.near[other].append(body)
                mine[other] = expiry

    def jumped(self, body: int) -> None:
        """A body is elsewhere now: make its list anew, and enter it in the lists of all that are near."""
        self.rebuild(body)
        for other in self.near[body]:
            if body not in self.near[other]:
                self.near[other].append(body)
            self._aware[body][other] = max(self.expires[other], self.expires[body])

    def _forget(self, body: int, found: list[int]) -> None:
        """Take a body out of the lists of those that it is no longer near to, if these are at rest."""
        for other in self.near[body]:
            if other in found:
                continue
            self._aware[other].pop(body, None)
            if other not in self.field.bodies.moving:
                self._aware[body].pop(other, None)
                if body in self.near[other]:
                    self.near[other].remove(body)

    def _all_anew(self) -> list[int]:
        self._radius = self.reach + 2.0 * self._fastest * HORIZON
        self.field.index_by(self._radius + self.field.drift)
        gone = self.field.bodies.gone
        everybody = [body for body in range(len(self.near)) if body not in gone]
        for body in everybody:
            self.rebuild(body)
        return everybody
