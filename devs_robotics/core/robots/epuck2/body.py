"""Body, wheels and motors of an e-puck2.

Radius, height and mass as Stolfi and Danoy have them, the wheels as ARGoS has the first e-puck's, the fastest speed as
the firmware has it.
"""

from __future__ import annotations

from math import pi

RADIUS = 0.035
"""Radius of the round body (m)."""

HEIGHT = 0.045
"""Height of the robot (m)."""

MASS = 0.13
"""Mass of the robot (kg)."""

WHEEL_DIAMETER = 0.041
"""Diameter of a wheel (m)."""

AXLE = 0.053
"""Distance between the wheels (m)."""

STEPS = 1000
"""Steps of a motor in one revolution of its wheel."""

STEP_LENGTH = pi * WHEEL_DIAMETER / STEPS
"""Way of a wheel in one step (m)."""

FASTEST = 1100
"""Largest speed of a wheel, either way (steps/s); the firmware clamps a larger one to it."""

COUNTER_BITS = 16
"""Bits of a wheel's step counter, as it goes over the wire; it has a sign, and wraps."""
