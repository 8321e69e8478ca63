"""What goes out over the wire: texts that published programs can read, and their sizes."""

from __future__ import annotations

import json
import re
from math import inf, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.robots.outside import (
    Gathering,
    Hears,
    Ordered,
    Portrait,
    RobotJoined,
    RobotLeft,
    Sensor,
    SensorAnswer,
    Sighting,
    StandsAt,
    ToOutside,
)
from devs_robotics.hil.pera_swarm import writing
from devs_robotics.hil.pera_swarm.arena import WireArena, distance_reading, whole_degrees
from devs_robotics.hil.pera_swarm.arena_files import read_arena
from devs_robotics.hil.pera_swarm.obstacles import ArenaObstacle
from devs_robotics.hil.pera_swarm.reading import Announced, read
from devs_robotics.hil.pera_swarm.writing import SMALL, TEXT_TOO_LONG, TOO_LONG, Publication, write
from tests.hil.pera_swarm.packets import ARENA

RADIUS = 0.06
RED = (255, 0, 0)

sightings = st.builds(
    Sighting,
    st.one_of(st.just(inf), st.floats(0.0, 1e3)),
    st.one_of(st.none(), st.tuples(*[st.integers(0, 255)] * 3)),
)


def written(said: ToOutside) -> tuple[str, str]:
    (post,), why = write(ARENA, said, "v1")
    assert why == ""
    assert not post.retained
    return post.topic, post.data.decode()


def reads(sensor: Sensor, *seen: Sighting, real: bool = False) -> SensorAnswer:
    return SensorAnswer(12, real, sensor, seen, RADIUS)


@pytest.mark.parametrize(
    ("said", "topic", "payload"),
    [
        (reads("distance", Sighting(0.40)), "sensor/distance/12", "34"),
        (reads("distance", Sighting(inf)), "sensor/distance/12", "994"),
        (reads("distance", Sighting(0.03)), "sensor/distance/12", "0"),
        (reads("colour", Sighting(0.3, RED)), "sensor/color/12", "255 0 0 85"),
        (reads("colour", Sighting(0.3001, RED)), "sensor/color/12", "0 0 0 0"),
        (reads("colour", Sighting(inf)), "sensor/color/12", "0 0 0 0"),
        (reads("colour", Sighting(0.1)), "sensor/color/12", "0 0 0 0"),
        (reads("proximity", Sighting(inf)), "sensor/proximity/12", "994 #000000"),
        (
            reads("proximity", Sighting(0.9), Sighting(0.2, RED), Sighting(0.9)),
            "sensor/proximity/12",
            "84 14 84 #000000 #FF0000 #000000",
        ),
        (Hears(3, True, "near-1"), "comm/in/simple/3", "near-1"),
        (Hears(3, False, "7 REQ", True), "comm/in/direct/3", "7 REQ"),
        (StandsAt(3, False, 0.9, 0.9, pi), "localization/3", "0 0 180"),
        (StandsAt(3, False, 0.0, 1.2349, -pi), "localization/3", "-90 33 180"),
        (Ordered("start"), "robot/msg/broadcast", "START -1"),
        (Ordered("stop"), "robot/msg/broadcast", "STOP -1"),
        (Ordered("reset", 4), "robot/msg/4", "RESET -1"),
        (RobotLeft(42), "robot/delete", '{"id":42}'),
    ],
)
def test_what_robots_are_told(said: ToOutside, topic: str, payload: str) -> None:
    assert written(said) == (topic, payload)


def test_what_concerns_nobody_outside_is_not_sent() -> None:
    assert write(ARENA, RobotJoined(1, True), "v1") == ((), "")


@pytest.mark.parametrize("radius", [0.03, 0.06, 0.061])
@pytest.mark.parametrize("gap_cm", [0, 1, 24, 54, 300])
def test_whole_centimetres_are_not_rounded_up_by_noise(radius: float, gap_cm: int) -> None:
    exact = radius + gap_cm / 100.0
    for noise in (-4e-15, 0.0, 4e-15, 4e-5):
        assert distance_reading(exact + noise, radius) == gap_cm
    assert distance_reading(exact + 2e-4, radius) == gap_cm + 1


@given(sightings)
def test_a_distance_is_what_any_program_can_read(seen: Sighting) -> None:
    assert re.fullmatch(r"\d{1,3}", text := written(reads("distance", seen))[1])
    assert 0 <= int(text) <= 994


@given(st.floats(-1e6, 1e6))
def test_headings_are_more_than_minus_180_and_at_most_180(heading: float) -> None:
    assert -180 < whole_degrees(heading) <= 180


@given(st.lists(sightings, min_size=1, max_size=8), st.integers(0, 99_999_999))
def test_readings_fit_the_buffer_of_a_physical_robot(seen: list[Sighting], robot: int) -> None:
    for sensor, rays in (("distance", seen[:1]), ("colour", seen[:1]), ("proximity", seen)):
        (post,), why = write(ARENA, SensorAnswer(robot, True, sensor, tuple(rays), RADIUS), "v1")  # type: ignore[arg-type]
        assert why == ""
        assert len(f"v1/{post.topic}") + len(post.data) + writing.OVERHEAD <= SMALL
        assert re.fullmatch(rb"[\d #A-F]+", post.data)
    fields = write(ARENA, reads("proximity", *seen), "v1")[0][0].data.split()
    assert len(fields) == 2 * len(seen)


@given(st.text(min_size=64, max_size=64, alphabet=st.characters(max_codepoint=127, exclude_categories=["Cc"])))
def test_messages_of_64_characters_fit_too(text: str) -> None:
    posts, why = write(ARENA, Hears(2**31 - 1, True, text), "v1")
    assert (len(posts), why) == (1, "")


def test_what_a_physical_robot_cannot_read_is_not_sent_and_others_get_it() -> None:
    assert write(ARENA, Hears(1, True, "x" * 65), "v1") == ((), TEXT_TOO_LONG)
    assert write(ARENA, Hears(1, True, "é" * 64), "v1") == ((), TOO_LONG)
    assert len(write(ARENA, Hears(1, False, "x" * 900), "v1")[0]) == 1
    assert write(ARENA, Hears(1, False, "x" * 1024), "v1") == ((), TOO_LONG)
    many = tuple([Sighting(inf)] * 30)
    assert write(ARENA, SensorAnswer(1, True, "proximity", many, RADIUS), "v1") == ((), TOO_LONG)


def test_viewers_are_told_of_all_robots_whose_pose_is_known() -> None:
    robots = (
        Portrait(1, "virtual", (0.9, 0.95, pi / 2), 14237.0, RADIUS, 0.9),
        Portrait(2, "real", None, 1.0, RADIUS),
    )
    topic, payload = written(Gathering(robots))
    assert topic == "localization/data"
    assert json.loads(payload) == [{"id": "1", "x": 0, "y": 5, "heading": 90, "reality": "V"}]
    topic, payload = written(robots[0])
    assert topic == "mgt/robots/?"
    told = json.loads(payload)
    assert (told["id"], told["reality"], told["live"], told["data"]["distance"]) == (1, "V", "03:57:17", 84)
    assert told["coordinates"] == {"x": 0, "y": 5, "heading": 90}
    assert json.loads(written(robots[1])[1])["coordinates"] == {}


def test_what_is_said_first_is_in_its_order_and_leaves_one_message_behind() -> None:
    wall = ArenaObstacle("wall", "red", 1.3, 0.9, "real", pi / 2, 0.4, 0.02, height=0.08, colour="#FF0000")
    posts = writing.greeting(WireArena(), [wall])
    assert [post.topic for post in posts] == [
        "config/arena/",
        "obstacles/delete/all",
        "obstacles",
        "robot/msg/broadcast",
        "localization/update/?",
    ]
    assert [post.topic for post in posts if post.retained] == ["config/arena/"]
    assert writing.farewell() == Publication("config/arena/", b"", retained=True)
    (shown,) = json.loads(posts[2].data)
    assert re.fullmatch(r"[0-9a-f-]{36} \(Wall\)", shown.pop("id"))
    assert shown == {
        "reality": "R",
        "geometry": {"type": "BoxGeometry", "width": 40, "height": 8, "depth": 2},
        "material": {"type": "MeshStandardMaterial", "properties": {"color": "#FF0000"}},
        "position": {"x": 40, "y": 0},
        "rotation": {"x": 0, "y": 90, "z": 0},
    }
    assert json.loads(writing.obstacle_list(WireArena(), [wall], ("virtual",)).data) == []
    again = read_arena(json.dumps({"arena": json.loads(posts[0].data)}))
    assert again.arena == WireArena()


def test_the_shapes_of_round_obstacles() -> None:
    pillar = ArenaObstacle("cylinder", "", 0.9, 0.9, "virtual", radius=0.15, height=0.1)
    ball = ArenaObstacle("sphere", "", 0.9, 0.9, "virtual", radius=0.1)
    first, second = json.loads(writing.obstacle_list(WireArena(), [pillar, ball]).data)
    assert first["geometry"] == {"type": "CylinderGeometry", "radiusTop": 15, "radiusBottom": 15, "height": 10}
    assert second["geometry"] == {"type": "SphereGeometry", "radius": 10}
    assert first["id"] != second["id"]


def test_a_server_reads_its_own_announcement() -> None:
    post = writing.announcement("ab", 1.7e12)
    assert read(ARENA, post.topic, post.data).messages == (Announced("ab", 1.7e12),)


def test_what_is_seldom_sent() -> None:
    assert writing.visualizer_refresh() == Publication("mgt/visualizer", b"REFRESH")
    assert writing.visualizer_text("begin") == Publication("mgt/visualizer", b"MSG begin")
    assert writing.glow_order(3, RED) == Publication("output/neopixel/3", b"255 0 0")
    assert writing.reading_wanted(3, "colour") == Publication("sensor/color/3/?", b"?")
    assert writing.roll_call() == Publication("robot/msg/broadcast", b"ID? -1")
