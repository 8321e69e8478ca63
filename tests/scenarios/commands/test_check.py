"""``devs-robotics check --keys``: what every key is, from where it is declared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.settings.loading import load

CASE = '''
from typing import Annotated, Literal

from pydantic import Field

from devs_robotics.study import Angle, CaseStudy, Count, Length, SettingsTable


class Nest(SettingsTable):
    """Where the nest is."""

    x: Length = 1.0
    """Of its centre (m)."""


class Base(CaseStudy):
    robots: Count = 3
    """How many
    there are."""

    def build(self, system):
        for pose in system.free_poses(self.robots):
            system.add_robot(pose)


class Foraging(Base):
    """Robots bring items home.

    And more of it.
    """

    reach: Annotated[Length, Field(gt=0)] = "40 cm"
    turn: Angle = 0.5
    """At a wall (rad)."""
    order: Literal["near", "far"] = "near"
    """Which item comes first."""
    nest: Nest = Nest()
'''

SCENARIO = """
case = "mine_for_keys:Foraging"
run.duration = "1 min"
foraging.reach = "50 cm"
[real.2]
[real.3]
infrared = "virtual"
"""

Shown = pytest.CaptureFixture[str]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine_for_keys.py").write_text(CASE)
    (tmp_path / "mine.toml").write_text(SCENARIO)
    return tmp_path / "mine.toml"


def told(shown: Shown, status: int, *arguments: object) -> dict[str, Any]:
    assert main(["check", *map(str, arguments), "--keys", "--json"]) == status
    found: dict[str, Any] = json.loads(shown.readouterr().out)
    return found


def test_the_keys_of_a_case_of_ones_own_are_told_with_unit_default_and_meaning(mine: Path, capsys: Shown) -> None:
    keys = {each["key"]: each for each in told(capsys, 0, mine, "--set", "foraging.robots=4")["keys"]}
    assert keys["foraging.robots"] == {
        "key": "foraging.robots",
        "table": "foraging",
        "unit": "",
        "default": 3,
        "value": 4,
        "meaning": "How many there are.",
        "choices": [],
    }
    assert [(keys[key]["unit"], keys[key]["default"], keys[key]["value"]) for key in keys if "foraging" in key] == [
        ("", 3, 4),
        ("m", 0.4, 0.5),
        ("rad", 0.5, 0.5),
        ("", "near", "near"),
    ]
    assert keys["foraging.order"]["choices"] == ["near", "far"]
    assert (keys["nest.x"]["unit"], keys["nest.x"]["meaning"]) == ("m", "Of its centre (m).")
    assert (keys["run.duration"]["default"], keys["run.duration"]["value"]) == (None, 60.0)
    assert keys["real.N.infrared"]["value"] == {"3": "virtual"}
    assert keys["title"]["table"] == ""


def test_the_keys_are_shown_by_their_tables(mine: Path, capsys: Shown) -> None:
    assert main(["check", str(mine), "--keys"]) == 0
    shown = capsys.readouterr().out
    assert (
        "[foraging]  Robots bring items home.\n"
        "  foraging.robots  3                   How many there are.\n"
        "  foraging.reach   0.4 m (here 0.5 m)\n"
        "  foraging.turn    0.5 rad             At a wall.\n"
        '  foraging.order   "near"              Which item comes first. One of near, far.\n'
        "\n"
        "[nest]  Where the nest is.\n"
        "  nest.x  1 m  Of its centre.\n"
    ) in shown
    assert '  real.N.infrared       "real" (here "virtual" for 3)  Whose range sensors' in shown
    assert shown.splitlines()[-1].startswith(f"{mine}: no mistakes (scenario ")


def test_a_scenario_with_mistakes_shows_its_keys_all_the_same(mine: Path, capsys: Shown) -> None:
    found = told(capsys, 2, mine, "--set", "foraging.robts=3")
    assert [each["keys"] for each in found["mistakes"]] == [["foraging.robts"]]
    assert next(each for each in found["keys"] if each["key"] == "foraging.robots")["default"] == 3
    assert main(["check", str(mine), "--keys", "--set", "foraging.robts=3"]) == 2
    shown = capsys.readouterr().out
    assert "[foraging]  Robots bring items home.\n" in shown
    assert shown.endswith("--set: foraging.robts: there is no such key: did you mean 'foraging.robots'?\n1 mistake\n")


def test_a_file_that_names_no_case_has_no_keys(tmp_path: Path, capsys: Shown) -> None:
    (tmp_path / "other.toml").write_text('case = "no_module_of_this_name:Case"\n')
    assert "keys" not in told(capsys, 2, tmp_path / "other.toml")
    assert told(capsys, 2, tmp_path / "nothing.toml")["mistakes"] != []


def test_what_is_told_of_a_key_is_what_a_file_may_say(capsys: Shown) -> None:
    """Every default is a value of its key."""
    for name in ("convoy", "wander"):
        for each in told(capsys, 0, name)["keys"]:
            known = each["default"] is not None and ".N." not in each["key"] and ".NAME." not in each["key"]
            if known and each["table"]:
                load(name, [f"{each['key']}={_toml(each['default'])}"])


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


TWIN = """
import numpy as np

from devs_robotics.core.population import Population
from devs_robotics.core.robots.epuck2.body import AXLE, FASTEST, STEP_LENGTH
from devs_robotics.models.activities import VirtualWheels
from devs_robotics.models.activities.epuck2 import VirtualProximityWatch
from devs_robotics.scenarios.diffusion import Diffuse, Diffuses, Diffusion


class Mine(Diffuse):
    pass


class Mines(Diffuses, of=Mine):
    def deltint(self, who):
        self.hold_in(who, "waiting", np.floor(np.exp(self.speed) * 8.0))


class Spreading(Diffusion):
    def put_together(self, robot):
        robot.equip(VirtualWheels("wheels", AXLE, FASTEST * STEP_LENGTH))
        robot.equip(VirtualProximityWatch("proximity"))
        robot.decide(Mine("mine", self.speed, self.period))
"""


def test_what_depends_on_the_processor_in_a_twin_is_noted(tmp_path: Path, capsys: Shown) -> None:
    (tmp_path / "mine_in_arrays.py").write_text(TWIN)
    (tmp_path / "mine.toml").write_text('case = "mine_in_arrays:Spreading"\n')
    sentence = (
        f"{tmp_path / 'mine_in_arrays.py'}:17: Mines calls numpy.exp, whose last bits depend on the processor: take "
        "exact.exp in both"
    )
    assert main(["check", str(tmp_path / "mine.toml")]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"note: {sentence}"
    assert told(capsys, 0, tmp_path / "mine.toml")["notes"] == [sentence]
    assert told(capsys, 0, "diffusion")["notes"] == []
