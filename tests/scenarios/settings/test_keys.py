"""What is told of keys, from where they are declared."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, get_args

import pytest

from devs_robotics.models.environment.sensing import SensingChoice
from devs_robotics.models.robots import PopulationChoice
from devs_robotics.scenarios.case_study.harness import study_case
from devs_robotics.scenarios.settings.keys import Key, keys_of, meaning_of_table
from devs_robotics.scenarios.settings.loading import known_keys, load
from devs_robotics.study import Angle, CaseStudy, Count, Length, SettingsTable


class Nest(SettingsTable):
    """Where the nest is.

    And more of it.
    """

    x: Length = 1.0
    """Of its
    centre (m)."""
    open: bool = True


class Carrying(CaseStudy):
    """Robots carry things."""

    robots: Count = 3
    """How many there are."""
    reach: Length | None = None
    turn: Angle = 0.5
    "In quotes of another kind."
    order: Literal["near", "far"] = "near"
    nest: Nest = Nest(x=4.0)
    """The nest: no key, but a table."""

    defaults: ClassVar[dict[str, Any]] = {"field.width": 7.0}


class More(Carrying):
    """Robots carry more."""

    robots: Count = 9
    load: Count = 2
    """Of each robot."""


def keys(study: type[CaseStudy], **tables: Any) -> dict[str, Key]:
    case = study_case(study, f"keys:{study.__name__}")
    return {key.key: key for key in keys_of(case.scenario.model_validate(tables))}


def test_keys_of_a_case_study_are_told_from_its_class() -> None:
    found = keys(Carrying, carrying={"reach": "20 cm"})
    assert found["carrying.robots"] == Key("carrying.robots", "carrying", "", 3, 3, "How many there are.")
    assert found["carrying.reach"] == Key("carrying.reach", "carrying", "m", None, 0.2, "")
    assert found["carrying.turn"].meaning == "In quotes of another kind."
    assert found["carrying.order"].choices == ("near", "far")
    assert "carrying.nest" not in found


def test_keys_of_a_table_of_its_own_have_the_defaults_of_the_case_study() -> None:
    found = keys(Carrying, nest={"open": False})
    assert found["nest.x"] == Key("nest.x", "nest", "m", 4.0, 4.0, "Of its centre (m).")
    assert (found["nest.open"].default, found["nest.open"].value) == (True, False)


def test_keys_are_inherited_with_their_meanings() -> None:
    found = keys(More)
    assert (found["more.robots"].default, found["more.robots"].meaning) == (9, "How many there are.")
    assert found["more.load"].meaning == "Of each robot."
    assert "carrying.robots" not in found


def test_keys_of_the_harness_have_the_defaults_that_a_case_study_gives_them() -> None:
    width = keys(Carrying)["field.width"]
    assert (width.unit, width.default, width.value) == ("m", 7.0, 7.0)
    assert width.meaning.startswith("Along x (m)")


def test_of_robots_and_parts_those_that_differ_are_told() -> None:
    part = {"model": "mine:Part", "taps": {"heard": ("system.motion",)}, "limit": 3}
    found = keys(Carrying, real={"2": {}, "3": {"infrared": "virtual"}}, frame={"parts": {"mine": part}})
    assert found["real.N.infrared"].value == {"3": "virtual"}
    assert found["real.N.motor"].value == {}
    assert found["frame.parts.NAME.model"].default is None
    assert found["frame.parts.NAME.model"].value == {"mine": "mine:Part"}
    assert found["frame.parts.NAME.drives"].value == {}


def test_no_password_is_told() -> None:
    found = keys(Carrying, real={"2": {"address": "mqtt://me:secret@192.0.2.7/robot/2"}})
    assert "secret" not in str(found["real.N.address"])
    assert "192.0.2.7" in str(found["real.N.address"])


def test_a_class_that_stands_in_no_file_has_keys_without_a_meaning() -> None:
    names: dict[str, Any] = {"__name__": __name__}
    exec(  # as in a notebook
        "from devs_robotics.study import CaseStudy, Count\n"
        'class Nowhere(CaseStudy):\n    robots: Count = 3\n    """How many."""\n',
        names,
    )
    assert keys(names["Nowhere"])["nowhere.robots"] == Key("nowhere.robots", "nowhere", "", 3, 3, "")


def test_tables_are_told_by_the_first_line_of_their_classes() -> None:
    scenario = study_case(More, "keys:More").scenario()
    assert meaning_of_table(scenario, "more") == "Robots carry more."
    assert meaning_of_table(scenario, "nest") == "Where the nest is."
    assert meaning_of_table(scenario, "field").startswith("The field")
    assert meaning_of_table(scenario, "real.N").startswith("A robot that is real")


class OfNoWords(SettingsTable):
    power: float = 1.0


class Wordless(Carrying):
    nothing: OfNoWords = OfNoWords()


def test_a_class_without_a_docstring_is_told_by_its_name() -> None:
    """Not by what is said of its base, which is something else."""
    case = study_case(Wordless, "keys:Wordless")
    assert [meaning_of_table(case.scenario(), name) for name in ("wordless", "nothing")] == ["Wordless", "OfNoWords"]
    assert case.title == "Wordless"


@pytest.mark.parametrize("name", ["convoy", "wander"])
def test_every_key_of_what_ships_has_a_meaning(name: str) -> None:
    scenario = load(name)
    found = keys_of(scenario)
    assert {key.key for key in found if not key.meaning} == set()
    known = {key for key in known_keys(type(scenario)) if "." in key or key in ("title", "case")}
    assert {key.key for key in found} == known - {"frame.parts"}


def test_strategies_are_those_that_the_environment_model_has() -> None:
    strategy = keys(Carrying)["sensing.strategy"]
    assert (strategy.choices, strategy.default) == (get_args(SensingChoice), "auto")
    population = keys(Carrying)["run.population"]
    assert (population.choices, population.default) == (get_args(PopulationChoice), "models")
