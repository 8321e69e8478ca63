"""What the accelerometer and the gyroscope tell of a robot on an even floor."""

from __future__ import annotations

from devs_robotics.core.robots.epuck2.inertial import GRAVITY, RAW_PER_G, RAW_RATE

Vector = tuple[float, float, float]
"""Ahead, to the left, up."""


def accelerometer(speed: float, turn_rate: float, acceleration: float = 0.0) -> Vector:
    """The acceleration that is felt (m/s^2).

    Args:
        speed: of the robot's middle (m/s, negative: backward)
        turn_rate: counter-clockwise (rad/s)
        acceleration: change of its speed (m/s^2); 0 on motions of constant wheel speeds
    """
    return acceleration, turn_rate * speed, GRAVITY


def gyroscope(turn_rate: float) -> Vector:
    """Rates of turn about the three axes (rad/s)."""
    return 0.0, 0.0, turn_rate


def raw_acceleration(value: float) -> int:
    """What goes over the wire for an acceleration (m/s^2)."""
    return _limited(RAW_PER_G * value / GRAVITY)


def raw_rate(value: float) -> int:
    """What goes over the wire for a rate of turn (rad/s)."""
    return _limited(value / RAW_RATE)


def _limited(value: float) -> int:
    return round(max(-32768.0, min(32767.0, value)))
