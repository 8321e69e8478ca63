"""When a ray begins and ceases to see a disc, against dense sampling, and closed forms against the bracket."""

from __future__ import annotations

from itertools import cycle
from math import inf, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.crossing import first_seen, first_unseen
from devs_robotics.models.environment.crossing.rays import gap_of_ray
from devs_robotics.models.environment.motion.arc import Arc
from devs_robotics.models.environment.motion.trajectory import Trajectory
from tests.models.environment.crossing.motions import (
    HORIZON,
    NOW,
    Unknown,
    angles,
    arcs,
    check_first,
    check_graze,
    lines,
    motions,
    rests,
    some,
    spins,
)

EDGE, RADIUS = 0.035, 0.04
reaches = st.sampled_from([0.05, 0.3])


@given(motions, angles, reaches, motions)
@some
def test_none_is_missed_and_none_is_early(
    observer: Trajectory, bearing: float, reach: float, target: Trajectory
) -> None:
    ray = observer, bearing, EDGE, reach, target, RADIUS
    check_first(gap_of_ray(observer, bearing, EDGE, EDGE + reach, target, RADIUS), first_seen(*ray, NOW, HORIZON))
    check_first(
        gap_of_ray(observer, bearing, EDGE, EDGE + reach, target, RADIUS, -1.0), first_unseen(*ray, NOW, HORIZON)
    )


@given(arcs, angles, reaches, arcs)
@some
def test_closed_forms_agree_with_the_bracket(observer: Arc, bearing: float, reach: float, target: Arc) -> None:
    for first, sign in ((first_seen, 1.0), (first_unseen, -1.0)):
        closed = first(observer, bearing, EDGE, reach, target, RADIUS, NOW, HORIZON)
        bracketed = first(Unknown(observer), bearing, EDGE, reach, Unknown(target), RADIUS, NOW, HORIZON)
        check_graze(gap_of_ray(observer, bearing, EDGE, EDGE + reach, target, RADIUS, sign), closed, bracketed)


@given(motions, angles, reaches, motions)
@some
def test_visits_begin_and_end_in_turn(observer: Trajectory, bearing: float, reach: float, target: Trajectory) -> None:
    gap = gap_of_ray(observer, bearing, EDGE, EDGE + reach, target, RADIUS)
    now, inside = NOW, False
    for first in cycle((first_seen, first_unseen)):
        then = first(observer, bearing, EDGE, reach, target, RADIUS, now, HORIZON)
        assert then >= now
        middle = 0.5 * (now + min(then, HORIZON))
        if middle > now:
            assert gap(middle) <= 1e-8 if inside else gap(middle) >= -1e-8
        if then == inf:
            break
        assert then > now or now == NOW or abs(gap(min(HORIZON, now + 1e-4))) < 1e-8, "it went back at once"
        now, inside = then, not inside


def test_what_is_seen_now_is_seen_now_and_what_just_leaves_is_not() -> None:
    here, going = Arc(0.0, 0.0, 0.0, 0.0), Arc(0.0, 0.1, 0.0, 0.0, 0.1)
    ray = here, 0.0, EDGE, 0.05, going, RADIUS
    assert first_seen(*ray, 0.0, 10.0) == 0.0
    leaves = first_unseen(*ray, 0.0, 10.0)
    assert leaves == pytest.approx((0.125 - 0.1) / 0.1)
    assert first_seen(*ray, leaves, 10.0) == inf
    assert first_unseen(*ray, leaves + 1.0, 10.0) == leaves + 1.0


def test_what_just_comes_is_not_unseen_before_it_has_left() -> None:
    here, passing = Arc(0.0, 0.0, 0.0, 0.0), Arc(0.0, 0.1, 0.2, -pi / 2, 0.1)
    ray = here, 0.0, EDGE, 0.3, passing, RADIUS
    comes = first_seen(*ray, 0.0, 10.0)
    assert comes == pytest.approx(1.6)
    assert first_unseen(*ray, comes, 10.0) == pytest.approx(2.4)


@given(spins, angles, rests)
def test_a_turning_ray_sees_again_what_it_saw_a_turn_ago(observer: Arc, bearing: float, target: Arc) -> None:
    turn = 2.0 * pi / abs(observer.turn_rate)
    horizon = NOW + 3.0 * turn
    seen = first_seen(observer, bearing, EDGE, 0.3, target, RADIUS, NOW, horizon)
    if NOW < seen < inf:
        left = first_unseen(observer, bearing, EDGE, 0.3, target, RADIUS, seen, horizon)
        if left - seen > 1e-4:
            assert first_seen(observer, bearing, EDGE, 0.3, target, RADIUS, left, horizon) == pytest.approx(seen + turn)


@given(lines, angles)
def test_nothing_happens_by_the_horizon_that_happens_after_it(target: Arc, bearing: float) -> None:
    ray = Arc(0.0, 0.0, 0.0, 0.0), bearing, EDGE, 0.3, target, RADIUS
    seen = first_seen(*ray, NOW, HORIZON)
    if NOW < seen < inf:
        assert first_seen(*ray, NOW, NOW + 0.99 * (seen - NOW)) == inf
