"""What a driver is told about its robot stays as it is."""

from __future__ import annotations

import pytest

from devs_robotics.hil.drivers import DriverSettings
from tests.immutable import changeable


def test_what_describes_a_robot_and_what_it_says_cannot_be_changed() -> None:
    assert changeable("devs_robotics.hil.protocols") == set()


def test_what_is_not_said_of_a_robot_is_as_patient_as_the_documents_say() -> None:
    settings = DriverSettings(speed=0.1, turn_rate=1.0, radius=0.035, beams=(), reach=0.6, resolution=0.01)
    assert (settings.answer_within, settings.link_within, settings.move_margin) == (0.5, 5.0, 1.5)
    assert (settings.whisker_reach, settings.proximity) == (0.02, "paper")


def test_what_is_said_of_a_robot_is_said_by_name() -> None:
    with pytest.raises(TypeError):
        DriverSettings(0.1, 1.0, 0.035, (), 0.6, 0.01)  # type: ignore[call-arg]
