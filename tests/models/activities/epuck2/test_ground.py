"""Ground sensors on a floor: equal traces over stripes, shifted ones over sectors, the order at a slanting line."""

from __future__ import annotations

from math import atan2, pi, radians

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from devs_robotics import Crossed, Ground, ModelError, Sense, Watch
from devs_robotics.models.activities.epuck2 import VirtualGround, VirtualGroundWatch
from devs_robotics.models.environment import (
    Circle,
    Floor,
    FloorPattern,
    Line,
    Patch,
    Picture,
    Sectors,
    Stripes,
    Twist,
    box,
)
from tests.models.activities.sensed import asked, watched, world_of


def traces(floor: Floor, twist: Twist, until: float) -> list[list[tuple[float, float]]]:
    """Of each sensor, what it reads from when on."""
    world = world_of((2.0, 2.0, 0.0), things=[floor])
    told = watched(world, VirtualGroundWatch("ground"), Watch(period=0.01), [(0.0, twist)], until=until)
    found: list[list[tuple[float, float]]] = [[], [], []]
    for time, crossed in told:
        for trace, value in zip(found, crossed.values, strict=True):
            if not trace or trace[-1][1] != value:
                trace.append((time, value))
    return found


def test_straight_over_stripes_the_three_traces_are_equal() -> None:
    left, centre, right = traces(Floor((Stripes(0.05, (0.0, 0.5, 1.0)),)), Twist(1, 0.1, 0.0), until=5.0)
    assert left == centre == right
    assert [value for _, value in centre] == ([512.0, 1023.0, 0.0] * 4)[:11]
    assert [time for time, _ in centre[1:]] == pytest.approx([0.2 + 0.5 * step for step in range(10)], abs=0.011)


def test_in_rotation_over_sectors_the_three_traces_are_shifted() -> None:
    rate = 0.5
    left, centre, right = traces(Floor((Sectors(2.0, 2.0, (0.0, 0.2, 0.6, 1.0)),)), Twist(1, 0.0, rate), until=20.0)
    shift = atan2(0.009, 0.03) / rate
    for early, late in ((left, centre), (centre, right)):
        changes = zip(early[-5:], late[-5:], strict=True)
        if early[-1][1] != late[-1][1]:
            changes = zip(early[-6:-1], late[-5:], strict=True)
        for (before, value), (after, same) in changes:
            assert value == same
            assert after - before == pytest.approx(shift, abs=0.011)


def test_at_a_slanting_line_the_left_sensor_changes_first_where_the_line_leans_so() -> None:
    floor = Floor((Patch(box(3.0, 2.0, 1.0, 4.0, radians(20.0))),))
    order = traces(floor, Twist(1, 0.1, 0.0), until=6.0)
    first = [trace[1][0] for trace in order]
    assert first[0] < first[1] < first[2]
    leaning = Floor((Patch(box(3.0, 2.0, 1.0, 4.0, radians(-20.0))),))
    other = [trace[1][0] for trace in traces(leaning, Twist(1, 0.1, 0.0), until=6.0)]
    assert other[0] > other[1] > other[2]


def test_sensors_differ_by_black_and_gain_and_without_a_floor_all_is_white() -> None:
    ground = VirtualGround("ground", black=(10, 20, 30), gain=(0.5, 0.9, 0.8))
    assert asked(world_of((2.0, 2.0, 0.0)), ground, Sense()) == Ground((522.0, 941.0, 848.0))
    black = world_of((2.0, 2.0, 0.0), things=[Floor(plain=0.0)])
    assert asked(black, ground, Sense()) == Ground((10.0, 20.0, 30.0))
    with pytest.raises(ModelError, match="give black and gain as many numbers"):
        VirtualGround("ground", black=(1.0,))


def test_two_floors_are_refused() -> None:
    with pytest.raises(ModelError, match="the world has 2 floors: add one"):
        asked(world_of((2.0, 2.0, 0.0), things=[Floor(), Floor()]), VirtualGround("ground"), Sense())


def test_a_watch_tells_levels_with_their_sensor() -> None:
    world = world_of((2.0, 2.0, 0.0), things=[Floor((Patch(Circle(2.2, 2.0, 0.05)),))])
    told = watched(world, VirtualGroundWatch("g"), Watch((500.0,), 0.1), [(0.0, Twist(1, 0.1, 0.0))], until=4.0)
    assert told[0][1] == Crossed((1023.0,) * 3)
    assert [crossed.rising for _, crossed in told[1:]] == [False] * 3 + [True] * 3
    assert told[1][1].element == 1, "the one in the middle comes to it first"
    assert {crossed.element for _, crossed in told[1:4]} == {crossed.element for _, crossed in told[4:]} == {0, 1, 2}
    assert all(crossed.level == 500.0 for _, crossed in told[1:])


places = st.floats(0.3, 1.2)
patterns: st.SearchStrategy[FloorPattern] = st.one_of(
    st.builds(Stripes, st.sampled_from([0.03, 0.1]), st.just((0.0, 0.4, 1.0)), st.floats(-pi, pi)),
    st.builds(Sectors, places, places, st.sampled_from([(0.0, 1.0), (0.1, 0.5, 0.9)])),
    st.builds(Patch, st.builds(Circle, places, places, st.floats(0.05, 0.4))),
    st.builds(Patch, st.builds(box, places, places, st.just(0.3), st.just(0.2), st.floats(0.0, 3.0))),
    st.builds(Line, st.just(((0.2, 0.2), (1.0, 0.5), (0.6, 1.2))), st.just(0.04), closed=st.booleans()),
    st.just(Picture(lambda x, y: 0.3 if x * y > 0.5 else None)),
)


@given(st.lists(patterns, max_size=3), st.floats(-0.14, 0.14), st.floats(-3.0, 3.0))
@settings(max_examples=25, deadline=None, phases=(Phase.generate,))
def test_every_strategy_tells_the_same(found: list[FloorPattern], speed: float, rate: float) -> None:
    runs = [
        watched(
            world_of((0.75, 0.75, 0.3), things=[Floor(tuple(found))], size=1.5),
            VirtualGroundWatch("ground"),
            Watch(period=0.1),
            [(0.0, Twist(1, speed, rate)), (2.05, Twist(1, -speed, 0.0))],
            until=4.0,
            strategy=strategy,
        )
        for strategy in ("polling", "predict")
    ]
    assert runs[0] == runs[1]
