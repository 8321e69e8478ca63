"""The e-puck as hardware: wheels that count steps, proximity sensors, and what else its protocols ask for."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from math import cos, sin

from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, STEP_LENGTH
from devs_robotics.core.robots.epuck2.camera import HEIGHT, VIEWS, WIDTH
from devs_robotics.core.robots.epuck2.ground import PLACES, WHITE
from devs_robotics.core.robots.epuck2.inertial import RAW_PER_G, RAW_RATE
from devs_robotics.core.robots.epuck2.responses import RESPONSES
from devs_robotics.core.robots.epuck2.ring import RINGS
from devs_robotics.core.robots.epuck2.time_of_flight import FARTHEST_MM, NOTHING_MM
from devs_robotics.hil.lab.battery import LabBattery
from devs_robotics.hil.lab.camera import Camera, ReadoutWindow, rgb565
from devs_robotics.hil.lab.courses import WheelDrive
from devs_robotics.hil.lab.lamps import light
from devs_robotics.hil.lab.lights import Lights
from devs_robotics.hil.lab.proximity import reach, reading
from devs_robotics.hil.lab.surroundings import Surroundings

FAR = 0.001 * FARTHEST_MM
"""Reach of the time of flight sensor (m)."""

SENSORS = struct.Struct("<3h3f3h3fb8H8HH4H2hHB3BB3H3HBB")
"""All sensors in one, 104 bytes."""

WHOLE = ReadoutWindow(WIDTH, HEIGHT, 4)
"""The picture that is sent over Wi-Fi."""

GRAVITY = (0, 0, RAW_PER_G)
"""What the accelerometer reads of a robot that stands level, along x, y and z."""

FILTERED = tuple(value + 2048 for value in GRAVITY)
"""The same, as SerCom's commands for the accelerometer alone tell it."""

AMBIENT = (3500,) * 8
"""What the sensors P0 to P7 read of ambient light in a room without lamps."""

MICROPHONES = (10, 10, 10, 10)
"""What the four microphones read in a quiet room."""

GROUND, CLIFF = (900, 900, 900), (900, 900)
"""On a floor that is light everywhere: left, centre and right; and the cliff sensors right and left, on any floor."""

GROUND_AMBIENT = (20, 20, 20)
"""What the ground sensors read of ambient light: left, centre, right."""

TEMPERATURE = 25
"""Of the robot (degrees Celsius)."""

MAGNETIC = 20.0
"""Horizontal part of the magnetic field (microtesla); the vertical one is twice as large."""


class EPuck:
    """Wheels and sensors of one e-puck2.

    Args:
        surroundings: its place in the lab
        selector: position of its selector, which says by what it is spoken to

    Attributes:
        speeds: with which the left and right wheel are to turn, within the firmware's limits (steps/s)
        lights: its LEDs
        camera: that it has
        battery: that it has
    """

    def __init__(self, surroundings: Surroundings, selector: int) -> None:
        self.speeds = (0, 0)
        self.lights = Lights()
        self.camera = Camera(surroundings.arena, surroundings.body, VIEWS[surroundings.plan.view])
        self.battery = LabBattery(surroundings)
        self.selector = selector
        self._place = surroundings
        self._body = surroundings.body
        self._response = RESPONSES[surroundings.plan.proximity]
        self._ring = RINGS[surroundings.plan.ring]
        self._drive: WheelDrive | None = None
        self._offsets = [0, 0]
        self._calibration: tuple[int, ...] = (0,) * 8
        self._last_proximity: tuple[int, ...] | None = None
        self._last_distance: int | None = None

    def set_speeds(self, left: int, right: int) -> None:
        """Have the wheels turn (steps/s, of which 16 bits count); they do until they are told otherwise."""
        speeds = clamped(wrapped(left)), clamped(wrapped(right))
        if speeds == self.speeds:
            return
        self.speeds = speeds
        self.battery.turns(speeds != (0, 0))
        plan, before = self._place.plan, self._drive
        fastest = plan.speed
        self._drive = WheelDrive(
            self._place.now,
            self._body.pose,
            self._travel,
            speeds=(0.0, 0.0) if before is None or self._body.course is None else before.speeds,
            targets=(_limited(speeds[0] * STEP_LENGTH, fastest), _limited(speeds[1] * STEP_LENGTH, fastest)),
            acceleration=plan.acceleration,
            axle=AXLE,
            slip=self._place.slip(),
        )
        self._body.course = self._drive

    def shine(self) -> None:
        """The lights have been set: others see it."""
        self._body.glow = self.lights.glow

    @property
    def steps(self) -> tuple[int, int]:
        """The counters of the left and right wheel, which have 32 bits."""
        left, right = (
            wrapped(round(travel / STEP_LENGTH) + offset, 32)
            for travel, offset in zip(self._travel, self._offsets, strict=True)
        )
        return left, right

    @property
    def low_steps(self) -> tuple[int, int]:
        """Their lower 16 bits, which are all that goes over the wire in binary."""
        left, right = map(wrapped, self.steps)
        return left, right

    def set_steps(self, left: int, right: int) -> None:
        """Set the counters."""
        self._offsets = [
            value - round(travel / STEP_LENGTH) for value, travel in zip((left, right), self._travel, strict=True)
        ]

    def calibrate(self) -> None:
        """Take what the proximity sensors read now for zero, from now on."""
        self._calibration = self._reflections()

    def watch_proximity(self, on: bool) -> None:
        """Start or stop the proximity sensors; while they are stopped they read what they read last."""
        self._last_proximity = None if on else self.proximity()

    def watch_distance(self, on: bool) -> None:
        """Start or stop the time of flight sensor, in the same way."""
        self._last_distance = None if on else self.time_of_flight()

    def proximity(self) -> tuple[int, ...]:
        """Readings of P0 to P7, less those of the calibration."""
        if self._last_proximity is not None:
            return self._last_proximity
        pairs = zip(self._reflections(), self._calibration, strict=True)
        return tuple(max(0, reading - zero) for reading, zero in pairs)

    def ambient(self) -> tuple[int, ...]:
        """Light that the sensors P0 to P7 get, where the proximity sensors are: the less they read, the more it is."""
        lab = self._place.lab
        if not lab.lamps:
            return AMBIENT
        return tuple(light(lab.lamps, self._place.arena, self._body, *ray) for ray in self._rays)

    def ground(self) -> tuple[int, int, int]:
        """What the ground sensors read: left, centre and right."""
        plan = self._place.lab.floor
        if plan is None:
            return GROUND
        x, y, c, s = self._body.x, self._body.y, cos(self._body.heading), sin(self._body.heading)
        places = ((x + c * ahead - s * left, y + s * ahead + c * left) for ahead, left in PLACES)
        left, centre, right = (round(WHITE * plan.grey(*place)) for place in places)
        return left, centre, right

    def time_of_flight(self) -> int:
        """Distance ahead, from the body's edge (mm); `NOTHING_MM` where nothing is within reach."""
        if self._last_distance is not None:
            return self._last_distance
        distance = self._place.see(0.0, FAR)
        return NOTHING_MM if distance > FAR else round(1000.0 * distance)

    def gyro(self) -> tuple[int, int, int]:
        """Rates of turn, raw."""
        rate = round(self._body.turn_rate / RAW_RATE)
        return 0, 0, max(-32768, min(32767, rate))

    def sensors(self) -> bytes:
        """All sensors in one, 104 bytes, as on the wire."""
        heading = self._body.heading
        return SENSORS.pack(
            *GRAVITY,
            *self.acceleration(),
            *self.gyro(),
            *(MAGNETIC * cos(heading), -MAGNETIC * sin(heading), -2.0 * MAGNETIC),
            TEMPERATURE,
            *self.proximity(),
            *self.ambient(),
            self.time_of_flight(),
            *MICROPHONES,
            *self.low_steps,
            self.battery.raw,
            *(0, 0, 0, 0),  # no microSD card, no remote control
            self.selector,
            *self.ground(),
            *GROUND_AMBIENT,
            *(0, 0),  # button, reserved
        )

    def acceleration(self) -> tuple[float, float, float]:
        """Amount, orientation and inclination of the acceleration, of a robot on an even floor."""
        return float(GRAVITY[2]), 0.0, 0.0

    def image(self) -> bytes:
        """What the camera sees, as it goes over Wi-Fi."""
        return rgb565(self.camera.picture(WHOLE))

    @property
    def _travel(self) -> tuple[float, float]:
        return (0.0, 0.0) if self._drive is None else self._drive.travel

    def _reflections(self) -> tuple[int, ...]:
        far = reach(self._response)
        return tuple(reading(self._response, self._place.see(bearing, far, place)) for bearing, place in self._rays)

    @property
    def _rays(self) -> Iterator[tuple[float, tuple[float, float] | None]]:
        """Whereto each sensor of the ring looks, and where it is; None: on the body's edge."""
        ring = self._ring
        places = (None,) * len(ring.bearings) if ring.radius is not None else ring.places
        return zip(ring.bearings, places, strict=True)


def clamped(speed: int) -> int:
    """A speed as the firmware takes it (steps/s)."""
    return max(-FASTEST, min(FASTEST, speed))


def wrapped(value: int, bits: int = 16) -> int:
    """A number as so many bits hold it, with a sign."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def _limited(speed: float, fastest: float) -> float:
    return max(-fastest, min(fastest, speed))
