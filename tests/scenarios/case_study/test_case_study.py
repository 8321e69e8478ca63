"""Settings from annotations: units, bounds, defaults, tables of their own, and names that no setting may have."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from math import radians
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import Field

from devs_robotics.scenarios.case_study.case_study import CaseStudy, problems_of, schema_of, table_name
from devs_robotics.scenarios.case_study.harness import study_case
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.settings.loading import known_keys
from devs_robotics.scenarios.settings.sentences import sentences_of
from devs_robotics.study import Angle, Count, Duration, Factor, Length, SettingsTable, Speed
from tests.paths import ROOT


class Nest(SettingsTable):
    x: Length = 1.0
    y: Annotated[Length, Field(ge=0)] = 2.0


class Foraging(CaseStudy):
    """Robots bring items home."""

    robots: Count = 4
    reach: Annotated[Length, Field(gt=0)] = "40 cm"  # type: ignore[assignment]  # a text with a unit, as in files
    turn: Angle = radians(15.0)
    pause: Duration = 2.0
    speed: Speed = Field(0.2, ge=0.01)
    share: Factor = 0.5
    order: Literal["near", "far"] = "near"
    beams: tuple[Angle, ...] = (0.0,)
    limit: Length | None = None
    nest: Nest = Nest()
    away: Nest = Nest(x=9.0)

    defaults: ClassVar[dict[str, Any]] = {"field.width": 8.0, "run.duration": "2 min"}
    note = "not annotated: no setting"
    _hidden: int = 3


def refusal(body: dict[str, Any], name: str = "Mine", bases: tuple[type, ...] = (CaseStudy,)) -> str:
    """What is said of a class with such annotations and attributes."""
    with pytest.raises(CaseError) as caught:
        type(name, bases, {"__module__": __name__, **body})
    return str(caught.value)


def annotated(**settings: tuple[Any, Any]) -> dict[str, Any]:
    return {"__annotations__": {name: kind for name, (kind, _) in settings.items()}} | {
        name: value for name, (_, value) in settings.items()
    }


def test_annotated_attributes_are_settings_and_nothing_else_is() -> None:
    assert list(Foraging.table.model_fields) == [
        "robots", "reach", "turn", "pause", "speed", "share", "order", "beams", "limit",
    ]  # fmt: skip
    assert list(Foraging.tables) == ["nest", "away"]
    assert Foraging.table_name == "foraging"


def test_settings_have_their_defaults_and_take_texts_with_a_unit() -> None:
    plain = Foraging()
    assert (plain.robots, plain.reach, plain.turn, plain.order, plain.limit) == (4, 0.4, radians(15.0), "near", None)
    assert (plain.nest.x, plain.away.x, plain.away.y) == (1.0, 9.0, 2.0)
    given = Foraging(reach="1.5 m", turn="90 deg", pause="1 min", beams=(1.0, "180 deg"), limit="3 cm", speed=1)
    assert (given.reach, given.turn, given.pause, given.limit) == (1.5, radians(90.0), 60.0, 0.03)
    assert given.beams == (1.0, radians(180.0))
    assert Foraging(nest={"x": "5 cm"}).nest == Nest(x=0.05)
    assert Foraging(nest=Nest(y=7.0)).nest.y == 7.0
    assert Foraging(away={"y": 1.0}).away.x == 9.0  # what is left out is as the case study says


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"robts": 3}, "Foraging has no setting 'robts': did you mean 'robots'?"),
        (
            {"qqq": 3},
            "Foraging has no setting 'qqq': it has robots, reach, turn, pause, speed, share, order, beams, limit, ",
        ),
        ({"_hidden": 3}, "Foraging has no setting '_hidden': it has robots"),
        ({"robots": 0}, "Foraging: robots: must be at least 1, not 0"),
        ({"robots": 2.5}, "Foraging: robots: must be a whole number, not 2.5"),
        ({"reach": 0}, "Foraging: reach: must be more than 0, not 0"),
        ({"speed": 0.001}, "Foraging: speed: must be at least 0.01, not 0.001"),
        (
            {"reach": "3 kg"},
            "Foraging: reach: '3 kg' has the wrong unit: write it in m or the like, as in '3 cm'",
        ),
        ({"turn": "90"}, "Foraging: turn: '90' has no unit: write a number in rad, or a text such as '90 deg'"),
        ({"share": "50 %"}, "Foraging: share: must be a number, such as 0.1, not '50 %'"),
        ({"order": "any"}, "Foraging: order: must be 'near' or 'far', not 'any'"),
        ({"nest": {"y": -1}}, "Foraging: nest.y: must be at least 0, not -1"),
        ({"nest": {"z": 1}}, "Foraging: nest.z: there is no such setting"),
        ({"nest": 3}, "Foraging: nest: must be a table, not 3"),
        ({"robots": 0, "reach": 0}, "Foraging: robots: must be at least 1, not 0; reach: must be more than 0, not 0"),
    ],
)
def test_a_setting_that_is_wrong_is_told_with_its_name(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CaseError) as caught:
        Foraging(**settings)
    assert str(caught.value).startswith(sentence)


def test_a_case_study_shows_the_settings_that_differ() -> None:
    assert repr(Foraging()) == "Foraging()"
    assert repr(Foraging(robots=2, reach="40 cm", nest={"x": 3.0})) == "Foraging(robots=2, nest=Nest(x=3.0, y=2.0))"


def test_a_case_study_is_a_class_of_its_own() -> None:
    with pytest.raises(CaseError, match=r"^a case study is a class of its own: derive it from CaseStudy$"):
        CaseStudy()


def test_a_setting_needs_a_default() -> None:
    assert refusal({"__annotations__": {"robots": int}}) == ("Mine.robots has no default: write robots: int = ...")


def test_a_default_must_be_a_value_of_its_setting() -> None:
    assert refusal(annotated(step=(Length, "3 kg"))) == (
        "Mine: step: '3 kg' has the wrong unit: write it in m or the like, as in '3 cm'"
    )
    assert refusal(annotated(speed=(Speed, Field(-1.0, ge=0)))) == "Mine: speed: must be at least 0, not -1.0"
    assert refusal(annotated(robots=(Count, 0))) == "Mine: robots: must be at least 1, not 0"


def test_a_key_of_a_table_of_its_own_needs_a_default_there_or_in_the_case_study() -> None:
    class Place(SettingsTable):
        x: Length

    assert refusal({"__annotations__": {"place": Place}}) == "Mine: place.x: is missing: add it"
    study = type(
        "Mine", (CaseStudy,), {"__module__": __name__, "__annotations__": {"place": Place}, "place": Place(x=2.0)}
    )
    assert study().place.x == 2.0
    assert study(place={"x": "3 m"}).place.x == 3.0


@pytest.mark.parametrize(
    "name",
    ["build", "frame", "check", "size", "noise_free", "bundles", "laboratory", "table", "table_name", "tables", "copy",
     "json", "model_fields"],
)  # fmt: skip
def test_names_that_every_case_study_has_are_no_settings(name: str) -> None:
    assert refusal(annotated(**{name: (Length, 0.3)})) == (
        f"Mine.{name} cannot be a setting, for every case study has {name!r}: rename it"
    )


@pytest.mark.parametrize("name", ["defaults", "in_the_loop"])
def test_what_a_case_study_says_of_the_harness_needs_no_type(name: str) -> None:
    assert refusal(annotated(**{name: (dict, {})})) == (
        f"Mine.{name} is no setting: write it without a type, as {name} = {{...}}"
    )


def test_tables_have_names_that_scenarios_have_not() -> None:
    assert refusal({}, "StandIn") == (
        "StandIn: a scenario's table [stand_in] is the harness's: give the class another name"
    )
    assert refusal(annotated(field=(Nest, Nest()))) == (
        "Mine.field: a scenario's table [field] is the harness's: rename it"
    )
    assert refusal(annotated(case_of=(Nest, Nest())), "CaseOf") == (
        "CaseOf.case_of: a scenario's table [case_of] is the case study's own: rename it"
    )


def test_a_table_is_called_as_its_class() -> None:
    assert [table_name(name) for name in ("Wandering", "MyRobots", "Robots2Go", "ABC")] == [
        "wandering",
        "my_robots",
        "robots2_go",
        "abc",
    ]


def test_a_type_that_cannot_be_read_is_told() -> None:
    assert refusal({"__annotations__": {"step": "NoSuchType"}, "step": 0.3}) == (
        "Mine: the types of its settings cannot be read (NameError: name 'NoSuchType' is not defined): import them at "
        "the top of its module"
    )


class Patrolling(Foraging):
    """Robots that look after what is there."""

    robots = 7
    reach: Length = 0.9
    rounds: Count = 3

    def check(self) -> Iterator[tuple[str | tuple[str, ...], str]]:
        """Of what both have."""
        if self.rounds > self.robots:
            yield ("rounds", "robots"), "more rounds than robots: take fewer"
        if self.nest.x > 5.0:
            yield "nest.x", "too far away: move it"


def test_settings_are_inherited_and_may_be_declared_anew() -> None:
    study = Patrolling()
    assert (study.robots, study.reach, study.rounds, study.turn) == (7, 0.9, 3, radians(15.0))
    assert Patrolling.table_name == "patrolling"
    assert Patrolling(reach=-1.0).reach == -1.0  # its bound was of the type that is no more
    assert Foraging().robots == 4
    assert refusal({"robots": 0}, bases=(Foraging,)) == "Mine: robots: must be at least 1, not 0"


def test_settings_that_disagree_are_told_by_their_keys() -> None:
    assert list(problems_of(Patrolling())) == []
    found = list(problems_of(Patrolling(rounds=9, nest={"x": 6.0})))
    assert [(each.keys, each.sentence) for each in found] == [
        (("patrolling.rounds", "patrolling.robots"), "more rounds than robots: take fewer"),
        (("nest.x",), "too far away: move it"),
    ]


@pytest.mark.parametrize("given", ["robots", [("robots",)], [(3, "x")], [("robots", 3)]])
def test_a_check_that_says_something_else_is_refused(given: Any) -> None:
    class Wrong(CaseStudy):
        robots: Count = 1

        def check(self) -> Any:
            return given

    with pytest.raises(CaseError, match=r"^Wrong.check must yield settings and a sentence, as \(\"step\", "):
        list(problems_of(Wrong()))


def test_a_check_that_fails_is_told() -> None:
    class Failing(CaseStudy):
        def check(self) -> Any:
            raise ZeroDivisionError("by nothing")

    with pytest.raises(CaseError, match=r"^Failing.check failed: ZeroDivisionError: by nothing \(\S*, line \d+\)$"):
        list(problems_of(Failing()))


def test_scenarios_have_the_tables_of_the_case_study_and_its_defaults() -> None:
    schema = schema_of(Foraging, "mine:Foraging")
    plain = schema()
    assert (plain.case, plain.field.width, plain.field.height, plain.run.duration) == (
        "mine:Foraging",
        8.0,
        None,
        120.0,
    )
    assert {"foraging.reach", "nest.x", "away.y", "field.width"} <= set(known_keys(schema))
    assert plain.away.x == 9.0  # type: ignore[attr-defined]
    other = schema.model_validate({"foraging": {"reach": "1 m"}, "away": {"y": 3}})
    assert (other.foraging.reach, other.away.x, other.away.y) == (1.0, 9.0, 3.0)  # type: ignore[attr-defined]
    study = study_case(Foraging, "mine:Foraging").of(other)
    assert repr(study) == "Foraging(reach=1.0, away=Nest(x=9.0, y=3.0))"


@pytest.mark.parametrize(
    ("defaults", "sentence"),
    [
        ({"field.widht": 3.0}, "Mine.defaults: the harness has no key 'field.widht': did you mean 'field.width'?"),
        (
            {"nowhere": 3.0},
            "Mine.defaults: the harness has no key 'nowhere': devs-robotics check SCENARIO --keys shows all",
        ),
        (
            {"real.2": {}},
            "Mine.defaults: the harness has no key 'real.2': devs-robotics check SCENARIO --keys shows all",
        ),
    ],
)
def test_defaults_are_of_keys_that_there_are(defaults: dict[str, Any], sentence: str) -> None:
    study = type("Mine", (CaseStudy,), {"__module__": __name__, "defaults": defaults})
    with pytest.raises(CaseError) as caught:
        schema_of(study, "mine:Mine")
    assert str(caught.value) == sentence


def test_a_default_of_a_key_of_the_harness_must_be_a_value_of_it() -> None:
    study = type("Mine", (CaseStudy,), {"__module__": __name__, "defaults": {"field.width": "3 kg"}})
    with pytest.raises(CaseError) as caught:
        schema_of(study, "mine:Mine")
    assert str(caught.value) == (
        "Mine.defaults: field.width: '3 kg' has the wrong unit: write it in m or the like, as in '3 cm'"
    )


def test_annotations_may_be_texts_in_a_module_of_whose_names_a_base_knows_others() -> None:
    """Each class is read with the names of its own module."""
    script = (
        "import sys, types\n"
        "base, derived = types.ModuleType('base_case'), types.ModuleType('derived_case')\n"
        "sys.modules.update(base_case=base, derived_case=derived)\n"
        "exec('''from __future__ import annotations\n"
        "from devs_robotics.study import CaseStudy, Length as Size\n"
        "class Base(CaseStudy):\n"
        "    step: Size = 0.3\n''', vars(base))\n"
        "exec('''from __future__ import annotations\n"
        "from base_case import Base\n"
        "from devs_robotics.study import Angle as Size\n"
        "class Derived(Base):\n"
        "    turn: Size = 0.5\n''', vars(derived))\n"
        "study = derived.Derived(step='30 cm', turn='180 deg')\n"
        "print(study.step, round(study.turn, 3))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "0.3 3.142\n"


def test_pydantic_says_nothing_in_words_of_its_own() -> None:
    from pydantic import ValidationError

    with pytest.raises(ValidationError) as caught:
        Foraging.table.model_validate({"robots": "x", "speed": None, "nothing": 1})
    assert list(sentences_of(caught.value)) == [
        "robots: must be a whole number, not 'x'",
        "speed: must be a number in m/s, such as 0.5 or '20 cm/s', not a NoneType",
        "nothing: there is no such setting",
    ]
