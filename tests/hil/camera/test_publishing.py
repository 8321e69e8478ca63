"""Fixes on the wire, as those hear them that they are for."""

from __future__ import annotations

import json
from math import pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Arrival, Fix, Loopback, Packet, Simulator
from devs_robotics.core.robots.outside import Gathering, Portrait, Stands
from devs_robotics.hil.camera.publishing import FixPublisher, PeraSwarmPublisher, VirtualRobots
from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.reading import read
from devs_robotics.hil.pera_swarm.writing import write
from devs_robotics.hil.tracking import Tracker
from tests.approximately import near

ARENA = WireArena(channel="v7")


class Heard:
    """The other end of a link."""

    def __init__(self, topic: str) -> None:
        self.link, there = Loopback.pair("camera")
        self.data: list[bytes] = []
        there.listen(topic)
        there.open(self._arrived)
        self.link.open(lambda arrival: None)

    def _arrived(self, arrival: Arrival) -> None:
        if isinstance(arrival.content, Packet):
            self.data.append(arrival.content.data)


def test_the_tracker_hears_where_robots_were_and_when() -> None:
    heard = Heard("arena/tracking")
    FixPublisher(heard.link, "arena/tracking")([Fix(1, 0.5, 1.25, -3.0, 99.9), Fix(2, 1.0, 2.0, 0.0)], 100.0)
    tracker = Tracker("tracker", frozenset({1, 2}))
    with Simulator(tracker) as simulator:
        simulator.inject(tracker.incoming, *map(Packet, heard.data), at=7.0)
        simulator.run()
        assert list(tracker.fix.values) == [Fix(1, 0.5, 1.25, -3.0, near(6.9)), Fix(2, 1.0, 2.0, 0.0)]
    assert tracker.dropped == {}


@given(st.floats(0.0, 1.8), st.floats(0.0, 1.8), st.floats(-pi, pi))
def test_the_world_hears_the_same_poses_in_centimetres_and_degrees(x: float, y: float, heading: float) -> None:
    """One sign for all of them: the published script negated x in updates, and not where it created a robot."""
    heard = Heard("v7/localization/update")
    PeraSwarmPublisher(heard.link, ARENA, (70,))([Fix(70, x, y, heading, 1.0)], 1.1)
    (data,) = heard.data
    assert isinstance(json.loads(data), list)  # which a published server takes, as it does not an object
    found = read(ARENA, "localization/update", data)
    assert found.dropped == ()
    (said,) = found.messages
    assert isinstance(said, Stands)
    assert (said.robot, said.reality) == (70, "real")
    assert (said.x, said.y) == (near(x, 1e-4), near(y, 1e-4))
    assert abs((said.heading - heading + pi) % (2.0 * pi) - pi) == near(0.0, 2e-4)


def test_quadrants_keep_their_signs() -> None:
    heard = Heard("v7/localization/update")
    PeraSwarmPublisher(heard.link, ARENA, (1,))([Fix(1, 0.4, 1.5, 0.0, 1.0)], 1.1)
    (entry,) = json.loads(heard.data[0])
    assert entry == {"id": 1, "x": -50.0, "y": 60.0, "heading": 0.0, "reality": "R"}


def test_a_jump_is_left_out_once_and_told_at_the_second() -> None:
    heard = Heard("v7/localization/update")
    publish = PeraSwarmPublisher(heard.link, ARENA, (1, 2))
    for number, x in enumerate((0.2, 1.6, 1.6)):
        publish([Fix(1, x, 1.0, 0.0, 0.1 * number), Fix(2, 0.5, 0.5, 0.0, 0.1 * number)], 0.1 * number)
    assert [[entry["id"] for entry in json.loads(data)] for data in heard.data] == [[1, 2], [2], [1, 2]]


def test_nothing_seen_is_nothing_said() -> None:
    heard = Heard("v7/localization/update")
    PeraSwarmPublisher(heard.link, ARENA, (1,))([], 1.0)
    assert heard.data == []


@pytest.mark.parametrize(
    "text", [b'{"3": {"x": 1, "y": 2, "heading": 90}}', b'[{"id": 3, "x": 1, "y": 2, "heading": 90}]']
)
def test_the_published_script_s_answer_by_id_is_taken_too(text: bytes) -> None:
    (said,) = read(ARENA, "localization/update", text).messages
    assert said == Stands(3, near(0.91), near(0.92), near(pi / 2.0), None)


def test_virtual_robots_of_the_served_world_are_known() -> None:
    heard = Heard("v7/localization/data/?")
    others = VirtualRobots(heard.link, ARENA)
    assert (others(), heard.data, others.topic) == ({}, [b"?"], "v7/localization/data")
    portraits = (
        Portrait(3, "virtual", (0.4, 1.5, 0.0), 0.0, 0.06),
        Portrait(4, "real", (1.0, 1.0, 0.0), 0.0, 0.06),
        Portrait(5, "virtual", None, 0.0, 0.06),
    )
    (publication,), _ = write(ARENA, Gathering(portraits), ARENA.channel)
    others.hear(Packet(publication.data))
    assert others() == {3: (near(0.4), near(1.5), 0.0)}
    others.hear(Packet(b"garbage"))
    assert others() == {}
