"""What Stolfi and Danoy report of the e-puck2, as far as their text and tables give numbers: not the curves themselves.

Robotics and Autonomous Systems 164 (2023) 104412. Their formulas, rings and LEDs are constants of
`devs_robotics.core.robots.epuck2`; the errors of their battery models stand beside the fit,
`devs_robotics.models.batteries.fitting`.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

RADIUS, HEIGHT, MASS = 0.035, 0.045, 0.13
"""Of the body (m, m, kg), section 3."""

FASTEST = 0.154
"""Largest speed of a wheel (m/s), section 3."""

STEP_ANGLE = 0.36
"""Angle of a wheel in one step (degrees), section 3.5."""

PROXIMITY_READINGS = {0: 4095, 5: 3539, 10: 2976, 20: 1971, 30: 1128, 40: 448, 45: 168, 48: 20, 48.5: 0, 50.1: 0}
"""What equation (1) says, rounded, by distance (mm)."""

LIGHT_READINGS = {10: 1792, 20: 3519, 30: 3839, 40: 3951, 50: 4003}
"""What equation (2) says of a lamp of intensity 1, rounded, by distance (cm)."""

LUX = {10: 1.24, 20: 0.62, 30: 0.40, 40: 0.25, 50: 0.20}
"""Light at a sensor by its distance from their lamp (cm), section 4.1.2."""

OBSTACLE = 0.3
"""How far the obstacle of figures 7 and 8 is at first (m)."""

CAMERA_ANGLES = ((250, 144, 32.1), (150, 86, 29.5), (263, 141, 30.0), (143, 77, 30.1))
"""Table 4: two LEDs y apart at a distance x (mm) are just in the picture, and the angle that is printed (degrees).

The first two rows are of the robot, the others of ARGoS.
"""

CAMERA_RANGE = 1.0
"""Of the camera (m), section 4.1.6."""

HOURS_AT_REST, HOURS_MOVING = 5.484, 3.193
"""How long a battery lasts by their two slopes of section 4.1.7 (h)."""

SHORTEST_CM, LONGEST_CM = 5, 14
"""Autonomy falls with the speed up to the first, rises up to the second, and falls again (cm/s), section 4.1.7."""

SensorName: TypeAlias = Literal["proximity", "light", "ground", "time of flight", "encoders", "camera"]
SENSORS: tuple[SensorName, ...] = get_args(SensorName)

SIZES = (1, 5, 10, 20, 50)
"""Numbers of robots whose execution times were measured, section 4.3."""

SPEEDS_CM = (0.0, 1.5, 3.0, 4.5, 6.0, 7.5, 9.0, 10.5, 12.0, 13.5, 15.0)
"""Speeds of the wheels of robots that rotate (cm/s), section 4.3.1; each was run thirty times."""

SIMULATED = 7200.0
"""Time that each of these runs simulates (s)."""

TICK = 0.1
"""Of their simulator (s)."""

LONGER: dict[SensorName, dict[int, str]] = {
    "proximity": {10: "40 to 45", 20: "40 to 45", 50: "45"},
    "light": {5: "about 45", 10: "about 45", 20: "about 45", 50: "53"},
    "ground": {1: "7.5", 5: "10 to 13", 10: "10 to 13", 20: "10 to 13", 50: "10 to 13"},
    "time of flight": {1: "3", 50: "14"},
    "encoders": dict.fromkeys(SIZES, "at most 2.8"),
    "camera": dict.fromkeys(SIZES, "9 to 16"),
}
"""By how much a run with a sensor takes longer than without (%), by the number of robots, section 4.3.2."""

BatteryRow: TypeAlias = tuple[tuple[float, float], ...]

BATTERY_TIMES: dict[int, BatteryRow] = {
    1: ((0.43, 0.01), (0.43, 0.01), (0.43, 0.01), (0.44, 0.01), (0.43, 0.01)),
    5: ((1.36, 0.03), (1.37, 0.03), (1.38, 0.04), (1.41, 0.04), (1.38, 0.04)),
    10: ((2.60, 0.06), (2.63, 0.07), (2.65, 0.07), (2.70, 0.07), (2.64, 0.07)),
    20: ((5.39, 0.13), (5.37, 0.13), (5.34, 0.14), (5.40, 0.15), (5.37, 0.14)),
    50: ((15.10, 0.34), (14.84, 0.37), (15.38, 0.39), (15.54, 0.44), (15.26, 0.41)),
}
"""Table 6: execution time and its standard deviation (s) without a battery, and with each of the four models."""

BATTERY_LONGER: dict[int, tuple[float, ...]] = {
    1: (0.3, 0.6, 1.8, 0.7),
    5: (1.2, 1.7, 4.2, 1.6),
    10: (1.2, 2.1, 3.8, 1.8),
    20: (-0.4, -0.9, 0.2, -0.3),
    50: (-1.7, 1.8, 2.9, 1.0),
}
"""Table 6: by how much each of the four models makes a run longer (%)."""

MACHINE = "i7-8750H, ARGoS 3.0.0-beta59"
"""Of all their execution times."""

RANGES = {
    "proximity": "8, 0 to 4095",
    "light": "8, 4095 to 0",
    "ground": "3, 0 to 1023",
    "time of flight": "1, 20 to 2000",
    "encoders": "2, -32768 to 32767",
    "camera": "160 x 120",
    "batteries": "4 discharge models",
}
"""Table 1: how many of each there are, and what they read."""

LED_COLOURS = ("red", "rgb", "red", "rgb", "red", "rgb", "red", "rgb", "red", "green")
LED_PLACES = ("0", "45", "90", "135", "180", "225", "270", "315", "front", "body")
"""Table 2, of LED1 to LED10: clockwise from the front (degrees)."""

RING_DEGREES = (15, 50, 90, 150, 210, 270, 310, 345)
"""Table 3, of the sensors that are counted from 1: clockwise from the front (degrees)."""

PROXIMITY_FIT, FIRST_PROXIMITY_FIT = (197.8633, -30.47182, 1.011635), (298.701, -36.8961, 1.08212)
"""a, b and c of equation (1), of the e-puck2 and of the first e-puck."""

LIGHT_GAIN = 0.075
"""Gamma of equation (2)."""

SLOPES = (-5.064963e-5, -8.699124e-5)
"""Of the simple battery model, at rest and in motion (1/s), section 4.1.7."""
