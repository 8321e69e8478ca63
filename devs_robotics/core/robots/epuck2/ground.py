"""The ground sensors of an e-puck2: left, centre and right, as on the wire."""

from __future__ import annotations

PLACES = ((0.03, 0.009), (0.03, 0.0), (0.03, -0.009))
"""Places of the sensors in the robot's frame: ahead and to the left of its middle (m), as in ARGoS."""

WHITE = 1023
"""Reading of a white floor; a black one reads 0, where the sensor is ideal."""

LUMA = (0.299, 0.587, 0.114)
"""Shares of red, green and blue in a floor's grey."""
