"""Robots that are models live in a served world: outsiders and viewers see them, and they see outsiders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devs_robotics import Link
from devs_robotics.hil.pera_swarm.gateway import Server
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.serving.served_file import Served, served
from devs_robotics.scenarios.serving.session import Head, Replayed, SessionRecorder, play
from devs_robotics.scenarios.serving.world import field_for, own_robots
from tests.approximately import near
from tests.scenarios.serving.wire import Wire, asks, stands

WORLD = """
[field]
width = "180 cm"
height = "180 cm"
walls = false
obstacles = [
    { shape = "box", x = "105 cm", y = "90 cm", width = 0.2, height = 0.1, heading = "30 deg", reality = "real" },
    { shape = "circle", x = "100 cm", y = "1.1 m", radius = "15 cm", colour = "#FF0000" },
]

[presence]
silence = "20 s"
await = 3

[radio]
delay = "100 ms"
loss = 0.5
reach = "80 cm"

[sensing]
rules = "original"
half_angle = "5 deg"
robots_coloured = true
"""

ARENA = {
    "arena": {"xMin": -90, "xMax": 90, "yMin": -90, "yMax": 90},
    "obstacles": [
        {
            "type": "box",
            "reality": "R",
            "parameters": {"x": 15, "y": 0, "width": 20, "depth": 10, "orientation": 30},
        },
        {"type": "cylinder", "parameters": {"x": 10, "y": 20, "radius": 15, "color": "#FF0000"}},
    ],
}


def of_text(tmp_path: Path, text: str, name: str = "world.toml", *settings: str) -> Served:
    path = tmp_path / name
    path.write_text(text)
    return served(str(path), settings)


def mixed(tmp_path: Path, *settings: str) -> Served:
    return of_text(tmp_path, 'case = "mixed_walk"\nwalk.real = 1\nwalk.virtual = 2\n', "walk.toml", *settings)


def test_a_scenario_without_a_case_and_an_arena_file_make_the_same_world(tmp_path: Path) -> None:
    by_text = of_text(tmp_path, WORLD)
    by_arena = of_text(tmp_path, json.dumps(ARENA), "arena.json")
    assert by_text.file.arena == by_arena.file.arena
    one, other = field_for(by_text.file), field_for(by_arena.file)
    assert one.obstacles == other.obstacles
    assert one.obstacle_traits == other.obstacle_traits
    wires = [Wire(each.file) for each in (by_text, by_arena)]
    for wire in wires:
        wire.put(stands(1, -30, 0), stands(2, 10, -40, 90, "R"))
    for packet in (asks(1), asks(1, "color"), asks(2, reality="M"), asks(1, "proximity", angles=[-90, 0, 45])):
        assert wires[0].put(packet) == wires[1].put(packet)


def test_a_scenario_says_how_outsiders_live(tmp_path: Path) -> None:
    what = of_text(tmp_path, WORLD, "world.toml", "presence.silence=30 s")
    rules = what.rules
    assert (rules.silence, rules.reach, rules.radio_delay, rules.radio_loss) == (30.0, 0.8, 0.1, 0.5)
    assert (rules.sensing, rules.robots_coloured, rules.half_angle) == ("original", True, near(0.0872664626))
    assert what.awaited == 3
    assert what.scenario is None


def wire_of(what: Served) -> Wire:
    assert what.scenario is not None
    return Wire(what.file, what.rules, own=own_robots(what.scenario))


def test_robots_of_a_case_are_told_when_the_broker_is_there_and_each_half_second(tmp_path: Path) -> None:
    wire = wire_of(mixed(tmp_path))
    created = [json.loads(post.data) for _, post in wire.said if post.channel == "v1/robot/create"]
    assert [(each["id"], each["reality"]) for each in created] == [(1, "R"), (2, "V"), (3, "V")]
    wire.go_on(10.0)
    told = [(time, post) for time, post in wire.said if post.channel == "v1/localization/update"]
    assert [time for time, _ in told][:3] == [near(0.0), near(0.5), near(1.0)]
    for time, post in told:
        wire_poses = {each["id"]: each for each in json.loads(post.data)}
        assert set(wire_poses) <= {1, 2, 3}
        assert all(-90 <= each["x"] <= 90 and -97.5 <= each["y"] <= 97.5 for each in wire_poses.values()), time
    poses = {each["id"]: each for _, post in told for each in json.loads(post.data)}
    bodies = wire.world.environment.space.field
    for robot in (1, 2, 3):
        x, y, _ = bodies.bodies.pose(robot - 1, 10.0)
        assert (poses[robot]["x"], poses[robot]["y"]) == (near(100 * x - 90, 0.006), near(100 * y - 97.5, 0.006))


def test_they_are_told_again_when_the_broker_comes_back(tmp_path: Path) -> None:
    wire = wire_of(mixed(tmp_path))
    wire.go_on(1.0)
    wire.simulator.inject(wire.world.incoming, Link(up=False, reason="gone"), at=1.0)
    before = len(wire.go_on(3.0))
    assert before == 0, "nobody hears it"
    wire.simulator.inject(wire.world.incoming, Link(up=True), at=3.0)
    topics = [topic for topic, _ in wire.go_on(3.0)]
    assert topics.count("robot/create") == 3
    assert topics.index("config/arena/") < topics.index("robot/create") < topics.index("localization/update")


def where(wire: Wire, robot: int) -> dict[str, Any]:
    ((topic, data),) = wire.put(("mgt/robots/snapshot", json.dumps({"id": robot})))
    assert topic == "mgt/robots/?"
    found: dict[str, Any] = json.loads(data)["coordinates"]
    return found


def test_outsiders_see_them_and_viewers_are_told_of_all(tmp_path: Path) -> None:
    wire = wire_of(mixed(tmp_path, "presence.own_ids=101"))
    wire.go_on(0.0)
    there = where(wire, 102)
    wire.put(stands(7, there["x"] - 30, there["y"], 0))
    assert wire.put(asks(7, reality="V")) == [("sensor/distance/7", "18")], "30 cm less two radii of 6"
    ((_, gathering),) = wire.put(("localization/data/?", "?"))
    assert [(each["id"], each["reality"]) for each in json.loads(gathering)] == [
        ("7", "V"),
        ("101", "R"),
        ("102", "V"),
        ("103", "V"),
    ]


def test_they_see_outsiders_and_stop_where_these_stand(tmp_path: Path) -> None:
    alone = wire_of(mixed(tmp_path))
    alone.go_on(20.0)
    fenced = wire_of(mixed(tmp_path))
    there = where(fenced, 3)
    for number in range(8):
        fenced.put(stands(10 + number, there["x"] + 14 * (number % 3 - 1), there["y"] + 14 * (number // 3 - 1) + 0.1))
    fenced.go_on(20.0)
    ends = [wire.world.environment.space.field.bodies.pose(2, 20.0) for wire in (alone, fenced)]
    assert ends[0] != ends[1]


def test_the_same_seed_without_outsiders_says_the_same_bytes(tmp_path: Path) -> None:
    one, other, another = (wire_of(mixed(tmp_path, f"run.seed={seed}")) for seed in (3, 3, 4))
    for wire in (one, other, another):
        wire.go_on(20.0)
    assert one.said == other.said
    assert one.said != another.said


def test_what_others_say_about_them_is_not_believed(tmp_path: Path) -> None:
    wire = wire_of(mixed(tmp_path))
    before = where(wire, 2)
    wire.put(stands(2, 50, 50), ("robot/delete", "2"), ("robot/create", '{"id":2,"reality":"R"}'))
    assert where(wire, 2) == before
    assert wire.world.presence.robots == []
    assert wire.world.dropped == {}


def test_a_recorded_session_with_them_says_the_same_bytes_when_it_is_played_again(tmp_path: Path) -> None:
    what, path = mixed(tmp_path), tmp_path / "session.jsonl"
    assert what.scenario is not None
    wire = Wire(what.file, what.rules, up=False, own=own_robots(what.scenario))
    head = Head(what.file, what.rules, Server(), scenario=what.scenario.model_dump_json(round_trip=True))
    wire.simulator.attach(SessionRecorder(path, wire.simulator, wire.world, head), "world/gateway")
    wire.simulator.inject(wire.world.incoming, Link(up=True), at=0.0)
    for number in range(20):
        wire.go_on(wire.time + 0.37)
        wire.put(stands(9, 5 * number - 50, 0), asks(9))
    wire.simulator.close()
    assert play(path) == Replayed(len(wire.said), "")
    assert len(wire.said) > 40


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[walk]\nreal = 2\n", "names no case study, and says more than a world needs: walk"),
        ("[field]\nwidth = 2\nwalls = false\n", "field.height must be given, such as '180 cm'"),
        ("[field]\nwidth = 2\nheight = 2\n", "field.walls must be false"),
        ("[field]\nwidth = 2\nheight = 2\nwalls = false\n[radio]\nloss = 3\n", "radio.loss"),
        (
            "[field]\nwidth = 2\nheight = 2\nwalls = false\n[presence]\nchannel = 'a/b'\n",
            "presence.channel must be a text",
        ),
    ],
)
def test_what_is_no_world_is_told(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(OptionError, match=sentence):
        of_text(tmp_path, text)


def test_an_arena_file_has_no_keys_to_override(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="--set overrides keys of scenarios"):
        of_text(tmp_path, json.dumps(ARENA), "arena.json", "presence.silence=1 s")
