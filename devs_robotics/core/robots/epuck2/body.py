"""Body, wheels and motors of an e-puck2.

Radius, height and mass as Stolfi and Danoy have them, the wheels as ARGoS has the first e-puck's, the fastest speed as
the firmware has it.
"""

from __future__ import annotations

from math import pi

RADIUS = 0.035
"""Of the round body (m)."""

HEIGHT = 0.045
"""The same (m)."""

MASS = 0.13
"""The same (kg)."""

WHEEL_DIAMETER = 0.041
"""The same (m)."""

AXLE = 0.053
"""Distance between the wheels (m)."""

STEPS = 1000
"""Of a wheel's revolution."""

STEP_LENGTH = pi * WHEEL_DIAMETER / STEPS
"""Way of a wheel in one step (m)."""

FASTEST = 1100
"""The firmware clamps the speed of a wheel to this, either way (steps/s)."""

COUNTER_BITS = 16
"""Of a wheel's step counter as it goes over the wire; it has a sign, and wraps."""
