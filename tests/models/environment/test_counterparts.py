"""Counterparts of real robots, probes before a motion, and fixes: what the SpaceManager says of them."""

from __future__ import annotations

from math import inf, pi
from typing import Any

import pytest

from devs_robotics import Fix
from devs_robotics.models.activities.epuck2.inertial import Going, Velocity
from devs_robotics.models.activities.range_ring import LookRound
from devs_robotics.models.environment import Circle, Contact, Motion, MotionEnded, PoseChange, Probe, Room, SpaceManager
from devs_robotics.models.environment.messages import ArcMotion
from devs_robotics.models.environment.time_manager import Pace
from tests.approximately import near
from tests.models.environment.spaces import space_manager
from tests.models.environment.test_space_manager import Messages, field_with
from tests.models.play import tell


def space_with(*poses: tuple[float, float, float], pace: Pace | None = None) -> SpaceManager:
    """Robots in a field of 4 m by 4 m, with an obstacle whose edge is at x = 1.5 m in the row y = 1 m."""
    return space_manager(field_with(*poses, obstacles=(Circle(2.0, 1.0, 0.5),)), 0.03, pace)


def follow(space: SpaceManager, turn: float, distance: float, robot: int = 1) -> Messages:
    return [said for _, said in tell(space, (space.counterpart, Motion(robot, turn, distance)))]


def probe(space: SpaceManager, turn: float, distance: float, robot: int = 1) -> Any:
    ((port, room),) = tell(space, (space.question, Probe(robot, turn, distance)))
    assert port == f"room{robot}"
    return room


def test_the_whiskers_of_a_counterpart_touch_and_let_go() -> None:
    space = space_with((1.0, 1.0, 0.0))
    assert Contact(1, True) in follow(space, 0.0, 0.38)
    assert Contact(1, False) in follow(space, 0.0, -0.05)
    assert Contact(1, True) in follow(space, 0.0, 0.05)
    assert Contact(1, False) in follow(space, pi / 2.0, 0.0)


def test_a_counterpart_goes_where_the_robot_has_been_whatever_is_there() -> None:
    space = space_with((1.0, 1.0, 0.0))
    assert follow(space, 0.0, 0.7) == [
        PoseChange(1, near(1.7), near(1.0), 0.0),
        MotionEnded(1, 0.0, 0.7, False),
        Contact(1, True),
    ]


def test_a_counterpart_that_only_turns_or_stands_is_told_so() -> None:
    space = space_with((1.0, 1.0, 0.0), (1.0, 3.0, 0.0))
    assert follow(space, 0.5, 0.0, 2) == [PoseChange(2, 1.0, 3.0, 0.5), MotionEnded(2, 0.5, 0.0, False)]
    assert follow(space, 0.0, 0.0, 2) == [MotionEnded(2, 0.0, 0.0, False)]


def test_a_fix_places_a_counterpart_and_its_whiskers() -> None:
    space = space_with((1.0, 1.0, 0.0), (3.0, 3.0, 0.0))
    said = [value for _, value in tell(space, (space.fix, Fix(2, 1.385, 1.0, 2.0 * pi + 0.1)))]
    assert said == [PoseChange(2, 1.385, 1.0, near(0.1)), Contact(2, True)]
    said = [value for _, value in tell(space, (space.fix, Fix(2, 1.0, 3.0, 0.0)))]
    assert said == [PoseChange(2, 1.0, 3.0, 0.0), Contact(2, False)]


@pytest.mark.parametrize(
    ("turn", "distance", "way"),
    [
        (0.0, 0.5, 0.4),
        (0.0, 0.4, 0.4),
        (0.0, 0.39, inf),
        (0.0, -0.9, 0.9),
        (0.0, -0.8, inf),
        (pi, 0.95, 0.9),
        (pi, -0.5, 0.4),
        (pi / 2.0, 3.0, 2.9),
        (-pi / 2.0, 1.0, 0.9),
        (0.3, 0.0, inf),
    ],
)
def test_a_probe_says_how_far_a_body_could_go_and_moves_nothing(turn: float, distance: float, way: float) -> None:
    space = space_with((1.0, 1.0, 0.0))
    assert probe(space, turn, distance) == Room(1, near(way), 0.0)
    assert (space.field.x, space.field.heading) == ([1.0], [0.0])


def test_a_probe_says_how_long_a_virtual_motor_would_take() -> None:
    space = space_with((1.0, 1.0, 0.0), (1.0, 3.0, 0.0), pace=Pace(0.25, 0.5))
    assert probe(space, -1.0, 0.5) == Room(1, inf, 2.0 + 2.0)
    assert probe(space, 1.0, -0.5, 2) == Room(2, inf, 4.0)
    assert probe(space, 0.0, 0.0).duration == 0.0


def test_counterparts_of_one_instant_move_before_it_is_asked_for_room() -> None:
    space = space_with((1.0, 1.0, 0.0))
    said = tell(space, (space.question, Probe(1, 0.0, 0.2)), (space.counterpart, Motion(1, 0.0, 0.3)))
    assert ("room1", Room(1, near(0.1), 0.0)) in said


def test_equipment_that_is_modelled_knows_how_fast_the_counterpart_goes() -> None:
    space = space_with((1.0, 3.0, 0.0))
    for _ in range(5):  # ten times per second, as a turn and a way
        tell(space, (space.counterpart, ArcMotion(1, 0.02, 0.0)), (space.counterpart, ArcMotion(1, 0.0, 0.03)), e=0.1)
    ring, inertial = LookRound(1).answer(space.world), Going(1).answer(space.world)
    assert (ring.vx, ring.vy) == (near(0.3, 0.01), near(0.3 * 0.08, 0.01))
    assert (inertial.speed, inertial.turn_rate) == (near(0.3, 0.01), near(0.2))
    tell(space, (space.question, Probe(1, 0.0, 0.1)), e=1.0)
    assert Going(1).answer(space.world) == Velocity(1, 0.0, 0.0)
