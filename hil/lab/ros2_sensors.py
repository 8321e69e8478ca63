"""The sensors of an e-puck2 as its stand-in publishes them for ROS 2: what epuck_ros2 makes of raw readings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from devs_robotics.core.robots.epuck2.ros import GROUND, INFRARED, PERIOD
from devs_robotics.hil.lab.epuck import EPuck
from devs_robotics.hil.lab.surroundings import Surroundings

Tell = Callable[[str, float], None]
"""Gets the name of a sensor, and what is published of it."""


class Ros2Sensors:
    """Light, proximity and the ground; those that the plan of the robot names.

    Args:
        place: of the robot in the lab
        tell: gets what each sensor tells
    """

    def __init__(self, place: Surroundings, tell: Tell) -> None:
        self._place, self._tell = place, tell
        self._epuck = EPuck(place, selector=0)

    def start(self) -> None:
        """Begin to tell."""
        if self._place.plan.sensors:
            self._place.agenda.every(PERIOD, self._look)

    def _look(self) -> None:
        for name, value in self._readings():
            self._tell(name, value)

    def _readings(self) -> Iterator[tuple[str, float]]:
        wanted, epuck = self._place.plan.sensors, self._epuck
        if "light" in wanted:
            yield from ((f"light{number}", float(raw)) for number, raw in enumerate(epuck.ambient()))
        if "proximity" in wanted:
            seen = epuck.proximity()
            yield from ((f"proximity{number}", distance(raw, INFRARED)) for number, raw in enumerate(seen))
        if "ground" in wanted:
            seen = epuck.ground()
            yield from ((f"ground{number}", distance(raw, GROUND)) for number, raw in enumerate(seen))


def distance(raw: float, points: Sequence[tuple[float, float]]) -> float:
    """What epuck_ros2 makes of a raw reading (m): straight lines between points, the last of which goes on."""
    pairs = list(pairwise(points))
    (near, high), (far, low) = next((pair for pair in pairs if raw >= pair[1][1]), pairs[-1])
    return near + (far - near) * (raw - high) / (low - high)
