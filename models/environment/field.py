"""The field: walls round it, obstacles in it, and the bodies of the robots, with exact sensing and motion."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, inf, remainder, sin, tau

from devs_robotics.models.environment.grid import Bounds, Grid
from devs_robotics.models.environment.shapes import Shape, hit_circle

Pose = tuple[float, float, float]
"""x (m), y (m), heading (rad)."""


class Field:
    """A walled rectangle from (0, 0) to (width, height) with obstacles and round bodies in it.

    Bodies are solid: a motion ends where its body first touches a wall, an obstacle or another body.

    Args:
        width, height: size (m)
        obstacles: what stands in it and does not move
        cell: side of a cell of the index that finds what is near (m)
    """

    def __init__(self, width: float, height: float, obstacles: Sequence[Shape] = (), cell: float = 0.5) -> None:
        self.width = width
        self.height = height
        self.obstacles = tuple(obstacles)
        self.x: list[float] = []
        self.y: list[float] = []
        self.heading: list[float] = []
        self.radius: list[float] = []
        self._largest = 0.0
        self._grid = Grid(cell)
        for number, obstacle in enumerate(self.obstacles):
            self._grid.put_obstacle(number, obstacle.bounds())

    def add_body(self, x: float, y: float, heading: float, radius: float) -> int:
        """Put a round body into the field; returns its number, from 0."""
        body = len(self.x)
        self.x.append(x)
        self.y.append(y)
        self.heading.append(remainder(heading, tau))
        self.radius.append(radius)
        self._largest = max(self._largest, radius)
        self._grid.put_body(body, x, y)
        return body

    def cast(self, body: int, bearing: float, reach: float) -> float:
        """Ray cast: distance (m) along a beam from the edge of a body to the nearest thing; infinite beyond `reach`."""
        direction = self.heading[body] + bearing
        ux, uy = cos(direction), sin(direction)
        edge = self.radius[body]
        distance = self._free(body, ux, uy, edge + reach, 0.0) - edge
        return max(0.0, distance) if distance <= reach else inf

    def free_distance(self, body: int, sign: float, reach: float, turn: float = 0.0) -> float:
        """Free distance (m): how far a body can go forward (`sign` 1) or backward (-1) until its first contact.

        Infinite when there is nothing within `reach`.
        """
        heading = self.heading[body] + turn
        return self._free(body, sign * cos(heading), sign * sin(heading), reach, self.radius[body])

    def turn(self, body: int, angle: float) -> None:
        """Rotate a body about its centre (rad)."""
        if angle:
            self.heading[body] = remainder(self.heading[body] + angle, tau)

    def advance(self, body: int, distance: float) -> None:
        """Move a body along its heading (m, negative: backward), without regard to contacts."""
        x, y, heading = self.x[body], self.y[body], self.heading[body]
        self.x[body] = x + distance * cos(heading)
        self.y[body] = y + distance * sin(heading)
        self._grid.move_body(body, x, y, self.x[body], self.y[body])

    def place(self, body: int, x: float, y: float, heading: float) -> None:
        """Put a body elsewhere, whatever is there."""
        self._grid.move_body(body, self.x[body], self.y[body], x, y)
        self.x[body], self.y[body] = x, y
        self.heading[body] = remainder(heading, tau)

    def clearance(self, body: int) -> float:
        """Clearance (m): distance from the edge of a body to the nearest other thing; negative where they overlap."""
        x, y, radius = self.x[body], self.y[body], self.radius[body]
        nearest = min(x, y, self.width - x, self.height - y)
        for obstacle in self.obstacles:
            nearest = min(nearest, obstacle.distance(x, y))
        for other in range(len(self.x)):
            if other != body:
                nearest = min(nearest, hypot(self.x[other] - x, self.y[other] - y) - self.radius[other])
        return nearest - radius

    def _free(self, body: int, ux: float, uy: float, reach: float, radius: float) -> float:
        """Free distance (m) of a disc of `radius` at the centre of `body` along (ux, uy), past the body itself."""
        x, y = self.x[body], self.y[body]
        nearest = self._free_of_walls(x, y, ux, uy, radius)
        bounds = _swept(x, y, ux, uy, reach if reach < nearest else nearest, radius + self._largest)
        xs, ys, radii = self.x, self.y, self.radius
        for residents in self._grid.bodies(bounds):
            for other in residents:
                if other != body:
                    distance = hit_circle(xs[other] - x, ys[other] - y, ux, uy, radii[other] + radius)
                    if distance < nearest:
                        nearest = distance
        for number in self._grid.obstacles(bounds):
            nearest = min(nearest, self.obstacles[number].hit(x, y, ux, uy, radius))
        return nearest if nearest <= reach else inf

    def _free_of_walls(self, x: float, y: float, ux: float, uy: float, radius: float) -> float:
        along_x = inf if ux == 0.0 else ((self.width - radius - x) / ux if ux > 0.0 else (radius - x) / ux)
        along_y = inf if uy == 0.0 else ((self.height - radius - y) / uy if uy > 0.0 else (radius - y) / uy)
        return max(0.0, min(along_x, along_y))


def _swept(x: float, y: float, ux: float, uy: float, reach: float, margin: float) -> Bounds:
    x_end, y_end = x + reach * ux, y + reach * uy
    return min(x, x_end) - margin, min(y, y_end) - margin, max(x, x_end) + margin, max(y, y_end) + margin
