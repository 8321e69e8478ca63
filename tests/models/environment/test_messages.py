"""What is said in the environment, and what it is made of, can be changed by nobody who has it."""

from __future__ import annotations

from tests.immutable import changeable


def test_nothing_that_is_said_or_stands_in_a_field_can_be_changed() -> None:
    assert changeable("devs_robotics.models.environment") == set()
