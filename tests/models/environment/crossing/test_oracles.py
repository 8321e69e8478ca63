"""Crossings worked out by hand."""

from __future__ import annotations

from math import pi

import pytest

from devs_robotics.models.environment.crossing import first_seen, first_seen_walls
from devs_robotics.models.environment.motion.arc import Arc


def test_two_robots_head_on() -> None:
    here, there = Arc(0.0, 0.0, 0.0, 0.0, 0.05), Arc(0.0, 1.005, 0.0, pi, 0.05)
    seen = first_seen(here, 0.0, 0.035, 0.05, there, 0.035, 0.0, 100.0)
    assert seen == pytest.approx((1.005 - 0.12) / 0.1, abs=1e-12)


def test_turning_in_place() -> None:
    here, there = Arc(0.0, 0.0, 0.0, 0.0, turn_rate=1.0), Arc(0.0, 0.0, 0.1, 0.0)
    assert first_seen(here, 0.0, 0.035, 0.05, there, 0.035, 0.0, 100.0) == pytest.approx(1.226095, abs=5e-7)


def test_a_ray_s_tip_at_a_wall() -> None:
    here = Arc(0.0, 0.1, 1.0, 0.0, 0.05)
    assert first_seen_walls(here, 0.0, 0.035, 0.05, 0.5, 2.0, 0.0, 100.0) == pytest.approx(6.3, abs=1e-12)
