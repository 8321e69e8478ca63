"""The e-puck as hardware: wheels that count steps, proximity sensors, and what else its protocols ask for."""

from __future__ import annotations

import struct
from math import cos, degrees, inf, pi, radians, sin

from hil.lab.courses import WheelDrive
from hil.lab.surroundings import Surroundings

STEPS = 1000
"""Of a wheel's revolution."""

STEP_LENGTH = pi * 0.041 / STEPS
"""Way of a wheel in one step (m): its diameter is 41 mm."""

AXLE = 0.053
"""Distance between the wheels (m)."""

FASTEST = 1100
"""The firmware clamps speeds to this, either way (steps/s)."""

PROXIMITY_ANGLES = tuple(radians(angle) for angle in (350, 320, 270, 200, 160, 90, 40, 10))
"""Of the sensors P0 to P7, counter-clockwise from the front (rad)."""

PROXIMITY_REACH = 0.1
"""Of the proximity sensors, from the body's edge (m)."""

BRIGHTEST = 4095
"""Reading of a proximity sensor that touches something."""

HALF_LENGTH = 0.0105
"""The constant of the reflectance curve (m)."""

FAR = 2.0
"""Reach of the time of flight sensor (m)."""

SENSORS = struct.Struct("<3h3f3h3fb8H8HH4H2hHB3BB3H3HBB")
"""All sensors in one, 104 bytes."""

WIDTH, HEIGHT = 160, 120
"""Of the camera's image (pixels)."""

VIEW = radians(56.0)
"""Angle that the image shows."""

GRAVITY = (0, 0, 800)
AMBIENT = (3500,) * 8
MICROPHONES = (10, 10, 10, 10)
GROUND = (900, 900, 900)
GROUND_AMBIENT = (20, 20, 20)
TEMPERATURE = 25
BATTERY, BATTERY_PERCENT = 3277, 78
SELECTOR = 3
MAGNETIC = 20.0


class EPuck:
    """Wheels and sensors of one e-puck.

    Args:
        surroundings: its place in the lab

    Attributes:
        speeds: of the left and right wheel as they were set, clamped (steps/s)
    """

    def __init__(self, surroundings: Surroundings) -> None:
        self.speeds = (0, 0)
        self._place = surroundings
        self._body = surroundings.body
        self._drive: WheelDrive | None = None
        self._offsets = [0, 0]
        self._calibration: tuple[int, ...] = (0,) * 8

    def set_speeds(self, left: int, right: int) -> None:
        """Have the wheels turn (steps/s); they do until they are told otherwise."""
        speeds = clamped(left), clamped(right)
        if speeds == self.speeds:
            return
        self.speeds = speeds
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

    @property
    def steps(self) -> tuple[int, int]:
        """The counters of the left and right wheel, which wrap at 16 bits."""
        left, right = (
            wrapped(round(travel / STEP_LENGTH) + offset)
            for travel, offset in zip(self._travel, self._offsets, strict=True)
        )
        return left, right

    def set_steps(self, left: int, right: int) -> None:
        """Set the counters."""
        self._offsets = [
            value - round(travel / STEP_LENGTH) for value, travel in zip((left, right), self._travel, strict=True)
        ]

    def reset(self) -> None:
        """As if it were switched off and on."""
        self.set_speeds(0, 0)
        self.set_steps(0, 0)
        self._calibration = (0,) * 8

    def calibrate(self) -> None:
        """Take what the proximity sensors read now for zero, from now on."""
        self._calibration = self._reflections()

    def proximity(self) -> tuple[int, ...]:
        """Readings of P0 to P7, less those of the calibration."""
        pairs = zip(self._reflections(), self._calibration, strict=True)
        return tuple(max(0, reading - zero) for reading, zero in pairs)

    def time_of_flight(self) -> int:
        """Distance ahead, from the body's edge (mm); 2000 where nothing is nearer."""
        return round(1000.0 * min(FAR, self._place.see(0.0, FAR)))

    def gyro(self) -> tuple[int, int, int]:
        """Rates of turn, 250/32768 degrees/s a bit."""
        rate = round(degrees(self._body.turn_rate) * 32768.0 / 250.0)
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
            *AMBIENT,
            self.time_of_flight(),
            *MICROPHONES,
            *self.steps,
            BATTERY,
            *(0, 0, 0, 0),  # no microSD card, no remote control
            SELECTOR,
            *GROUND,
            *GROUND_AMBIENT,
            *(0, 0),  # button, reserved
        )

    def acceleration(self) -> tuple[float, float, float]:
        """Amount, orientation and inclination of the acceleration, of a robot on an even floor."""
        return float(GRAVITY[2]), 0.0, 0.0

    def image(self) -> bytes:
        """What the camera sees: grey columns, the brighter the nearer; RGB565, high byte first."""
        row = bytearray()
        for column in range(WIDTH):
            bearing = VIEW * (0.5 - (column + 0.5) / WIDTH)
            distance = self._place.arena.cast(self._body, bearing, FAR)
            grey = 0 if distance == inf else round(31.0 * (1.0 - distance / FAR))
            row += struct.pack(">H", grey << 11 | grey << 6 | grey)
        return bytes(row) * HEIGHT

    @property
    def _travel(self) -> tuple[float, float]:
        return (0.0, 0.0) if self._drive is None else self._drive.travel

    def _reflections(self) -> tuple[int, ...]:
        return tuple(reflection(self._place.see(angle, PROXIMITY_REACH)) for angle in PROXIMITY_ANGLES)


def reflection(distance: float) -> int:
    """What a proximity sensor reads of something in a distance from the body's edge (m).

    4095 (a / (a + distance))², with a = 10.5 mm: 4095 when it touches, 1075 at 1 cm, 275 at 3 cm, 38 at 10 cm, and 0
    beyond. The inverse is a (√(4095 / reading) - 1).
    """
    return 0 if distance > PROXIMITY_REACH else round(BRIGHTEST * (HALF_LENGTH / (HALF_LENGTH + distance)) ** 2)


def clamped(speed: int) -> int:
    """A speed as the firmware takes it (steps/s)."""
    return max(-FASTEST, min(FASTEST, speed))


def wrapped(value: int) -> int:
    """A number as 16 bits hold it, with a sign."""
    return (value + 32768) % 65536 - 32768


def _limited(speed: float, fastest: float) -> float:
    return max(-fastest, min(fastest, speed))
