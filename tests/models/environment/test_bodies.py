"""Bodies: they are where their arcs are, at every instant, and have gone as far."""

from __future__ import annotations

from math import pi, remainder, tau

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.models.environment.bodies import Bodies
from tests.approximately import near

speeds = st.floats(-0.2, 0.2)
rates = st.one_of(st.just(0.0), st.floats(-3.0, 3.0), st.floats(-1e-9, 1e-9))
starts = st.floats(0.0, 10.0)


@given(st.floats(-pi, pi), starts, speeds, rates, st.floats(0.0, 10.0))
def test_a_body_is_where_its_arc_is(heading: float, start: float, speed: float, rate: float, later: float) -> None:
    bodies = Bodies()
    body = bodies.add(1.0, 2.0, heading, 0.035)
    bodies.go(body, start, speed, rate)
    x, y, towards = bodies.pose(body, start + later)
    assert (x, y, remainder(towards, tau)) == bodies.arc(body).pose(start + later)


@given(speeds, rates, speeds, rates, starts)
def test_travel_goes_on_from_arc_to_arc(
    speed: float, rate: float, other: float, other_rate: float, then: float
) -> None:
    bodies = Bodies()
    body = bodies.add(0.0, 0.0, 0.0, 0.035)
    bodies.go(body, 0.0, speed, rate)
    bodies.go(body, then, other, other_rate)
    gone, turned = bodies.travel(body, then + 2.0)
    assert gone == near(speed * then + other * 2.0)
    assert turned == near(rate * then + other_rate * 2.0)
