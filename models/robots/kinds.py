"""Kinds of robot: what a robot's body, its drive and its sensors are, as data."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, RADIUS, STEP_LENGTH
from devs_robotics.core.robots.epuck2.responses import REACH
from devs_robotics.core.robots.outside import Reality
from devs_robotics.models.activities import VirtualInfrared
from devs_robotics.models.robots.equipment import Optics


class Inertia(Struct, frozen=True):
    """How a virtual motor takes up its speed; its body then is on its way all the time.

    Attributes:
        acceleration: of the wheels (m/s²); infinite: they reach each speed at once
        delay: time from a command to the first motion (s)
    """

    acceleration: float = inf
    delay: float = 0.0


class RobotKind(Struct, frozen=True):
    """A kind of robot; what it leaves open is as the scenario's table ``[robot]`` says.

    Attributes:
        beams: bearings of its range sensors from its heading, from left to right (rad)
        reach: how far these see (m)
        resolution: step of their readings (m); 0 for exact ones
        radius: of its round body (m)
        speed: of its motor (m/s)
        turn_rate: of its motor, about the robot's centre (rad/s)
        called: what such a robot is, for people
        axle: distance between its wheels (m); None: as of an e-puck2 in proportion to the body
        continuous: whether a virtual one is on its way at every instant; else it is moved when a motion has ended
        reality: whether it stands for a robot that is really there
        inertia: of its virtual motor; None: that makes each motion as a whole, when it has ended
        sight: what its virtual range sensors are
    """

    beams: tuple[float, ...] = (0.0,)
    reach: float = 1.0
    resolution: float = 0.0
    radius: float | None = None
    speed: float | None = None
    turn_rate: float | None = None
    called: str = "a robot"
    axle: float | None = None
    continuous: bool = False
    reality: Reality = "virtual"
    inertia: Inertia | None = None
    sight: type[VirtualInfrared] = VirtualInfrared

    @property
    def optics(self) -> Optics:
        """What its range sensors can do."""
        return Optics(self.beams, self.reach, self.resolution)


def round_differential(
    *,
    beams: tuple[float, ...] = (0.0,),
    reach: float = 1.0,
    resolution: float = 0.0,
    radius: float | None = None,
    speed: float | None = None,
    turn_rate: float | None = None,
    called: str = "a robot",
    axle: float | None = None,
    continuous: bool = False,
    reality: Reality = "virtual",
    inertia: Inertia | None = None,
    sight: type[VirtualInfrared] = VirtualInfrared,
) -> RobotKind:
    """A round robot with two wheels that turns about its centre, with a motor, range sensors and whiskers.

    Args:
        beams: bearings of the range sensors, from left to right (rad)
        reach: how far they see (m)
        resolution: step of their readings (m); 0 for exact ones
        radius: of the body (m); None, like the next ones: as the table ``[robot]`` says
        speed: of the motor (m/s)
        turn_rate: of the motor (rad/s)
        called: what such a robot is, for people
        axle: distance between the wheels (m); None: as of an e-puck2 in proportion to the body
        continuous: whether a virtual one is on its way at every instant, so that others meet it there; else it is moved
            when a motion has ended
        reality: whether it stands for a robot that is really there
        inertia: of its virtual motor; None: that makes each motion as a whole, when it has ended
        sight: what its virtual range sensors are
    """
    sizes = radius, speed, turn_rate
    return RobotKind(tuple(beams), reach, resolution, *sizes, called, axle, continuous, reality, inertia, sight)


def epuck2() -> RobotKind:
    """An e-puck2, as its protocols see it: one range sensor ahead, made of its proximity sensors.

    Radius 35 mm; 1100 steps of 0.1288 mm per second and wheel, 53 mm between the wheels.
    """
    speed = FASTEST * STEP_LENGTH
    return RobotKind((0.0,), REACH, 0.0, RADIUS, speed, 2.0 * speed / AXLE, "an e-puck2", AXLE)
