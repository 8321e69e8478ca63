"""The served world from packets to packets, in driven time: what robots' programs outside see of it."""

from __future__ import annotations

import json
import random
from math import radians

import pytest

from devs_robotics import Link, Post
from devs_robotics.core.robots.outside import Ordered
from devs_robotics.hil.pera_swarm import topics
from devs_robotics.hil.pera_swarm.gateway import RETAINED
from devs_robotics.hil.pera_swarm.values import NO_JSON
from devs_robotics.models.outsiders import Rules
from devs_robotics.models.outsiders.presence import UNKNOWN
from tests.hil.pera_swarm.packets import PUBLISHED
from tests.scenarios.serving.wire import Line, Wire, arena_with, asks, stands


def wall(x: float, reality: str, colour: str = "#FF0000") -> dict[str, object]:
    """Upright, its surface at x (cm)."""
    parameters = {"x": x + 1, "y": -30, "orientation": 90, "width": 60, "height": 8, "color": colour}
    return {"type": "wall", "name": reality, "parameters": parameters, "reality": reality}


@pytest.mark.parametrize(("near", "far"), [("R", "V"), ("V", "R")])
def test_a_question_sees_the_realities_that_it_names(near: str, far: str) -> None:
    wire = Wire(arena_with(wall(30, near), wall(60, far)))
    wire.put(stands(1, 0, 0))
    read = {reality: wire.put(asks(1, reality=reality))[0][1] for reality in "RVM"}
    assert read == {near: "24", far: "54", "M": "24"}


def test_by_default_a_real_robot_sees_what_is_virtual_and_a_virtual_one_both() -> None:
    wire = Wire(arena_with(wall(30, "R"), wall(60, "V")))
    wire.put(stands(1, 0, 0, reality="R"), stands(2, 0, 20))
    assert wire.put(("sensor/distance", '{"id":"1","dist":"12"}'), asks(2)) == [
        ("sensor/distance/1", "54"),
        ("sensor/distance/2", "24"),
    ]


def test_a_box_ahead_gives_its_distance_and_its_colour_and_what_stands_before_hides_it() -> None:
    box = {"type": "box", "parameters": {"x": 30, "y": 0, "width": 10, "depth": 20, "color": "#0000FF"}}
    wire = Wire(arena_with(box))
    wire.put(stands(1, 0, 0))
    assert wire.put(asks(1)) == [("sensor/distance/1", "19")]
    assert wire.put(asks(1, "color")) == [("sensor/color/1", "0 0 255 85")]
    wire.put(stands(2, 15, 0))
    assert wire.put(asks(1), asks(1, "color")) == [("sensor/distance/1", "3"), ("sensor/color/1", "0 0 0 0")]


def test_nothing_ahead_and_touching() -> None:
    wire = Wire()
    wire.put(stands(1, 0, 0))
    assert wire.put(asks(1), asks(1, "color"), asks(1, "proximity")) == [
        ("sensor/distance/1", "994"),
        ("sensor/color/1", "0 0 0 0"),
        ("sensor/proximity/1", "994 #000000"),
    ]
    for overlap in (12, 11, 3, 0):
        wire.put(stands(2, overlap, 0))
        assert wire.put(asks(1)) == [("sensor/distance/1", "0")]


def test_proximity_tells_what_is_left_first() -> None:
    left = {"type": "wall", "parameters": {"x": -30, "y": 20, "orientation": 0, "width": 60, "color": "#FF0000"}}
    wire = Wire(arena_with(left))
    wire.put(stands(1, 0, 0))
    answer = wire.put(asks(1, "proximity", angles=[-90, 0, 90], reality="V"))
    assert answer == [("sensor/proximity/1", "13 994 994 #FF0000 #000000 #000000")]


def test_who_reports_and_asks_is_answered_from_where_it_says_it_is() -> None:
    """A thousand times, in one instant or one after the other, in either order of arrival within an instant."""
    wire = Wire(arena_with(wall(80, "R")))
    chance = random.Random(1000)
    for number in range(1000):
        x = chance.randrange(-80, 74)
        packets = [stands(1, x, 0), asks(1)]
        at = wire.time + chance.choice((0.0, 0.001, 0.1))
        if number % 3 == 0:
            packets.reverse()
        if number % 3 == 1:
            wire.put(packets[0], at=at)
            packets = packets[1:]
        assert wire.put(*packets, at=at) == [("sensor/distance/1", str(80 - x - 6))]


def test_who_asks_twice_without_waiting_gets_two_answers_in_order() -> None:
    wire = Wire(arena_with(wall(30, "R"), wall(60, "V")))
    wire.put(stands(1, 0, 0))
    assert wire.put(asks(1, reality="V"), asks(1, reality="R"), asks(1, reality="V")) == [
        ("sensor/distance/1", "54"),
        ("sensor/distance/1", "24"),
        ("sensor/distance/1", "54"),
    ]


def test_answers_of_one_instant_come_by_number_of_the_robot_whatever_the_order_of_arrival() -> None:
    for seed in range(5):
        wire = Wire()
        numbers = [70, 3, 12, 5]
        random.Random(seed).shuffle(numbers)
        wire.put(*(stands(robot, robot, 40, 90) for robot in numbers))
        answers = wire.put(*(asks(robot) for robot in numbers))
        bodies = [topic for topic, _ in answers]
        assert bodies == [f"sensor/distance/{robot}" for robot in (3, 5, 12, 70)]


@pytest.mark.parametrize(("distance", "heard"), [(60.0, True), (60.004, True), (60.01, False)])
@pytest.mark.parametrize("kind", ["simple", "direct"])
def test_messages_are_heard_up_to_the_limit_and_never_by_the_sender(distance: float, heard: bool, kind: str) -> None:
    wire = Wire()
    wire.put(stands(9, 0, 0), stands(2, distance, 0, reality="R"), stands(5, 0, distance))
    answer = wire.put((f"comm/out/{kind}", '{"id":9,"msg":"9 REQ"}'))
    hearers = ([2, 5] if kind == "simple" else [2]) if heard else []
    assert answer == [(f"comm/in/{kind}/{robot}", "9 REQ") for robot in hearers]
    near = wire.put((f"comm/out/{kind}", '{"id":9,"msg":"9 REQ","dist":"59"}'))
    assert near == []


def test_whose_pose_is_unknown_is_not_seen_hears_nothing_and_sees_nothing() -> None:
    wire = Wire()
    wire.put(stands(1, 0, 0), ("robot/live", '{"id":2,"reality":"R"}'))
    assert wire.put(asks(2), asks(2, "color"), asks(2, "proximity", angles=[0, 90])) == [
        ("sensor/distance/2", "994"),
        ("sensor/color/2", "0 0 0 0"),
        ("sensor/proximity/2", "994 994 #000000 #000000"),
    ]
    assert wire.put(("localization", "2")) == []
    assert wire.put(("comm/out/simple", '{"id":1,"msg":"a"}'), ("comm/out/simple", '{"id":2,"msg":"b"}')) == []
    wire.put(stands(2, 40, 0, reality="R"))
    assert wire.put(asks(1)) == [("sensor/distance/1", "28")]


def test_a_program_of_the_published_library_goes_through_its_whole_course() -> None:
    wire = Wire(arena_with(wall(30, "V")))
    assert wire.put(("robot/create", '{"id":10,"x":0,"y":0,"heading":0,"reality":V}'), at=1.0) == []
    assert wire.world.gateway.repaired == 1
    assert wire.put(("output/neopixel", '{"id":10,"R":66,"G":66,"B":66}'), at=2.0) == []
    assert wire.put(stands(10, 0, 0), at=2.1) == []
    wire.simulator.inject(wire.world.order, Ordered("start"))
    assert wire.go_on(2.1) == [("robot/msg/broadcast", "START -1")]
    assert wire.put(asks(10, reality="M"), at=2.5) == [("sensor/distance/10", "24")]
    assert wire.put(("localization", "10"), at=2.6) == [("localization/10", "0 0 0")]
    snapshot = wire.put(("mgt/robots/snapshot", '{"id":10}'), at=2.7)
    assert snapshot[0][0] == "mgt/robots/?"
    assert json.loads(snapshot[0][1])["data"] == {"distance": 24, "neopixel": [66, 66, 66]}
    everybody = wire.put(("localization/data/?", "?"), at=2.8)
    assert json.loads(everybody[0][1]) == [{"id": "10", "x": 0, "y": 0, "heading": 0, "reality": "V"}]


def test_obstacles_are_told_by_reality() -> None:
    wire = Wire(arena_with(wall(30, "V"), wall(60, "R")))
    for word, count in (("V", 1), ("R", 1), ("M", 2)):
        ((topic, payload),) = wire.put(("obstacles/?", word))
        assert (topic, len(json.loads(payload))) == ("obstacles", count)


def silent_until(wire: Wire, robot: int) -> float:
    """When a robot is said to be gone."""
    gone = [
        time for time, post in wire.said if post.channel == "v1/robot/delete" and json.loads(post.data) == {"id": robot}
    ]
    assert len(gone) == 1
    return gone[0]


def test_who_is_silent_is_taken_out_after_exactly_six_minutes() -> None:
    wire = Wire()
    wire.put(stands(1, 0, 0), at=0.5)
    wire.put(stands(2, 40, 0), at=10.25)
    wire.put(("comm/out/simple", '{"id":2,"msg":"no sign of life"}'), at=100.0)
    wire.put(("robot/create", '{"id":2,"reality":"V"}'), ("output/neopixel", '{"id":2,"R":1,"G":1,"B":1}'), at=101.0)
    wire.put(asks(1), at=360.4)
    assert wire.put(asks(1), at=370.2) == [("sensor/distance/1", "28")]
    wire.go_on(371.0)
    assert silent_until(wire, 2) == 370.25
    assert wire.put(asks(1), at=372.0) == [("sensor/distance/1", "994")]
    wire.go_on(800.0)
    assert silent_until(wire, 1) == 732.0
    assert wire.world.presence.robots == []


@pytest.mark.parametrize("packet", [asks(1), stands(1, 0, 0), ("robot/live", '{"id":1}')])
def test_a_word_just_before_keeps_a_robot(packet: Line) -> None:
    wire = Wire()
    wire.put(stands(1, 0, 0), at=0.0)
    wire.put(packet, at=359.9)
    wire.go_on(719.8)
    assert not [post for _, post in wire.said if post.channel == "v1/robot/delete"]
    wire.go_on(720.0)
    assert silent_until(wire, 1) == pytest.approx(719.9, abs=1e-9)


def test_who_comes_back_is_a_new_robot_with_a_new_body() -> None:
    wire = Wire()
    wire.put(stands(1, 0, 0), stands(2, 40, 0))
    assert wire.put(("robot/delete", '{"id":2}')) == [("robot/delete", '{"id":2}')]
    assert wire.put(("robot/delete", '{"id":2}')) == [], "its own echo"
    assert wire.put(asks(1)) == [("sensor/distance/1", "994")]
    wire.put(("robot/live", '{"id":2}'))
    assert wire.put(asks(2)) == [("sensor/distance/2", "994")]
    wire.put(stands(2, 50, 0))
    assert wire.put(asks(1)) == [("sensor/distance/1", "38")]
    assert len(wire.world.environment.space.field.x) == 3


def test_in_a_quiet_minute_nothing_but_two_roll_calls_is_said() -> None:
    wire = Wire()
    wire.put(*(stands(robot, 8 * robot, 0, reality="R") for robot in range(10)), at=5.0)
    assert wire.go_on(65.0) == [("robot/msg/broadcast", "ID? -1")] * 2


def test_each_time_the_broker_is_there_the_same_is_said_and_nobody_is_forgotten() -> None:
    wire = Wire(arena_with(wall(30, "V")))
    first = [post.channel for _, post in wire.said]
    assert first == [
        f"v1/{topic}"
        for topic in (
            "config/arena/",
            "obstacles/delete/all",
            "obstacles",
            "robot/msg/broadcast",
            "localization/update/?",
        )
    ]
    wire.put(stands(1, 0, 0), at=1.0)
    wire.simulator.inject(wire.world.incoming, Link(up=False, reason="killed"), at=2.0)
    assert wire.go_on(100.0) == []
    wire.simulator.inject(wire.world.incoming, Link(up=True), at=100.0)
    assert [f"v1/{topic}" for topic, _ in wire.go_on(100.0)] == first
    assert wire.put(asks(1)) == [("sensor/distance/1", "24")]
    assert wire.go_on(131.0) == [("robot/msg/broadcast", "ID? -1")]


def test_an_old_message_that_the_broker_kept_brings_nobody_back() -> None:
    wire = Wire()
    wire.simulator.inject(
        wire.world.incoming, Post(stands(1, 0, 0)[1].encode(), "v1/localization/update", retained=True)
    )
    wire.go_on(0.0)
    assert wire.world.presence.robots == []
    assert wire.world.dropped == {RETAINED: 1}


def test_what_is_asked_for_somebody_unknown_is_counted_and_not_answered() -> None:
    wire = Wire()
    assert (
        wire.put(asks(7), ("comm/out/simple", '{"id":7,"msg":"a"}'), ("localization", "7"), ("robot/live", "?")) == []
    )
    assert wire.world.dropped == {UNKNOWN: 3, NO_JSON: 1}


def test_after_ten_thousand_packets_of_garbage_answers_are_right() -> None:
    wire = Wire(arena_with(wall(30, "R")))
    wire.put(stands(1, 0, 0))
    chance = random.Random(16)
    payloads = [data for _, data, _ in PUBLISHED]
    quiet = [topic for topic in topics.LISTENED if topic not in (topics.OBSTACLES_WANTED, topics.ALL_POSES_WANTED)]
    for _ in range(100):
        lines: list[tuple[str, bytes]] = []
        for _ in range(100):
            broken = bytearray(chance.choice(payloads))
            broken[chance.randrange(len(broken))] = chance.randrange(256)
            data = chance.randbytes(20) if chance.random() < 0.5 else bytes(broken[: chance.randrange(len(broken))])
            lines.append((chance.choice(quiet), data))
        wire.put(*lines)
    counted = sum(wire.world.dropped.values())
    assert counted >= 9000, "by chance, some were messages"
    wire.put(stands(1, 0, 0), ("robot/delete", "70"), ("robot/delete", "42"))
    assert wire.put(asks(1, reality="R")) == [("sensor/distance/1", "24")]


def test_the_rules_of_the_published_server_can_be_asked_for() -> None:
    box = {"type": "box", "parameters": {"x": 30, "y": 0, "width": 10, "depth": 20}}
    answers = {}
    for sensing in ("exact", "original"):
        wire = Wire(arena_with(box, wall(60, "R")), Rules(sensing=sensing))
        wire.put(stands(1, 0, 0))
        answers[sensing] = wire.put(asks(1, reality="V"))[0][1]
    assert answers == {"exact": "19", "original": "55"}, "no box, no reality, and a wall's middle line"


def test_sensors_can_be_cones() -> None:
    pillar = {"type": "cylinder", "parameters": {"x": 40, "y": 8, "radius": 4}}
    for half_angle, seen in ((0.0, "994"), (radians(12.5), "31")):
        wire = Wire(arena_with(pillar), Rules(half_angle=half_angle))
        wire.put(stands(1, 0, 0))
        assert wire.put(asks(1)) == [("sensor/distance/1", seen)]


def test_robots_have_the_colour_of_their_leds_only_where_that_is_asked_for() -> None:
    for coloured, seen in ((False, "0 0 0 0"), (True, "0 128 0 43")):
        wire = Wire(rules=Rules(robots_coloured=coloured))
        wire.put(stands(1, 0, 0), stands(2, 30, 0))
        wire.put(("output/neopixel", '{"id":2,"R":0,"G":128,"B":0}'))
        assert wire.put(asks(1, "color")) == [("sensor/color/1", seen)]


def test_all_are_told_to_start_once_when_all_are_there() -> None:
    wire = Wire(awaited=3)
    start = [("robot/msg/broadcast", "START -1")]
    assert wire.put(stands(1, 0, 0), stands(2, 40, 0), at=1.0) == []
    wire.put(("robot/delete", "2"), at=2.0)
    assert wire.put(stands(3, 40, 0), at=3.0) == []
    assert wire.put(("robot/live", '{"id":2}'), at=4.0) == start
    assert wire.put(stands(4, 0, 40), at=5.0) == []
    wire.put(("robot/delete", "4"), at=6.0)
    assert wire.put(stands(4, 0, 40), at=7.0) == []


def test_calls_take_a_while_and_reach_those_who_were_near_and_are_still_there() -> None:
    wire = Wire(rules=Rules(radio_delay=0.25))
    wire.put(stands(1, 0, 0), stands(2, 40, 0), stands(3, 0, 40), stands(4, 80, 0), at=1.0)
    assert wire.put(("comm/out/simple", '{"id":1,"msg":"a"}'), at=2.0) == []
    wire.put(stands(2, 85, 0), stands(4, 40, 0), ("robot/delete", "3"), at=2.125)
    wire.put(("comm/out/simple", '{"id":1,"msg":"b"}'), at=2.2)
    assert wire.go_on(2.25) == [("comm/in/simple/2", "a")]
    assert wire.go_on(2.5) == [("comm/in/simple/4", "b")]
    wire = Wire(rules=Rules(radio_loss=1.0))
    wire.put(stands(1, 0, 0), stands(2, 40, 0))
    assert wire.put(("comm/out/simple", '{"id":1,"msg":"a"}')) == []


def test_the_same_packets_at_the_same_times_give_the_same_bytes() -> None:
    def session() -> list[tuple[float, Post]]:
        wire = Wire(arena_with(wall(30, "R")))
        chance = random.Random(5)
        for _ in range(200):
            robot, at = chance.randrange(6), wire.time + chance.expovariate(2.0)
            what = chance.choice((stands(robot, chance.randrange(-80, 80), chance.randrange(-80, 80)), asks(robot)))
            wire.put(what, ("comm/out/simple", json.dumps({"id": robot, "msg": f"{robot} REQ"})), at=at)
        return wire.said

    assert session() == session()
