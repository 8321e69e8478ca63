"""The light sensors of an e-puck2, which sit where its proximity sensors do (Stolfi and Danoy, eq. (2))."""

from __future__ import annotations

GAIN = 0.075
"""Distance up to which a lamp of intensity 1 saturates a sensor (m); others in proportion to their intensity."""

REACH = 0.5
"""Distance above which a lamp is not seen (m)."""

DARKEST = 4095
"""Largest reading: no light. With light the readings fall; 0 is saturated."""
