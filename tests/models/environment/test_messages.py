"""What is said in the environment, and what it is made of: fields in their order; and who has it cannot change it."""

from __future__ import annotations

from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from devs_robotics.models.environment import messages
from devs_robotics.models.environment.messages import ArcMotion
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.traits import OBSTACLE, Traits
from tests.approximately import near
from tests.devs_robotics.core.robots.written_down import fields_of, structs_of
from tests.immutable import changeable

FIELDS = {
    "Motion": "robot, turn, distance",
    "ArcMotion": "robot, turn, distance",
    "MotionEnded": "robot, turn, distance, blocked",
    "Twist": "robot, speed, turn_rate",
    "Halted": "robot, stopped",
    "TrajectoryChange": "robot, trajectory",
    "BodyMotion": "robot, trajectory, radius, kind='robot', carried=False",
    "Disturbance": "robot, stretch, swerve",
    "GlideMotion": (
        "robot, direction, pieces, speed=0.0, acceleration=0.0, rotation=(), turn_rate=0.0, turn_acceleration=0.0"
    ),
    "Join": f"robot, x, y, heading, radius, traits={Traits()!r}",
    "Leave": "robot",
    "Become": "robot, traits",
    "Follow": "robot, trajectory",
    "Carry": "robot, cargo, ahead=0.0, left=0.0, heading=0.0",
    "PutDown": "robot, cargo",
}
"""Models name fields by their places: they do not change."""


@pytest.mark.parametrize("kind", structs_of(messages), ids=lambda kind: kind.__name__)
def test_fields_are_as_they_are_written_down(kind: type[Struct]) -> None:
    assert fields_of(kind) == FIELDS[kind.__name__]


@given(st.floats(-pi, pi), st.floats(-4.0, 4.0), st.floats(-2.0, 2.0))
def test_a_motion_on_wheels_leads_where_its_arc_does(heading: float, turn: float, distance: float) -> None:
    x, y, _ = Arc(0.0, 1.0, 2.0, heading, distance, turn).pose(1.0)
    assert ArcMotion(1, turn, distance).end(1.0, 2.0, heading) == (near(x), near(y), near(heading + turn))


def test_a_body_is_a_virtual_robot_without_colour_unless_it_is_said() -> None:
    assert Traits() == Traits("robot", "", "virtual", 0.1)
    assert Traits("obstacle", "", "virtual", 0.1) == OBSTACLE


def test_nothing_that_is_said_or_stands_in_a_field_can_be_changed() -> None:
    assert changeable("devs_robotics.models.environment") == set()
