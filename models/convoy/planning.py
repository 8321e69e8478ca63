"""How a follower plans a round, and how it keeps account of what it did (Hu & Zeigler, equations 1 to 3)."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, remainder, sin

from devs_robotics.models.convoy.messages import Sync


def plan(gap: float, bearing: float, delta: float, front: Sync, spacing: float) -> tuple[float, float]:
    """Where the front robot has gone, and the turn and drive that lead to `spacing` behind it, facing it.

    Equations (1) and (2) with the arctangent in its right quadrant and no division by sin(alpha), which is zero on
    the straight.

    Args:
        gap: distance to the front robot before it moved, centre to centre (m)
        bearing: angle to the front robot before it moved, from the own heading (rad)
        delta: the front robot's heading minus the own, before it moved (rad)
        front: how the front robot has moved
        spacing: wanted distance, centre to centre (m)

    Returns:
        alpha (rad) and distance (m, negative: backward)
    """
    ahead = gap * cos(bearing) + front.distance * cos(front.alpha + delta)
    aside = gap * sin(bearing) + front.distance * sin(front.alpha + delta)
    return atan2(aside, ahead), hypot(ahead, aside) - spacing


def next_delta(delta: float, front: Sync, turned: float) -> float:
    """Equation (3): the heading difference after the front robot's motion and the own turns, in [-pi, pi]."""
    return remainder(delta + front.alpha + front.beta - turned, 2.0 * pi)


def seen_delta(before: tuple[float, float], own: Odometry, gap: float, front: Sync) -> float | None:
    """The front robot's heading minus the own, both before the round, as seen from how it has moved.

    Equation (3) adds up headings that neither robot can measure, so that its error grows with the square root of the
    number of rounds. The displacement of the front robot, seen before and after the round, tells where it was heading.

    Args:
        before: gap (m) and bearing (rad) to the front robot before it moved
        own: the own motions since then
        gap: distance to the front robot now, straight ahead (m)
        front: how the front robot says it has moved

    Returns:
        delta (rad), or None when the front robot has moved too little to tell
    """
    x = own.x + gap * cos(own.turned) - before[0] * cos(before[1])
    y = own.y + gap * sin(own.turned) - before[0] * sin(before[1])
    if hypot(x, y) < 0.5 * abs(front.distance) or not front.distance:
        return None
    backward = pi if front.distance < 0.0 else 0.0
    return remainder(atan2(y, x) - front.alpha - backward, 2.0 * pi)


class Odometry:
    """The motions that a robot has made in one round as its motor reports them, added up.

    Attributes:
        turned: all turns together (rad)
        x, y: place, from where and in the direction in which the round began (m)
    """

    def __init__(self) -> None:
        self.turned = 0.0
        self.x = 0.0
        self.y = 0.0
        self._before_drive = 0.0
        self._driven = 0.0
        self._drives = 0

    def add(self, turn: float, distance: float) -> None:
        """Account for a turn and then a drive."""
        self.turned += turn
        if distance:
            self._drives += 1
            if self._drives == 1:
                self._before_drive, self._driven = self.turned, distance
            self.x += distance * cos(self.turned)
            self.y += distance * sin(self.turned)

    def sync(self, robot: int) -> Sync:
        """What to tell the back neighbour: one turn, one drive and one turn that lead where the motions led."""
        if self._drives <= 1:
            alpha, distance = self._before_drive, self._driven
        else:
            alpha, distance = atan2(self.y, self.x), hypot(self.x, self.y)
            if self._driven < 0.0:
                alpha, distance = remainder(alpha + pi, 2.0 * pi), -distance
        return Sync(robot, alpha, distance, self.turned - alpha)
