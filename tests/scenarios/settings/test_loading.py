"""From files and settings to scenarios, or to every mistake in them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.scenarios.case import resolve, shipped_cases
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.settings import loading
from devs_robotics.scenarios.settings.loading import fingerprint, known_keys, set_keys, shipped_scenarios, validate
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.settings.tables import NoiseTable
from tests.approximately import near
from tests.paths import ROOT


def problems(data: dict[str, Any]) -> list[str]:
    scenario, found = validate(data)
    assert (scenario is None) == bool(found)
    return [str(problem) for problem in found]


def test_an_empty_scenario_is_the_shipped_convoy() -> None:
    """convoy.toml shows every key with its default; a default that changes here has to change there."""
    shipped = resolve(load("convoy"))
    assert shipped.model_copy(update={"title": ""}) == resolve(ConvoyScenario())


def test_the_shipped_convoy_names_every_key() -> None:
    text = (ROOT / "scenarios" / "convoy" / "convoy.toml").read_text()
    for key in known_keys():
        assert f"\n{key.rsplit('.', 1)[-1]}" in text.replace("\n# ", "\n").replace("[", "\n"), key


def test_all_shipped_scenarios_load_and_say_what_they_are() -> None:
    assert "convoy" in shipped_scenarios()
    for name in shipped_scenarios():
        assert loading.load(name).title


def test_settings_override_the_file_in_toml_or_plain_text() -> None:
    scenario = load(
        "convoy",
        ["convoy.robots=12", "noise.dnf=.04", "convoy.distance=40 cm", 'leader.path=[["90 deg", 0.2]]', "title=x y"],
    )
    assert (scenario.convoy.robots, scenario.noise.dnf, scenario.convoy.distance) == (12, 0.04, 0.4)
    assert scenario.leader.path == ((near(1.5707963267948966), 0.2),)
    assert scenario.title == "x y"


def test_keys_that_are_set_are_found_in_tables_too() -> None:
    settings = ["noise={dnf=0.1, anf=0.2}", " run.seed = 3", "field.obstacles=[]", "x", "frame.parts={}"]
    assert set_keys(settings) == {"noise.dnf", "noise.anf", "run.seed", "field.obstacles", "x", "frame.parts"}


def test_a_scenario_keeps_its_fingerprint_and_every_change_changes_it() -> None:
    assert fingerprint(load("convoy")) == fingerprint(load("convoy"))
    assert fingerprint(load("convoy", ["noise.dnf=0.1001"])) != fingerprint(load("convoy"))


def test_how_a_run_is_looked_at_is_not_in_the_fingerprint() -> None:
    looked_at = ["view.rate=5", "view.port=9000", "view.tracks=2 min", "view.arrows=10", "view.pictures=2"]
    assert fingerprint(load("convoy", looked_at)) == fingerprint(load("convoy"))


@pytest.mark.parametrize(
    "wrong", ["rate=0", "rate=61", "port=0", "viewers=0", "arrows=2", "tracks=-1", "kept=0.5", "pictures=0"]
)
def test_ways_of_looking_that_there_are_not_are_refused(wrong: str) -> None:
    with pytest.raises(DevsRoboticsError, match=f"view.{wrong.partition('=')[0]}: "):
        load("convoy", [f"view.{wrong}"])


def test_the_order_of_tables_is_not_in_the_fingerprint() -> None:
    robots = {"3": {"motor": "virtual"}, "2": {"infrared": "virtual"}}
    scenarios = [validate({"real": tables})[0] for tables in (robots, dict(reversed(robots.items())))]
    assert None not in scenarios
    assert len({fingerprint(each) for each in scenarios if each is not None}) == 1


def test_a_default_that_changes_changes_the_fingerprint() -> None:
    """Of scenarios that say nothing of it, too: what they run has changed."""

    class Louder(NoiseTable):
        dnf: float = 0.3

    assert fingerprint(ConvoyScenario()) != fingerprint(ConvoyScenario().model_copy(update={"noise": Louder()}))


def test_a_scenario_comes_back_from_its_summary() -> None:
    scenario = load("convoy", ['field.obstacles=[{shape="circle", x=3, y=3, radius=1}]'])
    again, found = validate(scenario.model_dump(mode="json"))
    assert found == []
    assert again == scenario


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"convoy": {"robots": 0}}, ["convoy.robots: must be at least 2, not 0"]),
        ({"convoy": {"robots": -3}}, ["convoy.robots: must be at least 2, not -3"]),
        ({"convoy": {"robots": 2.5}}, ["convoy.robots: must be a whole number, not 2.5"]),
        ({"convoy": {"robots": "many"}}, ["convoy.robots: must be a whole number, not 'many'"]),
        ({"convoy": {"robts": 3}}, ["convoy.robts: there is no such key: did you mean 'convoy.robots'?"]),
        ({"convoy": {"seed": 3}}, ["convoy.seed: there is no such key: did you mean 'run.seed'?"]),
        ({"leader": {"beams": 3}}, ["leader.beams: there is no such key: did you mean 'infrared.leader_beams'?"]),
        ({"leader": {"distance": 3}}, ["leader.distance: there is no such key: did you mean 'convoy.distance'?"]),
        ({"run": {"seed": 2**63}}, [f"run.seed: must be at most {2**63 - 1}, not {2**63}"]),
        ({"cnvoy": {}}, ["cnvoy: there is no such key: did you mean 'convoy'?"]),
        ({"x": 1}, ["x: there is no such key: remove it; 'devs-robotics check convoy --keys' shows every key"]),
        ({"run": 3}, ["run: must be a table, not 3"]),
        ({"run": {"seed": -1}}, ["run.seed: must be at least 0, not -1"]),
        ({"noise": {"dnf": 1.0}}, ["noise.dnf: must be less than 1, not 1.0"]),
        ({"noise": {"anf": "6 deg"}}, ["noise.anf: must be a number, such as 0.1, not '6 deg'"]),
        (
            {"convoy": {"distance": "60 kg"}},
            ["convoy.distance: '60 kg' has the wrong unit: write it in m or the like, as in '60 cm'"],
        ),
        ({"leader": {"path": [["90 deg"]]}}, ["leader.path[1][2]: is missing: add it"]),
        ({"field": {"obstacles": [{"shape": "blob"}]}}, None),
        ({"field": {"obstacles": [{"x": 1}]}}, None),
        ({"field": {"obstacles": [{"shape": "circle", "x": 1, "y": 1}]}}, None),
        ({"field": {"obstacles": [{"shape": "polygon", "corners": [[0, 0], [1, 1]]}]}}, None),
        ({"title": 3}, ["title: must be a text, not 3"]),
        (
            {"stand_in": {"watchdog": 0}},
            ["stand_in.watchdog: must be more than 0, not 0; or it must be 'never', not 0"],
        ),
        ({"follower": {"correction": 2}}, ["follower.correction: must be at most 1, not 2"]),
    ],
)
def test_a_mistake_is_named_with_its_key_and_the_remedy(data: dict[str, Any], expected: list[str] | None) -> None:
    found = problems(data)
    if expected is None:
        assert len(found) == 1
        assert found[0].startswith("field.obstacles[1]")
    else:
        assert found == expected


def test_all_mistakes_are_found_at_once() -> None:
    found = problems(
        {
            "convoy": {"robots": -3, "distnce": 1},
            "run": {"rounds": "x"},
            "noise": {"dnf": 1},
            "leader": {"step": "2 m"},  # disagrees with leader.clearance, which is right in itself
        }
    )
    assert [line.split(":")[0] for line in found] == [
        "convoy.robots",
        "convoy.distnce",
        "run.rounds",
        "noise.dnf",
        "leader.step",
    ]


def test_a_mistake_that_only_follows_from_another_is_not_told() -> None:
    """What a wrong key would be in place of is nobody's wish; keys that are right are held against each other."""
    parted = {"frame": {"parted": 0.4}}
    (of_distance,) = problems({"convoy": {"distance": "far"}, **parted})
    assert of_distance.startswith("convoy.distance: 'far' cannot be read")
    assert [line.split(":")[0] for line in problems({"convoy": {"robots": -3}, **parted})] == [
        "convoy.robots",
        "frame.parted",
    ]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    def message(name: object) -> str:
        with pytest.raises(ScenarioError) as caught:
            load(str(name))
        return str(caught.value)

    (tmp_path / "broken.toml").write_text("[convoy\nrobots = 3")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    assert message("convoi") == "convoi: there is no such file or shipped scenario: did you mean 'convoy'?"
    names = ", ".join(shipped_scenarios())
    assert message("nothing") == f"nothing: there is no such file or shipped scenario: give a path, or one of {names}"
    assert "broken.toml: this is not valid TOML: " in message(tmp_path / "broken.toml")
    assert "at line 1" in message(tmp_path / "broken.toml")
    assert "binary.toml: this is not a text file in UTF-8" in message(tmp_path / "binary.toml")
    assert "it cannot be read (Is a directory)" in message(tmp_path)


def test_settings_that_cannot_be_read() -> None:
    def message(*settings: str) -> str:
        with pytest.raises(ScenarioError) as caught:
            load("convoy", settings)
        return str(caught.value)

    assert message("convoy.robts=3") == ("--set: convoy.robts: there is no such key: did you mean 'convoy.robots'?")
    assert message("convoy.robots") == "--set: convoy.robots: has no value: write --set KEY=VALUE"
    assert message(" = 3") == "--set:  = 3: has no value: write --set KEY=VALUE"
    assert "did you mean 'title'" in message("title.x=3")
    assert message("nowhere.robts=3").startswith("--set: nowhere: there is no such key")
    assert message("leader.path=[[1]]") == "--set: leader.path[1][2]: is missing: add it"
    assert message("convoy.distance=60").startswith("--set: ")


scalars = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.floats(), st.text(max_size=5))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
)
tables = st.dictionaries(st.sampled_from(known_keys()), values, max_size=6)


@given(tables)
def test_no_data_breaks_the_reader(flat: dict[str, Any]) -> None:
    """Whatever a file holds, it is a scenario or a list of sentences."""
    data: dict[str, Any] = {}
    for key, value in flat.items():
        table, _, name = key.partition(".")
        if not name:
            data[table] = value
        elif isinstance(data.setdefault(table, {}), dict):
            data[table][name] = value
    scenario, found = validate(data)
    assert (scenario is None) == bool(found)
    assert all(problem.sentence for problem in found)


def test_the_shipped_files_are_plain_toml() -> None:
    for path in shipped_scenarios().values():
        assert tomllib.loads(path.read_text())["case"] in shipped_cases()


def test_a_mistake_in_a_table_inside_hides_no_other_one_in_it() -> None:
    with pytest.raises(ScenarioError) as caught:
        load("convoy", ["real.2.protocol=smoke", "real.2.link_within=later", "real.3.motor=steam"])
    about = {problem.keys[0] for problem in caught.value.problems}
    assert about == {"real.2.protocol", "real.2.link_within", "real.3.motor"}


def test_a_file_may_begin_with_the_mark_of_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "marked.toml"
    file.write_text("title = 'é'\n", encoding="utf-8-sig")
    assert load(str(file)).title == "é"
