"""Whichever way watches are looked at, they tell the same: over random worlds with contacts, walls, boxes and fixes."""

from __future__ import annotations

from math import pi
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from devs_robotics import Fix
from devs_robotics.models.environment import Cast, Circle, Field, Shape, Twist, Watching, box, nearby
from tests.models.environment.driven import Run, drive

RADIUS = 0.035
SIZE = 0.9
PERIOD = 0.1
BEARINGS = tuple(each * pi / 4 for each in range(8))
PLACES = [(0.2 + 0.25 * column, 0.2 + 0.25 * row) for row in range(3) for column in range(3)]

headings = st.floats(-pi, pi)
speeds = st.sampled_from([0.0, 0.02, 0.05, -0.05, 0.12])
rates = st.sampled_from([0.0, 0.0, 0.4, -0.9, 2.0])
times = st.one_of(st.integers(1, 40).map(lambda tenths: tenths / 10), st.floats(0.0, 4.0).map(lambda t: round(t, 3)))


World = tuple[list[tuple[float, float, float]], tuple[Shape, ...], list[tuple[float, Any]], bool]
"""Poses, obstacles, messages with their times, and whether there are walls."""


@st.composite
def worlds(draw: st.DrawFn) -> World:
    count = draw(st.integers(2, 6))
    places = draw(st.permutations(PLACES))[:count]
    poses = [(x, y, draw(headings)) for x, y in places]
    free = draw(st.booleans())
    obstacles: tuple[Shape, ...] = () if free else (box(0.33, 0.33, 0.06, 0.1, 0.4), Circle(0.58, 0.57, 0.04))
    first = [(0.0, Twist(robot, draw(speeds), draw(rates))) for robot in range(1, count + 1)]
    later: list[tuple[float, Any]] = []
    for _ in range(draw(st.integers(0, 8))):
        robot, at = draw(st.integers(1, count)), draw(times)
        if draw(st.integers(0, 5)) == 0:
            later.append((at, Fix(robot, draw(st.floats(0.1, 0.8)), draw(st.floats(0.1, 0.8)), draw(headings))))
        else:
            later.append((at, Twist(robot, draw(speeds), draw(rates))))
    return poses, obstacles, first + later, draw(st.booleans())


def played(world: World, strategy: Any, reach: float = 0.05) -> Run:
    poses, obstacles, messages, walled = world
    field = Field(SIZE, SIZE, obstacles, walled=walled)
    for x, y, heading in poses:
        field.add_body(x, y, heading, RADIUS)
    watches = [Watching(Cast(robot, BEARINGS, reach), period=PERIOD) for robot in range(1, len(poses) + 1)]
    return drive(field, watches, later=messages, until=6.0, strategy=strategy)


@given(worlds())
@settings(max_examples=25, deadline=None, phases=(Phase.generate,), report_multiple_bugs=False)
def test_predict_batch_and_polling_tell_the_same(world: World) -> None:
    polled, predicted, batched = (played(world, strategy) for strategy in ("polling", "predict", "batch"))
    assert predicted.noticed == polled.noticed
    assert batched.noticed == polled.noticed
    assert predicted.stopped == polled.stopped == batched.stopped
    assert [predicted.space.field.pose(body) for body in range(len(world[0]))] == [
        polled.space.field.pose(body) for body in range(len(world[0]))
    ]


@given(worlds(), st.sampled_from([0.5, 1.0, 4.0, 8.0]))
@settings(max_examples=10, deadline=None)
def test_how_long_lists_of_neighbours_hold_does_not_show(world: World, horizon: float) -> None:
    usual = played(world, "predict")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearby, "HORIZON", horizon)
        assert played(world, "predict").noticed == usual.noticed


@given(worlds())
@settings(max_examples=10, deadline=None)
def test_prediction_looks_no_more_often_than_polling(world: World) -> None:
    predicted, polled = played(world, "predict"), played(world, "polling")
    assert predicted.space.driving is not None
    assert polled.space.driving is not None
    assert predicted.space.driving.strategy.looks <= polled.space.driving.strategy.looks


@given(worlds())
@settings(max_examples=15, deadline=None)
def test_no_body_that_drives_enters_another_thing(world: World) -> None:
    poses, obstacles, messages, walled = world
    messages = [(at, each) for at, each in messages if isinstance(each, Twist)]
    run = played((poses, obstacles, messages, walled), "predict")
    field = run.space.field
    start = Field(SIZE, SIZE, obstacles, walled=walled)
    for x, y, heading in poses:
        start.add_body(x, y, heading, RADIUS)
    for body in range(len(poses)):
        if start.clearance(body) >= 0.0:
            assert field.clearance(body) > -1e-4
