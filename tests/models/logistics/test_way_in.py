"""A robot that gives docking up between the legs of a carrier goes out again where it came in."""

from __future__ import annotations

from math import pi

import pytest

from devs_robotics import Stream
from devs_robotics.models.logistics.carry import CarrierTree
from devs_robotics.models.logistics.layout import FIT_SPEED
from devs_robotics.models.logistics.leaves import Glimpse
from devs_robotics.models.logistics.messages import CompassReading, GoalEnded
from devs_robotics.models.logistics.rules import RULES
from devs_robotics.models.logistics.way_in import INSIDE, WayIn
from tests.models.play import tell


def docking(lasts: float) -> CarrierTree:
    """It has begun to dock with carrier 3, which is ahead of it, and something has ended that after so long (s)."""
    model = CarrierTree("carry", 1, Stream(1, 1, "carry"))
    model.initialize()
    model.estimate = Glimpse(0, 3, 0.31, 0.0, pi)
    go = model.to_dock()
    assert (go.under, go.stay, go.narrow) == (3, True, True)
    assert (*go.directions, go.distance) == pytest.approx((0.0, 0.49))
    model.write("compass", CompassReading(0.0))
    tell(model, (model.went, GoalEnded(go.number, "warned")), e=lasts)
    return model


def test_who_has_come_in_goes_out_backwards_and_so_far_and_then_explores() -> None:
    model = docking(1.0)
    assert model.failed().carrier == 0
    out = model.way_to_search()
    assert (out.under, out.narrow) == (3, True)
    assert out.directions == pytest.approx((pi, pi))
    assert (out.distance, out.middle) == pytest.approx((0.3, -0.19))  # of 0.49
    assert (out.stay, out.alone, out.speed) == (True, True, FIT_SPEED)
    for stays in (True,) * (RULES.waits - 1) + (False,):  # it does not wait for ever
        model.write("zone", "search")
        model.write("tag", 4)
        assert not model.sees_carrier(), "it comes out first"
        model.write("went", GoalEnded(out.number, "warned"))
        out = model.way_to_search()
        assert (out.under, out.stay) == (3, stays)
    model.write("went", GoalEnded(out.number, "arrived"))
    assert model.way_to_search().under == 0


def test_who_has_not_begun_explores_at_once() -> None:
    model = docking(0.1)
    model.failed()
    assert model.way_to_search().under == 0


def test_who_is_inside_does_not_go_by_tags_that_it_sees_from_there() -> None:
    for lasts, expected in ((0.1, True), (1.0, False)):
        model = docking(lasts)
        model.write("tag", 3)
        assert model.sees_tag() is expected


def test_who_is_told_to_stop_on_its_way_in_has_come_in_all_the_same() -> None:
    model = CarrierTree("carry", 1, Stream(1, 1, "carry"))
    model.initialize()
    model.estimate = Glimpse(0, 3, 0.31, 0.0, pi)
    model.to_dock()
    model.write("compass", CompassReading(0.0))
    model.now = 1.0
    model.stop()
    model.failed()
    assert model.way_to_search().under == 3


def test_the_way_out_turns_with_the_robot() -> None:
    way = WayIn()
    way.begin(7, 2.0, 0.4, 0.5)
    way.ended(6, 2.5)
    assert not way.is_inside
    way.ended(7, 3.0)
    way.ended(7, 9.0)
    assert (way.gone, way.left) == pytest.approx((0.3, 0.2))
    assert way.gone > INSIDE
    way.turned(0.1)
    assert way.outwards == pytest.approx(0.3 + pi)
    way.forget()
    assert not way.is_inside


@pytest.mark.parametrize(("warned_after", "left"), [(1.0, 0.2), (1.9, 0.11), (2.1, 0.0)])
def test_who_is_warned_on_its_way_out_has_come_so_far_and_is_out_when_it_is_near_no_leg(
    warned_after: float, left: float
) -> None:
    model = docking(1.0)
    model.failed()
    out = model.way_to_search()
    tell(model, (model.went, GoalEnded(out.number, "warned")), e=warned_after)
    again = model.way_to_search()
    if left:
        assert again.under == 3
        assert again.distance == pytest.approx(left)
        assert again.middle == pytest.approx(left - 0.49)
    else:
        assert again.under == 0
