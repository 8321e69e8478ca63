"""What epuck_ros2's driver makes of an e-puck2's raw readings before it publishes them, as constants.

Light it publishes as it is (sensor_msgs/Illuminance, though not in lux). Proximity and the ground become distances
(sensor_msgs/Range), by straight lines between these points, the first and the last of which go on beyond them.
"""

from __future__ import annotations

INFRARED = (
    (0.0, 4095.0),
    (0.005, 2133.33),
    (0.01, 1465.73),
    (0.015, 601.46),
    (0.02, 383.84),
    (0.03, 234.93),
    (0.04, 158.03),
    (0.05, 120.0),
)
"""Distances (m) and readings of the proximity sensors."""

GROUND = ((0.0, 1000.0), (0.016, 300.0))
"""The same of the ground sensors."""

PERIOD = 0.064
"""Time between two messages of each sensor (s)."""

LIGHTS, PROXIMITIES, GROUNDS = 8, 8, 3
"""Number of sensors of each kind."""
