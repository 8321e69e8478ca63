"""A body's motion at constant speed and turn rate: a circular arc, a straight line, a turn in place, or rest."""

from __future__ import annotations

from math import cos, inf, remainder, sin, tau

from msgspec import Struct

from devs_robotics.models.environment.motion.trajectory import Pose


class Arc(Struct, frozen=True, gc=False):
    """Motion at constant speed and turn rate from a pose on, until something else replaces it.

    Poses are evaluated from its start, never step by step: looking more or less often changes nothing.

    Attributes:
        start: time at which it starts (s)
        x, y: place at the start (m)
        heading: at the start (rad)
        speed: along the heading (m/s, negative: backward)
        turn_rate: counter-clockwise (rad/s)
    """

    start: float
    x: float
    y: float
    heading: float
    speed: float = 0.0
    turn_rate: float = 0.0

    def pose(self, time: float) -> Pose:
        """Pose at a time (s): x (m), y (m), heading (rad, from -pi to pi)."""
        heading = self.heading
        if not self.speed:
            return self.x, self.y, remainder(heading + self.turn_rate * (time - self.start), tau)
        chord = self.speed * (time - self.start)
        half = 0.5 * self.turn_rate * (time - self.start)
        if half:
            chord *= sin(half) / half
        middle = heading + half  # a chord has the heading of half its arc
        return self.x + chord * cos(middle), self.y + chord * sin(middle), remainder(middle + half, tau)

    def velocity(self, time: float) -> tuple[float, float]:
        """Velocity of the centre at a time: along x and along y (m/s)."""
        heading = self.heading + self.turn_rate * (time - self.start)
        return self.speed * cos(heading), self.speed * sin(heading)

    @property
    def at_rest(self) -> bool:
        """Whether it neither moves nor turns."""
        return not self.speed and not self.turn_rate

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of rotation: x and y (m).

        Raises:
            ValueError: the arc does not turn
        """
        if not self.turn_rate:
            raise ValueError("an arc that does not turn has no centre of rotation: look at its turn_rate first")
        radius = self.speed / self.turn_rate
        return self.x - radius * sin(self.heading), self.y + radius * cos(self.heading)

    @property
    def fastest(self) -> float:
        """Its speed without sign (m/s)."""
        return abs(self.speed)

    @property
    def fastest_turn(self) -> float:
        """Its turn rate without sign (rad/s)."""
        return abs(self.turn_rate)

    @property
    def end(self) -> float:
        """Infinite: it lasts until something replaces it."""
        return inf
