"""Obstacles have a reality and a colour; an arena file and a scenario file make the same world."""

from __future__ import annotations

import json

import pytest

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.hil.pera_swarm.arena_files import field_table, read_arena
from devs_robotics.models.environment import Traits
from devs_robotics.models.environment.traits import OBSTACLE
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.settings.loading import restored
from devs_robotics.scenarios.settings.tables import FieldTable
from devs_robotics.scenarios.settings.toml import parsed
from devs_robotics.scenarios.setup.setup import field_of, set_up

ARENA = """{
  "arena": {"xMin": -90, "xMax": 90, "yMin": -97.5, "yMax": 97.5, "units": "cm"},
  "obstacles": [
    {"type": "wall", "name": "a", "reality": "R",
     "parameters": {"x": 40, "y": -20, "orientation": 90, "width": 57, "height": 8, "color": "#FF0000"}},
    {"type": "box", "name": "b", "parameters": {"x": -7, "y": 7, "orientation": 30, "width": 29, "depth": 7}},
    {"type": "cylinder", "name": "c", "parameters": {"x": 10, "y": 20, "radius": 15, "color": "blue"}}
  ]
}"""

TOML = """
[field]
width = "180 cm"
height = "195 cm"
walls = false

[[field.obstacles]]
shape = "box"
x = "130 cm"
y = "106 cm"
width = "57 cm"
height = "2 cm"
heading = "90 deg"
reality = "real"
colour = "#FF0000"

[[field.obstacles]]
shape = "box"
x = "83 cm"
y = "104.5 cm"
width = "29 cm"
height = "7 cm"
heading = "30 deg"

[[field.obstacles]]
shape = "circle"
x = "100 cm"
y = "117.5 cm"
radius = "15 cm"
colour = "blue"
"""


def test_an_arena_file_and_a_scenario_file_make_the_same_world() -> None:
    found = read_arena(ARENA)
    of_arena = FieldTable.model_validate_json(json.dumps(field_table(found.arena, found.obstacles)))
    of_scenario = FieldTable.model_validate_json(json.dumps(parsed(TOML)["field"]))
    assert of_arena == of_scenario
    first, second = (field_of(table, table.width or 0.0, table.height or 0.0) for table in (of_arena, of_scenario))
    assert first.obstacles == second.obstacles
    assert first.obstacle_traits == second.obstacle_traits
    assert first.walled is second.walled is False
    assert first.obstacle_traits == (
        Traits("obstacle", "#FF0000", "real"),
        OBSTACLE,
        Traits("obstacle", "blue", "virtual"),
    )


def test_what_is_not_said_of_an_obstacle_is_not_written_down() -> None:
    plain = 'field.obstacles=[{shape="circle", x=3, y=3, radius=1}]'
    table = load("convoy", [plain]).model_dump(mode="json")["field"]
    assert table["obstacles"] == [{"shape": "circle", "x": 3.0, "y": 3.0, "radius": 1.0}]
    coloured = 'field.obstacles=[{shape="circle", x=3, y=3, radius=1, colour="red", reality="real"}]'
    scenario = load("convoy", [coloured])
    assert scenario.model_dump(mode="json")["field"]["obstacles"][0]["colour"] == "red"
    assert restored(scenario.model_dump_json(round_trip=True)) == scenario
    assert set_up(scenario).field().obstacle_traits == (Traits("obstacle", "red", "real"),)


@pytest.mark.parametrize(
    ("key", "told"),
    [("colour='reddish'", "must be a colour such as '#ff0000' or 'red', not 'reddish'"), ("reality='half'", "reality")],
)
def test_a_wrong_trait_is_told(key: str, told: str) -> None:
    with pytest.raises(DevsRoboticsError, match=told):
        load("convoy", [f"field.obstacles=[{{shape='circle', x=3, y=3, radius=1, {key}}}]"])
