"""The light sensors of an e-puck2, which sit where its proximity sensors do (Stolfi and Danoy, eq. (2))."""

from __future__ import annotations

GAIN = 0.075
"""At so many metres times its intensity a lamp saturates a sensor (m)."""

REACH = 0.5
"""A lamp further away is not seen (m)."""

DARKEST = 4095
"""Largest reading: no light. With light the readings fall; 0 is saturated."""
