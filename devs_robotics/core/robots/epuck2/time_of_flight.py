"""The time of flight sensor of an e-puck2: one ray straight ahead, from the body's edge."""

from __future__ import annotations

NEAREST_MM, FARTHEST_MM = 20, 2000
"""Least reading, whatever is nearer, and the reading where nothing is within that distance (Stolfi and Danoy)."""

NOTHING_MM = 8190
"""What a real robot's sensor reads then, about; programs cap it."""

PERIOD = 0.1
"""A real robot's sensor has a new value about so often (s)."""
