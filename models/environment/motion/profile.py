"""Motion along a straight line with a speed that changes smoothly: pieces of constant jerk, as motion planners give."""

from __future__ import annotations

from math import cos, remainder, sin, tau

from msgspec import Struct

from devs_robotics.models.environment.motion.trajectory import Pose

Piece = tuple[float, float]
"""Duration (s) and jerk in it (m/s^3)."""


class Profile(Struct, frozen=True):
    """Motion along a straight line by pieces of constant jerk; before its start and after its end it is at rest.

    Attributes:
        start: time at which it starts (s)
        x, y: place at the start (m)
        heading: all along (rad)
        pieces: duration (s) and jerk (m/s^3) of each piece, the first first
        speed: along the heading at the start (m/s, negative: backward)
        acceleration: along the heading at the start (m/s^2)
    """

    start: float
    x: float
    y: float
    heading: float
    pieces: tuple[Piece, ...]
    speed: float = 0.0
    acceleration: float = 0.0

    def pose(self, time: float) -> Pose:
        """Pose at a time (s): x (m), y (m), heading (rad, from -pi to pi)."""
        distance = self.distance(time)
        heading = self.heading
        return self.x + distance * cos(heading), self.y + distance * sin(heading), remainder(heading, tau)

    def distance(self, time: float) -> float:
        """How far it has come along the heading since its start (m, negative: backward)."""
        left = time - self.start
        distance, speed, acceleration = 0.0, self.speed, self.acceleration
        for duration, jerk in self.pieces:
            if left <= 0.0:
                break
            h = min(left, duration)
            distance += h * (speed + h * (acceleration / 2.0 + h * jerk / 6.0))
            speed += h * (acceleration + h * jerk / 2.0)
            acceleration += h * jerk
            left -= duration
        return distance

    def speed_at(self, time: float) -> float:
        """Speed along the heading at a time (m/s, negative: backward); 0 before its start and from its end on."""
        left = time - self.start
        if left < 0.0 or time >= self.end:
            return 0.0
        speed, acceleration = self.speed, self.acceleration
        for duration, jerk in self.pieces:
            h = min(left, duration)
            speed += h * (acceleration + h * jerk / 2.0)
            acceleration += h * jerk
            left -= duration
            if left < 0.0:
                break
        return speed

    def acceleration_at(self, time: float) -> float:
        """Acceleration along the heading at a time (m/s^2); 0 before its start and from its end on."""
        left = time - self.start
        if left < 0.0 or time >= self.end:
            return 0.0
        acceleration = self.acceleration
        for duration, jerk in self.pieces:
            acceleration += min(left, duration) * jerk
            left -= duration
            if left < 0.0:
                break
        return acceleration

    @property
    def fastest(self) -> float:
        """Its largest speed without sign (m/s): at an end of a piece, or where the acceleration is 0 within one."""
        speed, acceleration = self.speed, self.acceleration
        fastest = abs(speed)
        for duration, jerk in self.pieces:
            turning = -acceleration / jerk if jerk else 0.0
            if 0.0 < turning < duration:
                fastest = max(fastest, abs(speed + turning * acceleration / 2.0))
            speed += duration * (acceleration + duration * jerk / 2.0)
            acceleration += duration * jerk
            fastest = max(fastest, abs(speed))
        return fastest

    @property
    def fastest_turn(self) -> float:
        """0: it does not turn."""
        return 0.0

    @property
    def end(self) -> float:
        """Time at which its last piece ends (s)."""
        return self.start + sum([duration for duration, _ in self.pieces])
