"""What any motion in closed form answers."""

from __future__ import annotations

from typing import Protocol

Pose = tuple[float, float, float]
"""x (m), y (m), heading (rad)."""


class Trajectory(Protocol):
    """A motion in closed form: where a body is at any time, and bounds of how fast it moves."""

    def pose(self, time: float) -> Pose:
        """Pose at a time (s): x (m), y (m), heading (rad, from -pi to pi)."""
        ...

    @property
    def fastest(self) -> float:
        """Upper bound of its speed (m/s), at least 0."""
        ...

    @property
    def fastest_turn(self) -> float:
        """Upper bound of its turn rate either way (rad/s), at least 0."""
        ...

    @property
    def end(self) -> float:
        """Time at which it ends (s), infinite if it does not; after it the body is at rest."""
        ...
