"""The tracking system: fixes of the robots that are wanted, and nothing else."""

from __future__ import annotations

import json
from cmath import rect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Fix, Link, Packet, Simulator, TrackChange
from devs_robotics.core.observe.events import Sent
from devs_robotics.core.observe.memory import Recorder
from devs_robotics.core.robots.track_gate import TOO_FAR
from devs_robotics.hil import robot_protocol
from devs_robotics.hil.tracking import Tracker, TrackingFrame
from tests.approximately import near

GOOD = {"type": "fix", "robot": 2, "x": 1.0, "y": 2.0, "heading": 0.5}


def fixes(*contents: Packet | Link) -> tuple[list[Fix], dict[str, int]]:
    tracker = Tracker("tracker", frozenset({2, 3}))
    with Simulator(tracker) as simulator:
        for content in contents:
            simulator.inject(tracker.incoming, content)
        simulator.run()
        return list(tracker.fix.values), tracker.dropped


def packet(**changes: object) -> Packet:
    return Packet(json.dumps({**GOOD, **changes}).encode())


def test_a_fix_is_handed_on() -> None:
    found, dropped = fixes(packet(), packet(robot=3, x=-1), Link(up=False), Link(up=True))
    assert found == [Fix(2, 1.0, 2.0, 0.5), Fix(3, -1.0, 2.0, 0.5)]
    assert dropped == {}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (packet(robot=4), "another robot's"),
        (packet(x="1"), "no fix"),
        (packet(x=1e9), "no fix"),
        (packet(x=float("nan")), "no fix"),
        (packet(heading=None), "no fix"),
        (packet(more=1), "no fix"),
        (packet(type="moved"), "no fix"),
        (Packet(b'{"type":"fix\xc2"}'), "no fix"),
        (Packet(b"[" * 4000), "no fix"),
        (Packet(b" " * 5000), "too long"),
    ],
)
def test_what_is_no_fix_of_a_robot_that_is_wanted_is_counted(wrong: Packet, why: str) -> None:
    assert fixes(wrong, packet()) == ([Fix(2, 1.0, 2.0, 0.5)], {why: 1})


def test_each_fix_leaves_through_the_port_of_its_robot_alone() -> None:
    tracker = Tracker("tracker", frozenset({2, 3}))
    with Simulator(tracker) as simulator:
        simulator.inject(tracker.incoming, packet(), packet(robot=3), packet(x=3))
        simulator.run()
        assert list(tracker.fix_of[2].values) == [Fix(2, 1.0, 2.0, 0.5), Fix(2, 3.0, 2.0, 0.5)]
        assert list(tracker.fix_of[3].values) == [Fix(3, 1.0, 2.0, 0.5)]
        assert len(list(tracker.fix.values)) == 3


@given(st.lists(st.binary(max_size=200), max_size=50))
def test_garbage_is_counted(garbage: list[bytes]) -> None:
    found, dropped = fixes(*map(Packet, garbage))
    assert len(found) + sum(dropped.values()) == len(garbage)


def test_a_fix_that_says_its_age_has_the_time_of_its_exposure() -> None:
    tracker = Tracker("tracker", frozenset({2}))
    with Simulator(tracker) as simulator:
        simulator.inject(tracker.incoming, packet(age=0.25), at=3.0)
        simulator.run()
        assert tracker.fix.get() == Fix(2, 1.0, 2.0, 0.5, 2.75)
    assert fixes(packet(age=-1.0)) == ([], {"no fix": 1})


def test_a_jump_is_dropped_once_and_a_robot_that_is_not_seen_is_lost() -> None:
    tracker, recorder = Tracker("tracker", frozenset({2, 3}), {2: 0.1}, lost=1.0), Recorder()
    with Simulator(tracker) as simulator:
        simulator.attach(recorder)
        for number, x in enumerate((1.0, 2.0, 1.0, 2.0, 2.0)):
            simulator.inject(tracker.incoming, packet(x=x), packet(robot=3, x=x), at=0.2 * number)
        simulator.inject(tracker.incoming, packet(x=2.0), at=1.7)
        simulator.run()
    believed = [fix.x for fix in recorder.values(port="fix_of_robot2")]
    assert believed == [1.0, 1.0, 2.0, 2.0] or believed == [1.0, 1.0, 2.0, 2.0, 2.0]
    assert len(recorder.values(port="fix_of_robot3")) == 5  # nobody knows how fast it is
    assert tracker.dropped == {TOO_FAR: 2}
    said = [(event.time, *event.values) for event in recorder.select(port="track") if isinstance(event, Sent)]
    assert said == [(near(1.8), TrackChange(3, False)), (near(2.7), TrackChange(2, False))]
    assert tracker.losses == {2: 1, 3: 1}


@given(st.floats(-9.0, 9.0), st.floats(-9.0, 9.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_a_frame_lays_the_map_onto_the_field(x: float, y: float, heading: float, turn: float) -> None:
    laid = TrackingFrame(x, y, turn).laid(robot_protocol.Fix(robot=1, x=2.0, y=-1.0, heading=heading))
    expected = complex(x, y) + complex(2.0, -1.0) * rect(1.0, turn)
    assert laid == (near(expected.real), near(expected.imag), near(heading + turn))
