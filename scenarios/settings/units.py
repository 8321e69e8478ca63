"""What a sweep keeps of a scenario's settings for its report: their units, and what they are by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, BeforeValidator
from pydantic.fields import FieldInfo

from devs_robotics.scenarios.case import DEFAULT, case_named


def unit_of(key: str, case: str = DEFAULT) -> str:
    """The SI unit of a case study's dotted key; empty where it has none, and where the schema does not know it."""
    wanted: Any = case_named(case).scenario
    unit = ""
    for name in key.split("."):
        if not (isinstance(wanted, type) and issubclass(wanted, BaseModel) and name in wanted.model_fields):
            return ""
        field = wanted.model_fields[name]
        wanted, unit = field.annotation, unit_of_field(field)
    return unit


def unit_of_field(field: FieldInfo) -> str:
    """The SI unit of a key as it is declared; empty where it has none."""
    validators = [*field.metadata, *_metadata(field.annotation)]
    return next((unit for each in validators if (unit := _unit(each))), "")


def usual_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the settings would be by default, for as many robots and as long.

    Args:
        settings: of a scenario of which nothing is left open, as plain data, of whatever version
    """
    case = case_named(str(settings.get("case", DEFAULT)))
    try:
        same = case.scenario.model_validate(case.usual(settings))
    except ValueError:  # a version in which these meant something else
        same = case.scenario()
    found: dict[str, Any] = case.resolve(same).model_dump(mode="json")
    return found


def _metadata(annotation: Any) -> Iterator[object]:
    """Of what stands in a union, a quantity or nothing for instance."""
    if get_origin(annotation) is Annotated:
        yield from annotation.__metadata__
        return
    if get_origin(annotation) in (tuple, list, dict):
        return
    for part in get_args(annotation):
        yield from _metadata(part)


def _unit(validator: object) -> str:
    if isinstance(validator, BeforeValidator) and isinstance(validator.func, partial):
        return str(validator.func.keywords.get("unit", ""))
    return ""
