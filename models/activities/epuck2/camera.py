"""The e-puck2's camera in the environment model: LEDs and lamps as coloured blobs, no image."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin, tan

from msgspec import Struct

from devs_robotics import Sense, Sensor, Service
from devs_robotics.core.robots.epuck2.camera import ABOVE, AHEAD, DEFAULT_VIEW, RANGE, VIEWS
from devs_robotics.core.robots.epuck2.messages import Blobs, LedState
from devs_robotics.core.robots.epuck2.sensing.camera import blob
from devs_robotics.core.robots.epuck2.sensing.leds import Colour, shining
from devs_robotics.models.activities.virtual import VirtualActivity
from devs_robotics.models.environment.lamps import Lamp
from devs_robotics.models.environment.questions import Question
from devs_robotics.models.environment.sight import in_sight
from devs_robotics.models.environment.world import World

Spot = tuple[tuple[float, float, float], Colour]
"""Where something shines: ahead of the robot's middle, to the left of it, and above the floor (m); its colour."""

Source = tuple[float, float, float, Colour, int]
"""Where something shines: x, y, and above the floor (m); its colour, and the number of its body, -1 for none."""


class Spots(Struct, frozen=True):
    """The answer to `SpotsInSight`, in the order of the robots, and lamps last."""

    robot: int
    spots: tuple[Spot, ...]


class SpotsInSight(Question, frozen=True):
    """What shines in front of a camera, and is hidden by no body: LEDs of other robots, and lamps?

    Attributes:
        ahead: how far the camera is ahead of the robot's middle (m)
        view: horizontal angle of the picture (rad)
        reach: how far ahead it sees, along its axis (m)
    """

    ahead: float
    view: float
    reach: float

    def answer(self, world: World) -> Spots:
        """One line of sight for each that is within the angle."""
        x, y, heading = world.pose(self.robot)
        c, s = cos(heading), sin(heading)
        camera_x, camera_y = x + self.ahead * c, y + self.ahead * s
        slope, own = tan(0.5 * self.view), self.robot - 1
        found: list[Spot] = []
        for at_x, at_y, height, colour, body in _sources(world, self.robot, camera_x, camera_y):
            dx, dy = at_x - camera_x, at_y - camera_y
            depth, left = dx * c + dy * s, dy * c - dx * s
            within = 0.0 < depth < self.reach and abs(left) <= slope * depth
            if within and in_sight(world.field, camera_x, camera_y, at_x, at_y, (own, body)):
                found.append(((self.ahead + depth, left, height), colour))
        return Spots(self.robot, tuple(found))


def _sources(world: World, robot: int, camera_x: float, camera_y: float) -> Iterator[Source]:
    """What shines towards a camera: lamps, and of each other robot the LEDs on the side of the camera."""
    for other, state in world.things.with_robots(LedState).items():
        if other != robot:
            x, y, heading = world.pose(other)
            c, s = cos(heading), sin(heading)
            for led, colour in shining(state):
                ahead, left, height = led.place
                dx, dy = ahead * c - left * s, ahead * s + left * c
                facing = (camera_x - x - dx) * dx + (camera_y - y - dy) * dy > 0.0
                if led.bearing is None or facing:
                    yield x + dx, y + dy, height, colour, other - 1
    for lamp in world.things.of(Lamp):
        yield lamp.x, lamp.y, ABOVE + lamp.height, lamp.colour, -1


class VirtualCamera(VirtualActivity):
    """A camera that finds what shines.

    Its states are those of a `VirtualActivity`.

    Ports:
        camera: a question, and the blobs
        world: what shines in front of it

    Args:
        view: horizontal angle of the picture, from edge to edge (rad)
        reach: how far ahead it sees LEDs (m)
    """

    camera = Service(Sense, Blobs)
    world = Sensor(SpotsInSight, Spots)

    def __init__(self, name: str, view: float = VIEWS[DEFAULT_VIEW], reach: float = RANGE) -> None:
        super().__init__(name)
        self.view = view
        self.reach = reach

    def ask(self, question: Sense) -> SpotsInSight:
        """What shines."""
        return SpotsInSight(self.robot, AHEAD, self.view, self.reach)

    def answer(self, answer: Spots) -> Blobs:
        """Where it is in the picture; what is above or below is not seen."""
        found = [blob(place, colour, self.view, self.reach) for place, colour in answer.spots]
        seen = [each for each in found if each is not None]
        return Blobs(tuple(sorted(seen, key=lambda each: (each.column, each.row, each.colour))))
