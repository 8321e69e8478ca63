"""What a lab is to be made of: the arena and its stand-in robots, as data."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics.core.robots.epuck2.camera import ViewName
from devs_robotics.core.robots.epuck2.responses import DEFAULT_RESPONSE, ResponseName
from devs_robotics.core.robots.epuck2.ring import RingName
from devs_robotics.hil.lab.floor import LabFloor, Points
from devs_robotics.hil.lab.ros2_dialects import DialectName, MiddlewareName

Corners = Points


class LabDisc(Struct, frozen=True):
    """A round obstacle (m)."""

    x: float
    y: float
    radius: float


class LabLamp(Struct, frozen=True):
    """A lamp that shines to all sides: where it is (m), intensity (1: as the published curve), and height (m)."""

    x: float
    y: float
    intensity: float
    height: float


class LabCharger(Struct, frozen=True):
    """A place (m) in which a robot at rest is charged, and the rate at which its charge rises there (1/s)."""

    x: float
    y: float
    radius: float
    rate: float


class StandIn(Struct, frozen=True):
    """One robot that stands in for hardware. Metres, radians, seconds.

    Attributes:
        robot: its number
        protocol: json, epuck-ascii, epuck-binary, epuck2-wifi or ros2
        address: where it is to be found: the MQTT address that it connects to; for the others where it listens,
            ``tcp://HOST:PORT`` or ``serial:///PATH`` for a link to its pty, or empty: then the lab chooses a free port
            or a pty, and tells which
        x, y, heading: where it stands at first, in the arena
        radius: of its body
        speed, turn_rate: the most that it can do
        acceleration: of its wheels (m/s^2); infinite for none
        beams: bearings of its range sensors, from left to right
        reach: of its range sensors
        resolution: step of a reading; 0 for exact readings
        whisker_reach: how far its whiskers stick out ahead
        stretch: largest share of each drive by which the wheels slip, either way
        swerve: largest change of heading on the way (rad/m), either way
        range_noise: standard deviation of a reading
        latency: time that each message takes inside the robot, in either direction
        jitter: largest addition to the latency
        proximity: what its proximity sensors read, if it is an e-puck
        ring: where these are, and whereto they look
        view: how wide its camera's pictures are, if it is an e-puck
        charge: of its battery at first, from 1 to 0, if it is an e-puck; None: it has 4 V for ever
        equipment: of its own: ``module:Class`` of what plays it (`EquipmentStandIn`), by its name
        dialect, middleware: as what it speaks, and how it is reached, if it is a robot of ROS 2
        namespace: of its topics there, where it has no address
        sensors: of an e-puck2 that a robot of ROS 2 tells of: ``light``, ``proximity``, ``ground``, ``battery``
        watchdog: without a velocity command for so long it stops (s), if it is one; infinite for never
    """

    robot: int
    protocol: str
    address: str
    x: float
    y: float
    heading: float
    radius: float
    speed: float
    turn_rate: float
    acceleration: float
    beams: tuple[float, ...]
    reach: float
    resolution: float
    whisker_reach: float
    stretch: float
    swerve: float
    range_noise: float
    latency: float
    jitter: float
    proximity: ResponseName = DEFAULT_RESPONSE
    ring: RingName = "clients"
    view: ViewName = "stand-in"
    charge: float | None = None
    equipment: dict[str, str] = {}
    dialect: DialectName = "turtlebot3"
    middleware: MiddlewareName = "dds"
    namespace: str = ""
    watchdog: float = 0.5
    sensors: tuple[str, ...] = ()


class LabPlan(Struct, frozen=True):
    """An arena with stand-in robots in it.

    Attributes:
        width, height: of the arena, from (0, 0) (m)
        discs, polygons: what else stands in it
        robots: that are in it
        rate: seconds of the lab's time per real second
        seed: of its random numbers
        tracking: MQTT address at which a tracking system publishes each robot's `Fix` (`hil.robot_protocol`); or empty
        tracking_period: time between two fixes of one robot (s)
        tracking_noise: standard deviation of a fix's x and y (m)
        tracking_heading_noise: standard deviation of its heading (rad)
        tracking_delay: shortest time from when robots are seen until their fixes are published (s)
        tracking_jitter: largest addition to it (s)
        truth: file that gets the true poses over time, one JSON object per line; or empty
        settings: plain data for what plays equipment (`LabScene.settings`)
        walled: whether there are walls round the arena
        lamps: that light sensors see; none: an ordinary room, in which they read the same everywhere
        floor: that ground sensors see; None: it is light everywhere
        chargers: for batteries
    """

    width: float
    height: float
    discs: tuple[LabDisc, ...]
    polygons: tuple[Corners, ...]
    robots: tuple[StandIn, ...]
    rate: float = 1.0
    seed: int = 1
    tracking: str = ""
    tracking_period: float = 0.1
    tracking_noise: float = 0.0
    tracking_heading_noise: float = 0.0
    tracking_delay: float = 0.0
    tracking_jitter: float = 0.0
    truth: str = ""
    settings: dict[str, Any] = {}
    walled: bool = True
    lamps: tuple[LabLamp, ...] = ()
    floor: LabFloor | None = None
    chargers: tuple[LabCharger, ...] = ()
