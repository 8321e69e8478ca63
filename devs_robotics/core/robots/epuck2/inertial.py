"""The accelerometer and the gyroscope of an e-puck2."""

from __future__ import annotations

from math import radians

GRAVITY = 9.81
"""Acceleration that is felt upward on a floor (m/s^2)."""

RAW_PER_G = 800
"""The accelerometer's raw value for one g, about."""

RAW_RATE = radians(250.0) / 32768.0
"""The gyroscope's turn rate for a raw value of 1 (rad/s); it has 16 bits with a sign, and stops at their ends."""
