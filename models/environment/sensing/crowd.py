"""Lists of neighbours of a crowd: all are made at once, in arrays."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np
from numpy.typing import NDArray

from devs_robotics.models.environment.field import Field
from devs_robotics.models.environment.nearby import EARLY, HORIZON, Nearby
from devs_robotics.models.environment.sensing.pose_arrays import Numbers, PoseArrays

HOLDS = 0.5
"""How long lists hold that have to reach no further than contacts (s): shorter ones hold fewer bodies."""

ROUNDING = 1e-9
"""Room for rounding in distances (m)."""

TOUCHING = 2e-3
"""Distance at which bodies count as touching when contacts are screened (m): more than what holds a body may be off."""


class CrowdNearby(Nearby):
    """Lists that hold for all bodies alike, moving or not, so that either of two neighbours is in the other's list.

    While nobody moves they hold for ever. They are taken from pairs that hold longer, as these are slower to find.

    Args:
        field: of the bodies
        reach: distance of centres within which bodies matter to each other (m)
        poses: where bodies are
    """

    def __init__(self, field: Field, reach: float, poses: PoseArrays) -> None:
        self._poses = poses
        self._until = inf
        self._contact = reach
        self._pairs: tuple[Numbers, Numbers] = np.empty(0, np.int64), np.empty(0, np.int64)
        self._pairs_until = -inf
        """Until when nobody is near but these pairs (s)."""
        super().__init__(field, reach)

    def grow(self) -> None:
        """Make room for bodies that have joined; `jumped` then enters them."""
        more = len(self.field.x) - len(self.near)
        self.near += [[] for _ in range(more)]
        self.expires += [self._until] * more

    def leave(self, body: int) -> None:
        """Take a body out of all lists."""
        for near in self.near:
            if body in near:
                near.remove(body)
        self.near[body] = []

    def next_time(self) -> float:
        """When the lists expire (s)."""
        return self._until

    def renew(self, now: float) -> list[int]:
        """Make the lists anew, if they expire about now; returns all bodies then."""
        if self._until > now + EARLY:
            return []
        return self._all_anew() if self._pairs_until < now + self._hold else self._listed()

    def hearing(self, body: int) -> Iterable[int]:
        """Who has to hear when the motion of a body changes."""
        return self.near[body]

    def changed(self, body: int, *, was_moving: bool) -> list[int]:
        """A body moves otherwise now; returns the bodies whose lists were made anew."""
        anew = self.faster()
        self._let_expire()
        return anew

    def rebuild(self, body: int) -> None:
        """Make the list of a body anew, for the present time."""
        poses = self._poses
        poses.take()
        dx, dy = poses.x - poses.x[body], poses.y - poses.y[body]
        near: list[int] = np.flatnonzero(dx * dx + dy * dy <= self._radius * self._radius).tolist()
        if body in near:  # and has not left
            near.remove(body)
        self.near[body] = near
        self._let_expire()

    def jumped(self, body: int) -> None:
        """A body is elsewhere now: make its list anew, and enter it in the lists of all that are near."""
        self.rebuild(body)
        for other in self.near[body]:
            if body not in self.near[other]:
                self.near[other].append(body)
        self._pairs_until = -inf

    def touchable(self, bodies: list[int], beyond: float) -> list[int]:
        """Those that have something on their way, or close enough to it."""
        poses, field = self._poses, self.field
        if field.obstacles or len(bodies) < len(self.near) - len(field.bodies.gone):
            return bodies
        poses.take()
        time = self._hold + beyond
        way = np.abs(poses.speed) * time + poses.radius + TOUCHING
        found = np.zeros(len(way), bool)
        if field.walled:
            x, y = poses.x, poses.y
            found |= (x < way) | (y < way) | (x > field.width - way) | (y > field.height - way)
        one, other = self._pairs
        meeting = _may_meet(poses, one, other, time)
        found[one[meeting]] = found[other[meeting]] = True
        touchable: list[int] = np.flatnonzero(found).tolist()
        return touchable

    @property
    def _hold(self) -> float:
        """How long lists hold (s)."""
        return HOLDS if self.reach <= self._contact else HORIZON

    def _all_anew(self) -> list[int]:
        self._poses.take()
        self._pairs = self._poses.within(self.reach + 2.0 * self._fastest * HORIZON + ROUNDING)
        self._pairs_until = self.field.now + HORIZON
        return self._listed()

    def _listed(self) -> list[int]:
        """Make the lists of the pairs that are near enough now; returns all bodies."""
        poses, bodies = self._poses, self.field.bodies
        self._radius = self.reach + 2.0 * self._fastest * self._hold + ROUNDING
        poses.take()
        one, other = self._pairs
        dx, dy = poses.x[other] - poses.x[one], poses.y[other] - poses.y[one]
        close = dx * dx + dy * dy <= self._radius * self._radius
        near: list[list[int]] = [[] for _ in range(len(bodies))]
        for body, its in zip(one[close].tolist(), other[close].tolist(), strict=True):
            near[body].append(its)
            near[its].append(body)
        self.near = near
        self._hold_until(self.field.now + self._hold if bodies.moving else inf)
        return [body for body in range(len(bodies)) if body not in bodies.gone]

    def _let_expire(self) -> None:
        """Bodies may move again, after all have rested."""
        if self._until == inf and self.field.bodies.moving:
            self._hold_until(self.field.now + self._hold)
            self._pairs_until = -inf

    def _hold_until(self, time: float) -> None:
        self._until = time
        self.expires = [time] * len(self.near)


def _may_meet(poses: PoseArrays, one: Numbers, other: Numbers, time: float) -> NDArray[np.bool_]:
    """Whether pairs of bodies may touch within a time (s): on a line by how near they come, else by their speeds."""
    dx, dy = poses.x[other] - poses.x[one], poses.y[other] - poses.y[one]
    vx, vy = poses.speed * poses.cos, poses.speed * poses.sin
    wx, wy = vx[other] - vx[one], vy[other] - vy[one]
    size = poses.radius[one] + poses.radius[other] + TOUCHING
    straight = (poses.rate == 0.0) | (poses.speed == 0.0)
    square = wx * wx + wy * wy
    nearest = np.clip(-(dx * wx + dy * wy) / np.where(square > 0.0, square, 1.0), 0.0, time)
    px, py = dx + wx * nearest, dy + wy * nearest
    reach = size + (np.abs(poses.speed[one]) + np.abs(poses.speed[other])) * time
    missing = straight[one] & straight[other] & (px * px + py * py > size * size)
    met: NDArray[np.bool_] = (dx * dx + dy * dy <= reach * reach) & ~missing
    return met
