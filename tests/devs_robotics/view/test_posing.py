"""Where everybody is at any time: held against the rule, written once more for one body at a time."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, isnan, nan, pi, remainder, sin, tau

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.view.posing import JOINED, Posing
from devs_robotics.view.scene import BodyKind
from tests.devs_robotics.view.timelines import (
    NOWHERE,
    PACE,
    TICKS,
    Change,
    arcs,
    changes,
    kinds,
    poses,
    scene,
    written,
)

Pose = tuple[float, float, float]
END = 4 * TICKS


def by_hand(kind: BodyKind, history: list[tuple[float, Pose, tuple[float, float]]], time: float) -> Pose:
    """The rule for one body: its changes up to now and the one after them are all that counts."""
    number = max(k for k, (at, _, _) in enumerate(history) if at <= time)
    at, (x, y, heading), (speed, rate) = history[number]
    following = history[number + 1] if number + 1 < len(history) else None
    if (speed or rate) and not isnan(speed):
        since = time - at
        if abs(rate * since) < 1e-6:
            return x + speed * since * cos(heading), y + speed * since * sin(heading), heading + rate * since
        radius, later = speed / rate, heading + rate * since
        return x + radius * (sin(later) - sin(heading)), y - radius * (cos(later) - cos(heading)), later
    if following is None or isnan(x) or isnan(following[1][0]):
        return x, y, heading
    then, (x1, y1, heading1), _ = following
    turn, way = remainder(heading1 - heading, tau), hypot(x1 - x, y1 - y)
    if isnan(speed):
        share = (time - at) / (then - at)
        return x + share * (x1 - x), y + share * (y1 - y), heading + share * turn
    if kind == "real":
        share = (time - at) / (then - at) if then - at < JOINED else 0.0
        return x + share * (x1 - x), y + share * (y1 - y), heading + share * turn
    needed = (abs(turn) / PACE[1], way / PACE[0])
    if not sum(needed):
        return x, y, heading
    took = min(sum(needed), then - at)
    turning = took * needed[0] / sum(needed)
    spent = time - (then - took)
    if spent <= 0.0:
        return x, y, heading
    if spent < turning:
        return x, y, heading + turn * spent / turning
    share = (spent - turning) / (took - turning) if took > turning else 0.0
    return x + share * (x1 - x), y + share * (y1 - y), heading + turn


def same(one: Pose, other: Pose) -> bool:
    """Whether two poses are the same one, to what a timeline keeps; of headings, half a turn may go either way."""
    if isnan(one[0]) or isnan(other[0]):
        return isnan(one[0]) and isnan(other[0])
    return hypot(one[0] - other[0], one[1] - other[1]) < 1e-5 and abs(remainder(one[2] - other[2], tau)) < 1e-5


@given(st.data())
def test_every_pose_follows_the_rule(data: st.DataObject) -> None:
    some = data.draw(st.lists(kinds, min_size=1, max_size=4))
    begin = data.draw(st.lists(st.one_of(poses, st.just(NOWHERE)), min_size=len(some), max_size=len(some)))
    happened = data.draw(changes(len(some), END))
    timeline = written(begin, happened, END, data.draw(st.integers(1, 3)))
    posing = Posing(scene(some), timeline)
    for ticks in data.draw(st.lists(st.integers(0, END), min_size=1, max_size=10)):
        found = posing.at(ticks / TICKS)
        for slot, kind in enumerate(some):
            own = [(time / TICKS, pose, arc) for time, which, pose, arc in happened if which == slot]
            own.insert(0, (0.0, begin[slot], (0.0, 0.0)))
            if any(abs(abs(remainder(b[1][2] - a[1][2], tau)) - pi) < 1e-3 for a, b in pairwise(own)):
                continue  # half a turn may be made either way
            expected = by_hand(kind, own, ticks / TICKS)
            assert same(tuple(found[slot]), expected), (slot, ticks)


@given(st.data())
def test_at_a_change_everybody_is_where_it_says(data: st.DataObject) -> None:
    some = data.draw(st.lists(kinds, min_size=1, max_size=4))
    happened = data.draw(changes(len(some), END))
    posing = Posing(scene(some), written([NOWHERE] * len(some), happened, END))
    last = {(time, slot): pose for time, slot, pose, _ in happened}
    for (time, slot), pose in last.items():
        assert same(tuple(posing.at(time / TICKS)[slot]), pose)


@given(st.data())
def test_in_how_many_chunks_a_timeline_is_written_makes_no_difference(data: st.DataObject) -> None:
    happened = data.draw(changes(3, END))
    begin = [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0), NOWHERE]
    here = scene(["virtual", "real", "outside"])
    one, other = (Posing(here, written(begin, happened, END, parts)) for parts in (1, data.draw(st.integers(2, 5))))
    for ticks in data.draw(st.lists(st.integers(0, END), min_size=1, max_size=10)):
        np.testing.assert_array_equal(one.at(ticks / TICKS), other.at(ticks / TICKS))


@given(poses, poses, arcs, st.integers(0, END))
def test_times_before_and_after_a_timeline_are_its_begin_and_its_end(
    one: Pose, other: Pose, arc: tuple[float, float], at: int
) -> None:
    posing = Posing(scene(["virtual"]), written([one], [(at, 0, other, arc)], END))
    np.testing.assert_array_equal(posing.at(-1.0), posing.at(0.0))
    np.testing.assert_array_equal(posing.at(99.0), posing.at(END / TICKS))


MOTION: list[Change] = [(3 * TICKS, 0, (1.0, 0.0, pi / 2), (0.0, 0.0))]
"""Turns a quarter (0.785 s) and goes 1 m (2 s), and has arrived at 3 s: so it began at 0.215 s."""


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        (0.2, (0.0, 0.0, 0.0)),
        (3.0 - 2.0 - pi / 8, (0.0, 0.0, pi / 4)),
        (1.0, (0.0, 0.0, pi / 2)),
        (2.0, (0.5, 0.0, pi / 2)),
        (3.0, (1.0, 0.0, pi / 2)),
        (4.0, (1.0, 0.0, pi / 2)),
    ],
)
def test_a_motion_turns_first_and_then_goes(time: float, expected: Pose) -> None:
    posing = Posing(scene(["virtual"]), written([(0.0, 0.0, 0.0)], MOTION, END))
    assert tuple(posing.at(time)[0]) == pytest.approx(expected, abs=2e-4)


def test_a_motion_that_had_less_time_is_made_in_that_time() -> None:
    posing = Posing(scene(["virtual"]), written([(0.0, 0.0, 0.0)], [(TICKS, 0, (1.0, 0.0, 0.0), (0.0, 0.0))], END))
    assert posing.at(0.25)[0, 0] == pytest.approx(0.25)


def test_fixes_far_apart_are_not_joined() -> None:
    fixes: list[Change] = [
        (TICKS // 2, 0, (1.0, 0.0, 0.0), (0.0, 0.0)),
        (2 * TICKS, 0, (2.0, 0.0, 0.0), (0.0, 0.0)),
    ]
    posing = Posing(scene(["real"]), written([(0.0, 0.0, 0.0)], fixes, END))
    assert [posing.at(time)[0, 0] for time in (0.25, 1.9, 2.0)] == pytest.approx([0.5, 1.0, 2.0])


def test_who_leaves_is_there_until_then() -> None:
    gone: list[Change] = [(TICKS, 0, (nan, nan, nan), (0.0, 0.0))]
    posing = Posing(scene(["virtual"]), written([(1.0, 2.0, 0.0)], gone, END))
    assert tuple(posing.at(0.999)[0]) == (1.0, 2.0, 0.0)
    assert np.isnan(posing.at(1.0)).all()
