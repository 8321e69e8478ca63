"""What a proximity sensor reads of something, by the response that its robot has."""

from __future__ import annotations

from itertools import pairwise

from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, Points, Quadratic, Response


def reach(response: Response) -> float:
    """The largest distance from the body's edge (m) at which a sensor with this response may read anything."""
    return response.points[-1][0] if isinstance(response, Points) else response.reach


def reading(response: Response, distance: float) -> int:
    """What a sensor reads of something at a distance from the body's edge (m, at least 0; infinite for nothing)."""
    if distance > reach(response):
        return 0
    if isinstance(response, Quadratic):
        amount = BRIGHTEST * ((response.a * distance + response.b) * distance + response.c)
    elif isinstance(response, Points):
        amount = _between(response.points, distance)
    else:
        amount = BRIGHTEST * (response.half_length / (response.half_length + distance)) ** 2
    return round(min(BRIGHTEST, max(0.0, amount)))


def _between(points: tuple[tuple[float, int], ...], distance: float) -> float:
    for (near, brighter), (far, darker) in pairwise(points):
        if distance <= far:
            return brighter + (darker - brighter) * (distance - near) / (far - near)
    return 0.0
