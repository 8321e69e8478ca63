"""Arena files: their published forms, all mistakes at once, and the same world as a scenario file."""

from __future__ import annotations

import json
from math import pi
from typing import Any

import pytest

from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.arena_files import ArenaFileError, field_table, read_arena
from devs_robotics.hil.pera_swarm.obstacles import ArenaObstacle

BOUNDS = {"xMin": -90, "xMax": 90, "yMin": -90, "yMax": 90, "units": "cm"}

FULL: dict[str, Any] = {
    "arena": BOUNDS,
    "channel": "v2",
    "obstacles": [
        {
            "type": "wall",
            "name": "north",
            "parameters": {"x": -30, "y": 60, "orientation": 0, "width": 60, "height": 8, "color": "#FF0000"},
            "reality": "R",
        },
        {
            "type": "wall",
            "description": "east",
            "parameters": {"x": 60, "y": -20, "orientation": 90, "width": 40, "height": 8, "depth": 7},
        },
        {
            "type": "box",
            "name": "crate",
            "parameters": {"x": 0, "y": 0, "orientation": 30, "width": 20, "depth": 10, "height": 5},
        },
        {"type": "cylinder", "name": "pillar", "parameters": {"x": 10, "y": 20, "radius": 15, "height": 12}},
        {"type": "sphere", "name": "ball", "parameters": {"x": -40, "y": -40, "radius": 5}, "reality": "R"},
    ],
}


def test_the_published_forms() -> None:
    found = read_arena(json.dumps(FULL))
    assert found.arena == WireArena(-90.0, 90.0, -90.0, 90.0, "v2")
    assert (found.arena.width, found.arena.height) == (1.8, 1.8)
    north, east, crate, pillar, ball = found.obstacles

    def place(obstacle: ArenaObstacle) -> Any:
        return obstacle.x, obstacle.y, obstacle.heading, obstacle.length, obstacle.depth, obstacle.radius

    def near(*values: float) -> Any:
        return pytest.approx(values, abs=1e-12)

    assert place(north) == near(0.9, 1.5, 0.0, 0.6, 0.02, 0.0)
    assert place(east) == near(1.5, 0.9, pi / 2, 0.4, 0.02, 0.0), "a wall begins where it says, and is 2 cm thick"
    assert place(crate) == near(0.9, 0.9, pi / 6, 0.2, 0.1, 0.0)
    assert place(pillar) == near(1.0, 1.1, 0.0, 0.0, 0.0, 0.15)
    assert place(ball) == near(0.5, 0.5, 0.0, 0.0, 0.0, 0.05)
    assert [each.name for each in found.obstacles] == ["north", "east", "crate", "pillar", "ball"]
    assert [each.reality for each in found.obstacles] == ["real", "virtual", "virtual", "virtual", "real"]
    assert [each.colour for each in found.obstacles] == ["#FF0000", "", "", "", ""]


def test_an_arena_may_be_empty_and_walls_may_stick_out() -> None:
    assert read_arena(json.dumps({"arena": BOUNDS})).obstacles == ()
    wall = {"type": "wall", "parameters": {"x": 80, "y": 0, "orientation": 0, "width": 28, "height": 8}}
    assert len(read_arena(json.dumps({"arena": BOUNDS, "obstacles": [wall]})).obstacles) == 1


def test_keys_that_are_nearly_others_are_told_and_those_of_others_are_left_alone() -> None:
    wrong = {
        "arena": {**BOUNDS, "unit": "cm"},
        "Channel": "lab",
        "author": "somebody",
        "obstacles": [
            {"type": "box", "realty": "R", "parameters": {"x": 0, "y": 0, "width": 1, "depth": 1, "colour": "#00FF00"}},
            {"type": "box", "id": 3, "parameters": {"x": 9, "y": 0, "width": 1, "depth": 1, "material": "wood"}},
        ],
    }
    with pytest.raises(ArenaFileError) as told:
        read_arena(json.dumps(wrong), "maze.json")
    assert str(told.value).splitlines() == [
        "maze.json: 'Channel': there is no such key: did you mean 'channel'?",
        "maze.json: 'arena.unit': there is no such key: did you mean 'units'?",
        "maze.json: obstacle 1: 'realty': there is no such key: did you mean 'reality'?",
        "maze.json: obstacle 1: 'parameters.colour': there is no such key: did you mean 'color'?",
    ]


def test_all_mistakes_are_told_at_once_with_the_number_and_the_name() -> None:
    wrong = {
        "arena": {**BOUNDS, "xMax": -90, "units": "inch"},
        "channel": "a/b",
        "obstacles": [
            {"type": "cone", "name": "tip", "parameters": {}},
            {"type": "box", "description": "crate", "parameters": {"x": 0, "y": "1", "width": 0, "depth": 1}},
            7,
            {"type": "cylinder", "parameters": {"x": 0, "y": 0, "radius": 4, "color": "reddish"}, "reality": "M"},
            {"type": "sphere", "name": "ball"},
        ],
    }
    with pytest.raises(ArenaFileError) as told:
        read_arena(json.dumps(wrong), "maze.json")
    assert str(told.value).splitlines() == [
        "maze.json: 'arena.xMin' must be less than 'arena.xMax', and -90 is not less than -90",
        "maze.json: 'arena.units' must be \"cm\", not 'inch'",
        "maze.json: 'channel' must be a text of 1 to 15 characters without '/', '+' and '#', not 'a/b'",
        "maze.json: obstacle 1 (tip): 'type' must be one of wall, box, cylinder, sphere, not 'cone'",
        "maze.json: obstacle 2 (crate): 'y' must be a number, not '1'",
        "maze.json: obstacle 2 (crate): 'width' must be more than 0, not 0",
        "maze.json: obstacle 3: must be an object, not 7",
        "maze.json: obstacle 4: 'reality' must be \"V\" or \"R\", not 'M'",
        "maze.json: obstacle 4: 'color' must be such as \"#FF0000\", not 'reddish'",
        "maze.json: obstacle 5 (ball): 'parameters' must be an object",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is no JSON"),
        ("[]", "must be a JSON object"),
        ("{}", "'arena' must be an object with xMin, xMax, yMin and yMax"),
        ('{"arena": {"xMin": 0, "xMax": 1, "yMin": 0}}', "'arena.yMax' must be a number of centimetres, not None"),
        (json.dumps({"arena": BOUNDS, "obstacles": {}}), "'obstacles' must be an array"),
        (json.dumps({"arena": {**BOUNDS, "xMax": 1e308}}), "'arena.xMax' must be a number of centimetres up to 1e.07"),
        (
            json.dumps({"arena": BOUNDS, "obstacles": [{"type": "sphere", "parameters": {"x": 1e300}}]}),
            "obstacle 1: 'x' must be a number up to 1e.07, not 1e.300",
        ),
    ],
)
def test_what_is_no_arena_file(text: str, told: str) -> None:
    with pytest.raises(ArenaFileError, match=told.replace("(", r"\(")):
        read_arena(text)


def test_a_scenario_file_can_say_the_same() -> None:
    found = read_arena(json.dumps(FULL))
    table = field_table(found.arena, found.obstacles)
    assert (table["width"], table["height"], table["walls"]) == (1.8, 1.8, False)
    assert [each["shape"] for each in table["obstacles"]] == ["box", "box", "box", "circle", "circle"]
    assert table["obstacles"][0]["colour"] == "#FF0000"
