"""When bodies come near each other, part and touch, against dense sampling, and closed forms against the bracket."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.models.environment.crossing import first_apart, first_contact, first_near
from devs_robotics.models.environment.crossing.discs import gap_of_discs
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Trajectory
from tests.models.environment.crossing.motions import (
    HORIZON,
    NOW,
    Unknown,
    angles,
    arcs,
    bends,
    check_first,
    check_graze,
    motions,
    some,
)

distances = st.sampled_from([0.07, 0.3])


@given(motions, motions, distances)
@some
def test_none_is_missed_and_none_is_early(a: Trajectory, b: Trajectory, distance: float) -> None:
    check_first(gap_of_discs(a, b, distance), first_near(a, b, distance, NOW, HORIZON))
    check_first(gap_of_discs(a, b, distance, -1.0), first_apart(a, b, distance, NOW, HORIZON))


@given(arcs, arcs, distances, st.booleans())
@some
def test_closed_forms_agree_with_the_bracket(a: Arc, b: Arc, distance: float, alike: bool) -> None:
    if alike:
        b = Arc(b.start, b.x, b.y, b.heading, b.speed, a.turn_rate)
    for first, sign in ((first_near, 1.0), (first_apart, -1.0)):
        closed = first(a, b, distance, NOW, HORIZON)
        bracketed = first(Unknown(a), Unknown(b), distance, NOW, HORIZON)
        check_graze(gap_of_discs(a, b, distance, sign), closed, bracketed)


@given(arcs, arcs, distances)
@some
def test_a_contact_of_discs_that_are_apart_is_when_they_are_near(a: Arc, b: Arc, distance: float) -> None:
    if gap_of_discs(a, b, distance)(NOW) > 0.0:
        assert first_contact(a, b, distance, NOW, HORIZON) == first_near(a, b, distance, NOW, HORIZON)


@given(angles, angles, st.floats(0.0, 0.02))
def test_discs_that_overlap_may_part_but_not_go_deeper(towards: float, heading: float, overlap: float) -> None:
    apart = 0.07 - overlap
    rests = Arc(0.0, apart * cos(towards), apart * sin(towards), 0.0)
    moves = Arc(0.0, 0.0, 0.0, heading, 0.05)
    closing = cos(towards - heading)
    assume(abs(closing) > 1e-3)
    for motion in moves, Unknown(moves):
        found = first_contact(motion, rests, 0.07, 0.0, 60.0)
        assert found == (pytest.approx(0.0, abs=1e-9) if closing > 0.0 else inf)


def test_a_disc_that_touches_may_turn_away_but_not_in() -> None:
    rests = Arc(0.0, 0.07, 0.0, 0.0)
    along = Arc(0.0, 0.0, 0.0, pi / 2, 0.05, 1.0)  # away from it, to the left
    assert first_contact(along, rests, 0.07, 0.0, 6.0) == inf
    inward = Arc(0.0, 0.0, 0.0, pi / 2, 0.01, -1.0)  # to the right, sharper than the disc is round
    assert first_contact(inward, rests, 0.07, 0.0, 6.0) == 0.0


@given(bends, st.floats(0.071, 0.3), angles)
@some
def test_a_formation_that_turns_as_one_stays_as_it_is(leader: Arc, apart: float, bearing: float) -> None:
    """A body that goes round the same centre with the same rate keeps its distance."""
    x, y = leader.centre
    turned = Arc(
        leader.start,
        x + cos(bearing) * (leader.x - x) - sin(bearing) * (leader.y - y),
        y + sin(bearing) * (leader.x - x) + cos(bearing) * (leader.y - y),
        leader.heading + bearing,
        leader.speed,
        leader.turn_rate,
    )
    distance = hypot(turned.x - leader.x, turned.y - leader.y)
    assume(distance > 0.01)
    assert first_near(leader, turned, distance - 1e-6, NOW, NOW + 1000.0) == inf
    assert first_apart(leader, turned, distance + 1e-6, NOW, NOW + 1000.0) == inf
    assert first_contact(leader, turned, distance, NOW, NOW + 1000.0) == inf


def test_head_on_contact() -> None:
    here, there = Arc(0.0, 0.0, 0.0, 0.0, 0.05), Arc(0.0, 1.0, 0.0, pi, 0.05)
    assert first_contact(here, there, 0.07, 0.0, 100.0) == pytest.approx(9.3, abs=1e-12)
