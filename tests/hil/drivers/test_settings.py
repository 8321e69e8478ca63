"""What a driver is told about its robot stays as it is."""

from __future__ import annotations

from tests.immutable import changeable


def test_what_describes_a_robot_and_what_it_says_cannot_be_changed() -> None:
    assert changeable("devs_robotics.hil.drivers") == set()
