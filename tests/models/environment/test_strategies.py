"""Whichever way watches are looked at, they tell the same: over random worlds with all that can happen there."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot, pi
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from devs_robotics import Fix
from devs_robotics.models.environment import Cast, Circle, Field, Shape, Twist, Watching, box, nearby
from devs_robotics.models.environment.messages import Carry, Follow, Join, Leave, PutDown
from devs_robotics.models.environment.motion.profile import Profile
from devs_robotics.models.environment.sensing import StrategyName, judging
from devs_robotics.models.environment.sensing.strategy import Strategy
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


places = st.floats(0.05, SIZE - 0.05)
pieces = st.lists(st.tuples(st.sampled_from([0.2, 0.7]), st.sampled_from([-0.4, 0.0, 0.3])), min_size=1, max_size=4)


@st.composite
def changes(draw: st.DrawFn, count: int) -> list[tuple[float, Any]]:
    """Bodies join and leave, follow profiles and are carried; each change is possible when it comes."""
    found: list[tuple[float, Any]] = []
    here, carrier, following = list(range(1, count + 1)), dict[int, int](), count + 1
    for at in sorted(draw(st.lists(times, max_size=6, unique=True))):
        kind = draw(st.sampled_from(["join", "leave", "profile", "carry", "carry", "put down"]))
        free = [each for each in here if each not in carrier and each not in carrier.values()]
        if kind == "join" or (kind == "profile" and not free):
            radius = draw(st.sampled_from([0.02, RADIUS, 0.06]))
            found.append((at, Join(following, draw(places), draw(places), draw(headings), radius)))
            here.append(following)
            following += 1
        elif kind == "profile":
            robot, heading = draw(st.sampled_from(free)), draw(headings)
            speed = draw(st.sampled_from([0.0, 0.1]))
            found.append(
                (at, Follow(robot, Profile(at, draw(places), draw(places), heading, tuple(draw(pieces)), speed)))
            )
        elif kind == "carry" and len(free) > 1:
            robot, cargo = draw(st.permutations(free))[:2]
            place = draw(st.sampled_from([(0.0, 0.0), (0.06, 0.0), (-0.02, 0.05)]))
            found.append((at, Carry(robot, cargo, *place, draw(headings))))
            carrier[cargo] = robot
        elif kind == "put down" and carrier:
            cargo = draw(st.sampled_from(sorted(carrier)))
            found.append((at, PutDown(carrier.pop(cargo), cargo)))
        elif kind == "leave" and len(free) > 1:
            here.remove(robot := draw(st.sampled_from(free)))
            found.append((at, Leave(robot)))
    return found


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
    later += draw(changes(count))
    return poses, obstacles, first + later, draw(st.booleans())


def poses_of(run: Run) -> list[str]:
    """Where all bodies are in the end; as texts, for who has left is nowhere, which equals nothing."""
    field = run.space.field
    return [str(field.pose(body)) for body in range(len(field.x))]


def played(world: World, strategy: Any, reach: float = 0.05, between: Any = None) -> Run:
    poses, obstacles, messages, walled = world
    field = Field(SIZE, SIZE, obstacles, walled=walled)
    for x, y, heading in poses:
        field.add_body(x, y, heading, RADIUS)
    watches = [Watching(Cast(robot, BEARINGS, reach), period=PERIOD) for robot in range(1, len(poses) + 1)]
    more = {} if between is None else {"between": between}
    return drive(field, watches, later=messages, until=6.0, strategy=strategy, **more)


@given(worlds())
@settings(max_examples=25, deadline=None, phases=(Phase.generate,), report_multiple_bugs=False)
def test_predict_batch_and_polling_tell_the_same(world: World) -> None:
    polled, predicted, batched = (played(world, strategy) for strategy in ("polling", "predict", "batch"))
    assert predicted.noticed == polled.noticed
    assert batched.noticed == polled.noticed
    assert predicted.stopped == polled.stopped == batched.stopped
    assert poses_of(predicted) == poses_of(polled) == poses_of(batched)


@given(worlds())
@settings(max_examples=15, deadline=None, phases=(Phase.generate,), report_multiple_bugs=False)
def test_a_change_of_strategy_does_not_show(world: World) -> None:
    def other(judge: judging.Judge, strategy: Strategy, now: float) -> StrategyName:
        judge.next = now + judging.AGAIN
        return "predict" if strategy.name == "batch" else "batch"

    predicted = played(world, "predict")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "AGAIN", 0.4)
        patch.setattr(judging.Judge, "choice", other)
        changing = played(world, "auto")
    assert changing.noticed == predicted.noticed
    assert changing.stopped == predicted.stopped
    assert poses_of(changing) == poses_of(predicted)


@given(worlds(), st.sampled_from([0.5, 1.0, 4.0, 8.0]))
@settings(max_examples=10, deadline=None)
def test_how_long_lists_of_neighbours_hold_does_not_show(world: World, horizon: float) -> None:
    usual = played(world, "predict")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearby, "HORIZON", horizon)
        other = played(world, "predict")
    assert other.noticed == usual.noticed
    assert other.stopped == usual.stopped
    assert poses_of(other) == poses_of(usual)


@given(worlds())
@settings(max_examples=10, deadline=None)
def test_prediction_looks_no_more_often_than_polling(world: World) -> None:
    predicted, polled = played(world, "predict"), played(world, "polling")
    assert predicted.space.driving is not None
    assert polled.space.driving is not None
    assert predicted.space.driving.strategy.looks <= polled.space.driving.strategy.looks


OVERLAP = 1e-3
"""Depth (m) from which on two bodies were put into each other: they come out, but may first come deeper on an arc."""


class Gaps:
    """Watches that no two things come deeper into each other than they were when one of them last jumped."""

    def __init__(self) -> None:
        self.deepest: dict[tuple[int, int], float] = {}
        self.jumps = -1
        self.checked = 0

    def __call__(self, field: Field, now: float, following: float) -> None:
        jumped, self.jumps = field.surprises != self.jumps, field.surprises
        if jumped:
            self.deepest.clear()
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            for pair, gap in gaps(field, now + share * (following - now)):
                deepest = self.deepest.setdefault(pair, min(0.0, gap))
                assert gap >= deepest - 1e-4 or deepest < -OVERLAP
                self.checked += 1


def gaps(field: Field, time: float) -> Iterator[tuple[tuple[int, int], float]]:
    """How far things are from each other (m), but for those that are carried: bodies, and obstacles as numbers < 0."""
    bodies = field.bodies
    there = [each for each in range(len(bodies)) if each not in bodies.carrier and each not in bodies.gone]
    poses = {body: bodies.pose(body, time) for body in there}
    for body, (x, y, _) in poses.items():
        for other in there:
            if other < body:
                apart = hypot(poses[other][0] - x, poses[other][1] - y)
                yield (body, other), apart - field.radius[body] - field.radius[other]
        for number, obstacle in enumerate(field.obstacles):
            yield (body, -1 - number), obstacle.distance(x, y) - field.radius[body]
        if field.walled:
            yield (body, -9), min(x, y, field.width - x, field.height - y) - field.radius[body]


@given(worlds())
@settings(max_examples=15, deadline=None)
def test_no_body_that_drives_enters_another_thing(world: World) -> None:
    """Nor does one on a profile."""
    watched = Gaps()
    played(world, "predict", between=watched)
    assert watched.checked
