"""Contacts of bodies that drive: found when they are, whatever has happened before, and always on the same instant."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, inf, pi, sin, sqrt
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.models.environment import Field, Twist, nearby
from tests.approximately import near
from tests.models.environment.driven import Run, drive

RADIUS = 0.035


def driven(
    poses: Sequence[tuple[float, float, float]],
    *messages: Any,
    later: Sequence[tuple[float, Any]] = (),
    until: float = 6.0,
) -> Run:
    field = Field(0.9, 0.9, walled=False)
    for x, y, heading in poses:
        field.add_body(x, y, heading, RADIUS)
    return drive(field, messages, later=later, until=until)


def stops(run: Run) -> list[tuple[float, int]]:
    return [(time, each.robot) for time, each in run.stopped if each.stopped]


def test_who_comes_to_rest_on_the_way_of_another_is_not_driven_into() -> None:
    """It drove towards the other, which had left it to it to find the contact; a third one is as fast as any."""
    poses = [(0.2, 0.2, 0.0), (0.45, 0.2, 3.125), (0.7, 0.2, 0.0)]
    later = [(0.1, Twist(2, 0.12, 0.0)), (1.25, Twist(2, 0.0, 0.0))]
    run = driven(poses, Twist(1, 0.02, 0.0), Twist(2, 0.05, 0.0), Twist(3, 0.12, 0.0), later=later)
    assert [robot for _, robot in stops(run)] == [1]
    assert run.space.field.clearance(0) == near(0.0, 1e-9)


@pytest.mark.parametrize("horizon", [0.25, 0.5, 0.75, 1.0, 2.0])
def test_a_contact_at_a_round_time_falls_on_one_instant(horizon: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Foreseen from different instants, for lists of neighbours are made anew in between, or just then."""
    monkeypatch.setattr(nearby, "HORIZON", horizon)
    ((time, robot),) = stops(driven([(0.2, 0.45, 0.0), (0.45, 0.45, 1.0)], Twist(1, 0.12, 0.0)))
    assert robot == 1
    assert time == 1.5 + 2.0**-30


@pytest.mark.parametrize("heading", [5e-324, 1.3e-253, 1e-160])
def test_who_drives_side_by_side_never_meets(heading: float) -> None:
    """Their relative velocity is not 0, but its square is."""
    run = driven([(0.2, 0.2, heading), (0.2, 0.45, 0.0)], Twist(1, 0.05, 0.0), Twist(2, 0.05, 0.0))
    assert not stops(run)


@given(st.floats(-0.05, 0.05), st.floats(-pi, pi), st.floats(0.02, 0.12), st.floats(0.0, 0.12))
def test_two_discs_in_straight_motion_touch_when_the_formula_says(
    beside: float, heading: float, speed: float, its: float
) -> None:
    """t = (-p.v - sqrt((p.v)^2 - v^2 (p^2 - R^2))) / v^2, with p and v the one's place and velocity by the other."""
    run = driven(
        [(0.2, 0.45, 0.0), (0.5, 0.45 + beside, heading)], Twist(1, speed, 0.0), Twist(2, its, 0.0), until=20.0
    )
    vx, vy = its * cos(heading) - speed, its * sin(heading)
    along, square = 0.3 * vx + beside * vy, vx * vx + vy * vy
    root = along * along - square * (0.09 + beside * beside - 4.0 * RADIUS**2)
    assume(abs(root) > 1e-9 and square > 1e-6)
    expected = (-along - sqrt(root)) / square if root > 0.0 and along < 0.0 else inf
    first = min((time for time, _ in stops(run)), default=inf)
    if expected < 19.9:
        assert first == near(expected, 1e-6)
    else:
        assert first > 19.9
