"""The time of flight sensor of an e-puck2: one ray straight ahead, from the body's edge."""

from __future__ import annotations

NEAREST_MM, FARTHEST_MM = 20, 2000
"""Least reading (mm), whatever is nearer, and largest one, where nothing is within it (Stolfi and Danoy)."""

NOTHING_MM = 8190
"""What a real robot's sensor reads about where nothing is within its reach (mm); programs cap it."""

PERIOD = 0.1
"""Time from one value of a real robot's sensor to the next, about (s)."""
