"""What a driver is told about its robot."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE, ResponseName


class DriverSettings(Struct, frozen=True, kw_only=True):
    """A robot as the scenario describes it, and how patient its driver is. Metres, radians, seconds.

    Attributes:
        speed, turn_rate: to drive and to rotate with
        radius: of the body
        beams: bearings of the range sensors that are asked, from left to right
        reach: what is further away is not seen
        resolution: step of a reading; 0 for readings as they come
        answer_within: what has not been answered for so long is asked again; after three times it is a `Fault`
        link_within: the first connection may take so long, and a lost one may stay lost so long, before it is a `Fault`
        move_margin: a move may take so many times as long as it should, and a second more
        whisker_reach: of whiskers that a driver makes up from proximity sensors
        axle: distance between the wheels (m), where a robot is driven by their speeds and is itself told velocities
        proximity: how the proximity sensors of an e-puck read, a name in `core.robots.epuck2.responses.RESPONSES`
    """

    speed: float
    turn_rate: float
    radius: float
    beams: tuple[float, ...]
    reach: float
    resolution: float
    answer_within: float = 0.5
    link_within: float = 5.0
    move_margin: float = 1.5
    whisker_reach: float = 0.02
    axle: float = 0.1
    proximity: ResponseName = DEFAULT_RESPONSE
