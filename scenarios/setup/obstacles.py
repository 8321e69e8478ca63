"""The shapes of the obstacles that a scenario names."""

from __future__ import annotations

from devs_robotics.models.environment import Circle, Polygon, Shape, box
from devs_robotics.scenarios.settings.tables import BoxObstacle, CircleObstacle, Obstacle


def shape_of(obstacle: Obstacle) -> Shape:
    """An obstacle as the environment knows it."""
    if isinstance(obstacle, BoxObstacle):
        return box(obstacle.x, obstacle.y, obstacle.width, obstacle.height, obstacle.heading)
    if isinstance(obstacle, CircleObstacle):
        return Circle(obstacle.x, obstacle.y, obstacle.radius)
    return Polygon(obstacle.corners)
