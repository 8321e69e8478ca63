"""Proximity sensors that are real and modelled: of each the larger reading, asked or watched."""

from __future__ import annotations

from bisect import bisect_right
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Answered, Asked, Crossed, Sense, Watch
from devs_robotics.core.robots.messages import Proximity
from devs_robotics.models.activities.epuck2 import VirtualProximity, VirtualProximityWatch
from devs_robotics.models.environment import Cast, Distances, Noticed, Readings, Watching
from tests.models.play import tell

NOTHING = (inf,) * 8
TOUCHES_FIRST = (0.0, *NOTHING[1:])
DARK = (0.0,) * 8

readings = st.tuples(*[st.sampled_from([0.0, 50.0, 100.0, 2000.0, 4095.0])] * 8)


def real(*values: float) -> tuple[float, ...]:
    return (*values, *[0.0] * (8 - len(values)))


def both(kind: type[VirtualProximity] | type[VirtualProximityWatch]) -> Any:
    activity = kind("proximity").hardware(both=True)
    assert activity is not None
    activity.robot = 3  # type: ignore[attr-defined]
    return activity


@pytest.mark.parametrize("kind", [VirtualProximity, VirtualProximityWatch])
def test_what_is_real_alone_needs_no_activity_of_its_own(kind: type[VirtualProximity]) -> None:
    assert kind("proximity").hardware() is None


def test_both_are_asked_and_answer_together() -> None:
    model = both(VirtualProximity)
    asked = dict(tell(model, (model.proximity.ask, Sense())))
    assert asked["device_ask"] == Asked("proximity", Sense())
    cast = asked["world_ask"]
    assert isinstance(cast, Cast)
    assert (cast.robot, cast.sensor) == (3, "proximity")
    assert tell(model, (model.world.answer, Distances(3, TOUCHES_FIRST))) == []
    assert tell(model, (model.device.answer, Answered("other", Proximity(real(7.0))))) == []
    assert tell(model, (model.device.answer, Answered("proximity", Proximity(real(9.0, 100.0))))) == [
        ("proximity_answer", Proximity(real(4095.0, 100.0)))
    ]


def test_a_watch_begins_when_both_have_told_their_first_reading() -> None:
    model = both(VirtualProximityWatch)
    asked = dict(tell(model, (model.watch.ask, Watch(period=0.1))))
    assert asked["device_ask"] == Asked("proximity", Watch(period=0.1))
    watching = asked["world_ask"]
    assert isinstance(watching, Watching)
    assert (watching.robot, watching.question.sensor, watching.period) == (3, "proximity", 0.1)
    assert tell(model, (model.device.answer, Answered("proximity", Crossed(real(0.0, 100.0))))) == []
    assert tell(model, (model.world.answer, Noticed(3, Readings(3, DARK)))) == [
        ("watch_answer", Crossed(real(0.0, 100.0)))
    ]
    assert tell(model, (model.world.answer, Noticed(3, Readings(3, real(4095.0))))) == [
        ("watch_answer", Crossed(real(4095.0, 100.0)))
    ]
    assert tell(model, (model.device.answer, Answered("proximity", Crossed(real(50.0, 100.0))))) == []


@given(st.lists(readings, min_size=1), st.sampled_from([(), (100.0, 3000.0)]))
def test_where_nothing_is_modelled_it_tells_what_the_robot_does(
    stream: list[tuple[float, ...]], levels: tuple[float, ...]
) -> None:
    model = both(VirtualProximityWatch)
    tell(model, (model.watch.ask, Watch(levels, 0.1)))
    nothing = Distances(3, NOTHING) if levels else Readings(3, DARK)
    tell(model, (model.world.answer, Noticed(3, nothing)))
    before, reached = None, [0] * 8
    for values in stream:
        said = [told for _, told in tell(model, (model.device.answer, Answered("proximity", Crossed(values))))]
        if not levels:
            assert said == ([] if values == before else [Crossed(values)])
        elif before is not None:
            for crossed in said:
                reached[crossed.element] += 1 if crossed.rising else -1
            assert reached == [bisect_right(levels, value) for value in values]
        else:
            reached = [bisect_right(levels, value) for value in values]
        before = values
