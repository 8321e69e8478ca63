"""The velocity of what is put at one place after the other."""

from __future__ import annotations

from math import remainder, tau

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.followed import LATELY, FollowedBodies

speeds, turn_rates = st.floats(-0.5, 0.5), st.floats(-3.0, 3.0)


@given(speeds, speeds, turn_rates, st.floats(0.02, 0.12))
def test_who_goes_on_is_as_fast_as_it_is(vx: float, vy: float, turn_rate: float, period: float) -> None:
    followed = FollowedBodies()
    assert 3 not in followed
    for step in range(12):
        now = step * period
        followed.put(3, now, (0.0, 0.0, 1.0))  # a turn first, and then the way
        followed.put(3, now, (vx * now, vy * now, remainder(turn_rate * now, tau)))
        if step:
            assert followed.velocity(3, now + period / 2.0) == pytest.approx((vx, vy, turn_rate), abs=1e-9)
    assert 3 in followed


def test_who_is_put_nowhere_any_more_stands() -> None:
    followed = FollowedBodies()
    followed.put(0, 1.0, (0.0, 0.0, 0.0))
    assert followed.velocity(0, 1.0) == (0.0, 0.0, 0.0)
    followed.put(0, 1.1, (0.05, 0.0, 0.0))
    assert followed.velocity(0, 1.2) == pytest.approx((0.5, 0.0, 0.0))
    assert followed.velocity(0, 1.1 + 1.01 * LATELY) == (0.0, 0.0, 0.0)


def test_who_sets_out_after_a_rest_is_as_fast_as_it_has_gone_since() -> None:
    followed = FollowedBodies()
    followed.put(0, 1.0, (0.0, 0.0, 0.0))
    followed.put(0, 9.0, (0.02, 0.0, 0.0))
    assert followed.velocity(0, 9.0) == (0.0, 0.0, 0.0)
    followed.put(0, 9.1, (0.07, 0.0, 0.0))
    assert followed.velocity(0, 9.1) == pytest.approx((0.5, 0.0, 0.0))
