"""Paths, by the oracles of swarm transportation: nothing gets longer, ends stay, both robots end equally."""

from __future__ import annotations

from itertools import pairwise
from math import dist

from hypothesis import assume, given
from hypothesis import strategies as st

from devs_robotics.models.environment.shapes import Point
from devs_robotics.models.transport.path import Waypoints, between, crossings, digest, length, lengths_to, nearest_index
from devs_robotics.models.transport.sharing import shared, without_loops
from devs_robotics.models.transport.smoothing import GAIN, chords, cut_short, saving
from tests.approximately import near

SOURCE, DESTINATION = (0.0, 0.0), (12.0, 0.0)

places = st.tuples(st.integers(-30, 30), st.integers(-30, 30)).map(lambda at: (at[0] / 4.0, at[1] / 4.0))


@st.composite
def paths(draw: st.DrawFn) -> Waypoints:
    inner = draw(st.lists(places, max_size=9))
    return (SOURCE, *inner, DESTINATION)


def upright(*pieces: tuple[float, float]) -> Waypoints:
    """A path along the x axis from crossing to crossing, 2 m each: what is more than that is a detour to a side.

    Args:
        pieces: length (m), and the side: 1 or -1
    """
    points: list[Point] = [(0.0, 0.0)]
    for size, side in pieces:
        x = points[-1][0]
        high = side * (size - 2.0) / 2.0
        points += [(x + 0.5, 0.0), (x + 0.5, high), (x + 1.5, high), (x + 1.5, 0.0), (x + 2.0, 0.0)]
    return tuple(points)


def test_of_pieces_of_10_30_and_5_m_and_20_12_and_5_both_take_27() -> None:
    one = upright((10.0, 1.0), (30.0, 1.0), (5.0, 1.0))
    other = upright((20.0, -1.0), (12.0, -1.0), (5.0, -1.0))
    assert (length(one), length(other)) == (near(45.0), near(37.0))
    assert [length(path) for path in (shared(one, other), shared(other, one))] == [near(27.0), near(27.0)]


def test_without_a_crossing_but_the_ends_both_have_the_shorter_path_whole() -> None:
    one: Waypoints = (SOURCE, (0.0, 3.0), (12.0, 3.0), DESTINATION)
    other: Waypoints = (SOURCE, (6.0, -5.0), DESTINATION)
    assert [each.place for each in crossings(one, other)] == [SOURCE, DESTINATION]
    assert shared(one, other) == shared(other, one) == other


def test_halves_at_the_nearest_point_may_be_longer_and_sharing_never_is() -> None:
    """The published program cuts each path at the point nearest to the robot, and joins the shorter halves."""
    own: Waypoints = (SOURCE, (6.0, 3.0), DESTINATION)
    other: Waypoints = (SOURCE, (-3.0, -3.0), (7.0, -3.0), DESTINATION)
    cut, its = (nearest_index(path, (6.0, 0.0)) for path in (own, other))
    joined = (*min(own[: cut + 1], other[: its + 1], key=length), *min(own[cut:], other[its:], key=length))
    assert length(joined) > length(own) + 5.0
    assert shared(own, other) == own


@given(paths(), paths())
def test_sharing_lengthens_nothing_keeps_the_ends_and_leaves_both_equally_long(
    one: Waypoints, other: Waypoints
) -> None:
    mine, its = shared(one, other), shared(other, one)
    assert length(mine) <= length(one) + 1e-9
    assert length(its) <= length(other) + 1e-9
    assert abs(length(mine) - length(its)) <= 1e-5
    for path in (mine, its):
        assert (path[0], path[-1]) == (SOURCE, DESTINATION)


@given(paths(), paths())
def test_what_is_shared_goes_along_the_two_paths_alone(one: Waypoints, other: Waypoints) -> None:
    for start, end in pairwise(shared(one, other)):
        middle = (start[0] + end[0]) / 2.0, (start[1] + end[1]) / 2.0
        assert min(beside(middle, path) for path in (one, other)) <= 1e-5


@given(paths(), paths())
def test_sharing_once_more_changes_nothing(one: Waypoints, other: Waypoints) -> None:
    mine, its = shared(one, other), shared(other, one)
    assert length(shared(mine, its)) >= length(mine) - 1e-5
    assert length(shared(mine, mine)) >= length(mine) - 1e-5


def beside(place: Point, path: Waypoints) -> float:
    """How far a place is from a path (m)."""
    found = []
    for (ax, ay), (bx, by) in pairwise(path):
        size = dist((ax, ay), (bx, by))
        share = 0.0 if not size else ((place[0] - ax) * (bx - ax) + (place[1] - ay) * (by - ay)) / size**2
        share = min(1.0, max(0.0, share))
        found.append(dist(place, (ax + share * (bx - ax), ay + share * (by - ay))))
    return min(found)


@given(paths(), st.data())
def test_a_chord_lengthens_nothing_keeps_the_ends_and_saves_what_it_says(path: Waypoints, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(path) - 1))
    direction = data.draw(st.sampled_from([1, -1]))
    vision = data.draw(st.floats(0.5, 20.0))
    found = chords(path, at, direction, vision)
    assert found == sorted(found, reverse=True)
    for chord in found:
        assert (chord.to - at) * direction > 0
        assert chord.size == dist(path[at], path[chord.to]) <= vision
        shorter = cut_short(path, at, chord.to, 1.0)
        assert length(shorter) == near(length(path) - chord.saves)
        assert saving(path, at, chord.to) == near(chord.saves)
        assert (shorter[0], shorter[-1]) == (SOURCE, DESTINATION)


@given(paths(), st.data())
def test_smoothing_from_a_point_again_and_again_comes_to_an_end_at_which_it_changes_nothing(
    path: Waypoints, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(path) - 1))
    here = path[at]
    for _ in range(40):
        found = chords(path, at, 1, 6.0)
        if not found:
            break
        path = cut_short(path, at, found[0].to, 1.0)
        assert path[at] == here
    assert chords(path, at, 1, 6.0) == []


@given(places, places)
def test_new_points_are_on_the_chord_and_a_metre_apart_at_most(start: Point, end: Point) -> None:
    assume(start != end)
    inner = between(start, end, 1.0)
    size = dist(start, end)
    assert len(inner) == max(0, -(-size // 1.0) - 1)
    whole = (start, *inner, end)
    assert length(whole) == near(size)
    gaps = [dist(a, b) for a, b in pairwise(whole)]
    assert max(gaps) <= 1.0 + 1e-9
    assert max(gaps) - min(gaps) <= 1e-9


@given(paths(), places)
def test_the_nearest_point_is_nearer_than_all_others(path: Waypoints, place: Point) -> None:
    index = nearest_index(path, place)
    assert all(dist(path[index], place) <= dist(point, place) for point in path)


@given(paths(), paths())
def test_a_crossing_is_where_it_says_on_both_paths(one: Waypoints, other: Waypoints) -> None:
    for each in crossings(one, other):
        assert max(beside(each.place, one), beside(each.place, other)) <= 1e-6
        for path, way in ((one, each.on_one), (other, each.on_other)):
            to = lengths_to(path)
            index = max(k for k, before in enumerate(to) if before <= way + 1e-9)
            start, end = path[index], path[min(index + 1, len(path) - 1)]
            assert dist(start, each.place) + dist(each.place, end) <= dist(start, end) + 1e-5


def test_a_digest_tells_paths_apart_that_differ_by_a_millimetre_and_no_others() -> None:
    path: Waypoints = (SOURCE, (6.0, 1.0), DESTINATION)
    assert digest(path) == digest((SOURCE, (6.0, 1.00001), DESTINATION))
    assert digest(path) != digest((SOURCE, (6.0, 1.002), DESTINATION))
    assert 0 <= digest(path) < 2**32


def test_a_chord_that_saves_nothing_is_none() -> None:
    straight: Waypoints = (SOURCE, (3.0, 0.0), (6.0, 0.0), DESTINATION)
    bent: Waypoints = (SOURCE, (3.0, 0.1), (6.0, 0.0), DESTINATION)
    assert chords(straight, 0, 1, 20.0) == []
    assert {chord.to for chord in chords(bent, 0, 1, 20.0)} == {2, 3}
    assert all(chord.saves > GAIN for chord in chords(bent, 0, 1, 20.0))


@given(paths())
def test_a_path_without_loops_is_no_longer_and_goes_through_no_place_twice(path: Waypoints) -> None:
    plain = without_loops(path)
    assert length(plain) <= length(path) + 1e-9
    assert (plain[0], plain[-1]) == (path[0], path[-1])
    assert all(abs(each.on_one - each.on_other) <= 1e-5 for each in crossings(plain, plain))
    assert all(beside(point, path) <= 1e-6 for point in plain)
