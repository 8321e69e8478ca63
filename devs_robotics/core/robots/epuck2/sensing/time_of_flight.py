"""What the time of flight sensor reads of something ahead."""

from __future__ import annotations

from devs_robotics.core.robots.epuck2.time_of_flight import FARTHEST_MM, NEAREST_MM


def reading_mm(distance: float, error: float = 0.0) -> int:
    """Whole millimetres, from `NEAREST_MM` to `FARTHEST_MM`.

    Args:
        distance: from the body's edge along the ray (m); infinite for nothing
        error: that noise adds (m)
    """
    return round(min(float(FARTHEST_MM), max(float(NEAREST_MM), 1000.0 * (distance + error))))
