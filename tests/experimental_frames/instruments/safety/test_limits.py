"""What is a danger: the room to stop against the planned braking, and what may be allowed."""

from __future__ import annotations

from math import inf, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.instruments.safety import Allowance, SafetyLimits
from devs_robotics.models.environment.motion.jerk_limited import MotionLimits, braking
from devs_robotics.models.environment.motion.profile import Profile
from tests.approximately import near

LIMITS = SafetyLimits()


@pytest.mark.parametrize(("speed", "way"), [(0.3, 0.0375), (0.5, 0.0875), (2.0, 1.1), (0.0, 0.0)])
def test_the_way_to_stop_is_the_published_one(speed: float, way: float) -> None:
    assert LIMITS.way(speed) == near(way)


@given(st.floats(0.001, 5.0), st.floats(0.1, 10.0), st.floats(0.5, 100.0))
def test_the_way_to_stop_is_that_of_the_fastest_braking(speed: float, deceleration: float, jerk: float) -> None:
    pieces = braking(speed, 0.0, MotionLimits(10.0, deceleration, jerk))
    planned = Profile(0.0, 0.0, 0.0, 0.0, pieces, speed)
    way = SafetyLimits(deceleration=deceleration, jerk=jerk).way(speed)
    assert isclose(way, planned.distance(planned.end), rel_tol=1e-6)


def test_without_a_jerk_it_brakes_evenly() -> None:
    assert SafetyLimits(jerk=inf).way(0.5) == near(0.0625)


@pytest.mark.parametrize(
    ("own", "other", "room"),
    [
        (0.5, 0.0, 0.1475),
        (0.3, 0.0, 0.0735),
        (2.0, 0.0, 1.34),
        (0.25, 0.25, 0.5 * 0.12 + 2 * 0.028125),  # each brakes its own part
        (0.5, -0.2, 0.3 * 0.12 + 0.0375),  # who comes nearer brakes all of it
        (0.2, -0.2, 0.0),
        (-0.2, 0.1, 0.0),
    ],
)
def test_two_bodies_need_room_to_stop(own: float, other: float, room: float) -> None:
    assert LIMITS.room_to_stop(own, other) == near(room)
    assert LIMITS.room_to_stop(other, own) == near(room)


def test_an_allowance_has_its_bounds() -> None:
    docking = Allowance(("too near", "contact"), "it docks", up_to=0.3, things=("robot",))
    assert docking.allows("contact", "robot", 0.3)
    assert not docking.allows("contact", "robot", 0.31)
    assert not docking.allows("contact", "wall", 0.1)
    assert not docking.allows("not stoppable", "robot", 0.1)


def test_an_allowance_may_hold_only_while_a_robot_deals_with_the_thing() -> None:
    docking = Allowance(("too near",), "it docks", up_to=0.3, things=("leg",), engaged=True)
    assert docking.allows("too near", "leg", 0.3, engaged=True)
    assert not docking.allows("too near", "leg", 0.3)
    assert not docking.allows("too near", "leg", 0.31, engaged=True)
    assert Allowance(("too near",), "always").allows("too near", "leg", 0.3)


@pytest.mark.parametrize(
    ("given_to_it", "said"),
    [
        ({"kinds": "contact", "why": "x"}, r"kinds must be several, not 'contact': write \('contact',\), with a comma"),
        ({"kinds": ("touch",), "why": "x"}, "there is no 'touch' among the kinds: there are contact, not stoppable"),
        ({"kinds": ("contact",), "why": "x", "things": "door"}, "things must be several, not 'door': write"),
        ({"kinds": ("contact",), "why": " "}, "say why it is allowed"),
    ],
)
def test_an_allowance_that_is_none_is_told(given_to_it: dict[str, object], said: str) -> None:
    with pytest.raises(DevsRoboticsError, match=said):
        Allowance(**given_to_it)  # type: ignore[arg-type]
