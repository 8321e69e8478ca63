"""What every key of a scenario is: its unit, its default and its meaning, from where it is declared."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise, takewhile
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import FramePart, RealTable, SettingsTable
from devs_robotics.scenarios.settings.units import unit_of_field


class Key(Struct, frozen=True):
    """One key of a scenario's file.

    Attributes:
        key: dotted; ``real.N`` is the table of robot N, ``frame.parts.NAME`` that of a part
        table: in which it stands; empty at the top of the file
        unit: SI unit of a number; empty where it has none
        default: as plain data; None where it is left open
        value: that a scenario has; of robots and parts, by number or name, those that differ from the default
        meaning: in a sentence; empty where its declaration says nothing
        choices: words of which it must be one
    """

    key: str
    table: str
    unit: str
    default: Any
    value: Any
    meaning: str
    choices: tuple[str, ...] = ()


def keys_of(scenario: Scenario) -> list[Key]:
    """Every key of a scenario's case, in the order of the tables."""
    defaults, values = type(scenario)().model_dump(mode="json"), scenario.model_dump(mode="json")
    found: list[Key] = []
    for name, field in type(scenario).model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            found += _table(
                name, table, defaults.get(name, {}), values.get(name, {}), _meanings(_declaring(scenario, name, table))
            )
            if name == "frame":
                found = [key for key in found if key.key != "frame.parts"]
                found += _each("frame.parts.NAME", FramePart, values[name]["parts"])
        elif name == "real":
            found += _each("real.N", RealTable, values[name])
        else:
            meaning = _meanings(type(scenario)).get(name, "")
            found.append(Key(name, "", "", defaults[name], values[name], meaning))
    return found


def meaning_of_table(scenario: Scenario, name: str) -> str:
    """What a table is about: the first line of its class's docstring; the class's name, where it has none."""
    several = {"real.N": RealTable, "frame.parts.NAME": FramePart}
    table = several.get(name) or type(scenario).model_fields[name].annotation
    assert isinstance(table, type)
    own = takewhile(lambda cls: cls is not SettingsTable, table.__mro__)  # whose words are of all tables
    said = next(filter(None, ((cls.__doc__ or "").strip() for cls in own)), table.__name__)
    return said.partition("\n")[0]


def _table(
    name: str, table: type[BaseModel], defaults: Mapping[str, Any], values: Mapping[str, Any], meanings: dict[str, str]
) -> Iterator[Key]:
    for key, field in table.model_fields.items():
        unit, words = unit_of_field(field), meanings.get(key) or field.description or ""
        default = defaults.get(key, None if field.is_required() else field.default)
        if isinstance(default, BaseModel):
            default = default.model_dump()
        yield Key(f"{name}.{key}", name, unit, default, values.get(key, default), words, _choices(field))


def _each(name: str, table: type[BaseModel], given: Mapping[str, Mapping[str, Any]]) -> Iterator[Key]:
    """The keys of tables of which there is one for each robot, or each part."""
    fields = table.model_fields
    defaults = {key: None if field.is_required() else field.get_default() for key, field in fields.items()}
    for key in _table(name, table, defaults, {}, _meanings(table)):
        last = key.key.rpartition(".")[2]
        said = {which: keys.get(last, key.default) for which, keys in given.items()}
        differ = {which: value for which, value in said.items() if value != key.default}
        yield Key(key.key, name, key.unit, key.default, differ, key.meaning, key.choices)


def _declaring(scenario: Scenario, name: str, table: type[BaseModel]) -> type:
    """The class in which a table's keys are declared: the table itself, or the case study."""
    study = getattr(scenario.made_for, "study", None)
    if study is None or name != study.table_name or name in study.schema.model_fields:
        return table
    declaring: type = study
    return declaring


def _choices(field: FieldInfo) -> tuple[str, ...]:
    kind = field.annotation
    return tuple(map(str, get_args(kind))) if get_origin(kind) is Literal else ()


@cache
def _meanings(cls: type) -> dict[str, str]:
    """What stands below the attributes of a class and of its bases, by their names."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        found.update(_literals(each))
    return found


def _literals(cls: type) -> Iterator[tuple[str, str]]:
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError, ValueError):  # a class that stands in no file
        return
    assert isinstance(tree, ast.ClassDef)
    for this, following in pairwise(tree.body):
        if (
            isinstance(this, ast.AnnAssign)
            and isinstance(this.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
            and isinstance(following.value.value, str)
        ):
            yield this.target.id, " ".join(following.value.value.split())
