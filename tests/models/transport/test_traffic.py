"""Traffic management's pure functions: lanes, claims, and the price of company."""

from __future__ import annotations

from itertools import pairwise
from math import dist, hypot

from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.claims import claimed, inherited, must_yield, opponents, priority
from devs_robotics.models.transport.company import Encounters
from devs_robotics.models.transport.lanes import hop, lane_line, straight_run
from devs_robotics.models.transport.messages import Claim
from devs_robotics.models.transport.path import Waypoints, length
from devs_robotics.models.transport.sharing import Tolls, shared
from tests.approximately import near

LINE: Waypoints = tuple((float(x), 0.0) for x in range(11))

places = st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))

# lanes


def test_lanes_are_to_the_right_either_way() -> None:
    assert lane_line(LINE, 1, 0.5)[5] == (near(5.0), near(-0.5))
    assert lane_line(LINE, -1, 0.5)[5] == (near(5.0), near(0.5))
    assert lane_line(LINE, 1, 0.0) == LINE


def test_lanes_of_the_ends_end_where_the_path_is_long_enough() -> None:
    line = lane_line(LINE, 1, 0.5, ends=2.0)
    assert [y for _, y in line] == [near(-0.5)] * 3 + [0.0] * 5 + [near(-0.5)] * 3


@given(st.lists(places, min_size=2, max_size=8, unique=True))
def test_lanes_are_so_far_beside_and_those_of_both_directions_twice_as_far_apart(points: list[Point]) -> None:
    path = tuple(points)
    assume(all(dist(one, other) > 1e-3 for one, other in pairwise(path)))
    for point, there, back in zip(path, lane_line(path, 1, 0.5), lane_line(path, -1, 0.5), strict=True):
        assert there == back == point or (
            dist(point, there) == near(0.5) and dist(point, back) == near(0.5) and dist(there, back) == near(1.0)
        )


def test_a_way_goes_straight_on_up_to_the_point_before_the_bend() -> None:
    assert straight_run((0.5, 0.0), LINE[1:]) == near(3.5)
    assert straight_run((0.0, 0.0), ((2.0, 0.0), (3.0, 0.1), (3.0, 2.0))) == near(2.0 + hypot(1.0, 0.1))
    assert straight_run((0.0, 0.0), ((2.0, 0.0), (0.0, 0.0))) == 2.0


@given(st.floats(0.0, 5.0), st.floats(0.01, 2.0), st.floats(0.0, 3.0))
def test_a_hop_leads_no_further_than_the_next_point_and_stays_behind_who_is_ahead(
    free: float, needs: float, more: float
) -> None:
    run, gap = needs + more, 0.5
    far = hop(free, needs, run, gap)
    assert 0.0 <= far <= needs
    if free < run:
        assert far == 0.0 or far <= free - gap
    else:
        assert far == needs


# claims


@st.composite
def claims(draw: st.DrawFn, robot: int) -> Claim:
    here, there = draw(places), draw(places)
    assume(dist(here, there) > 0.1)
    return claimed(robot, here, there, loaded=draw(st.booleans()), since=draw(st.sampled_from((1.0, 2.0, 3.0))))


@given(claims(1), claims(2))
def test_of_two_in_each_other_s_way_exactly_one_makes_way(one: Claim, other: Claim) -> None:
    if opponents(one, [other]) and opponents(other, [one]):
        assert must_yield(one, [other]) != must_yield(other, [one])
    assert not must_yield(one, []) or not opponents(one, [])


def test_loaded_goes_before_empty_then_who_waits_longer_then_the_lower_number() -> None:
    def claim(robot: int, *, loaded: bool, since: float) -> Claim:
        return Claim(robot, loaded, since, (0.0, 0.0), (2.0, 0.0))

    order = [claim(9, loaded=True, since=5.0)]
    order += [claim(1, loaded=False, since=2.0), claim(4, loaded=False, since=3.0), claim(5, loaded=False, since=3.0)]
    assert sorted([order[k] for k in (2, 3, 1, 0)], key=priority) == order


def test_who_is_blocked_passes_on_the_priority_of_who_waits_behind() -> None:
    own = claimed(5, (1.0, 0.0), (2.0, 0.0), loaded=False, since=8.0)
    behind = claimed(7, (0.0, 0.0), (1.0, 0.0), loaded=True, since=9.0)
    ahead = claimed(6, (2.0, 0.0), (1.0, 0.0), loaded=False, since=7.0)
    assert must_yield(own, [behind, ahead])
    passed_on = inherited(own, [behind, ahead])
    assert (passed_on.sender, passed_on.loaded, passed_on.since) == (5, True, 9.0)
    assert not must_yield(passed_on, [behind, ahead])
    assert must_yield(ahead, [passed_on])


def test_who_goes_by_is_in_nobody_s_way() -> None:
    own = claimed(5, (1.0, 1.0), (2.0, 1.0), loaded=False, since=8.0)
    other = claimed(1, (3.0, 0.0), (2.0, 0.0), loaded=True, since=1.0)
    assert not must_yield(own, [other])


# company


def test_somebody_is_come_upon_once_until_he_was_away_and_round_trips_are_two_ways() -> None:
    met = Encounters(10.0)
    for time, robot, place in ((0.0, 2, 1.0), (5.0, 2, 2.0), (14.0, 2, 3.0), (14.0, 3, 4.0), (40.0, 2, 5.0)):
        met.add(time, robot, (place, 0.0))
    assert met.turned() == ((1.0, 0.0), (4.0, 0.0), (5.0, 0.0))
    met.add(60.0, 3, (6.0, 0.0))
    assert met.turned() == ((1.0, 0.0), (4.0, 0.0), (5.0, 0.0), (6.0, 0.0))
    assert met.turned() == ((6.0, 0.0),)


NORTH: Waypoints = ((0.0, 0.0), (5.0, 2.0), (10.0, 0.0))
SOUTH: Waypoints = ((0.0, 0.0), (5.0, -3.0), (10.0, 0.0))


def test_a_longer_path_is_taken_where_the_shorter_one_has_more_company_than_it_saves() -> None:
    crowd = ((5.0, 1.9), (4.0, 1.5))
    longer = length(SOUTH) - length(NORTH)
    for each, wanted in ((0.45 * longer, NORTH), (0.55 * longer, SOUTH)):
        assert shared(NORTH, SOUTH, Tolls(each, crowd, ())) == wanted
        assert shared(SOUTH, NORTH, Tolls(each, (), crowd)) == wanted


@given(st.lists(places, max_size=4), st.lists(places, max_size=4), st.floats(0.0, 5.0))
def test_with_any_price_the_ends_stay_and_equal_paths_stay_as_they_are(
    mine: list[Point], its: list[Point], price: float
) -> None:
    tolls = Tolls(price, tuple(mine), tuple(its))
    path = shared(NORTH, SOUTH, tolls)
    assert path in (NORTH, SOUTH)
    assert shared(NORTH, NORTH, tolls) == NORTH
