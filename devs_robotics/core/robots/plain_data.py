"""Messages as plain data, which wires carry for equipment of anybody's: flat, bounded, and checked strictly."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, inspect

Value: TypeAlias = bool | int | float | str | list[float]
PlainData: TypeAlias = dict[str, Value]
"""A question or an answer: the values of its fields, by their names."""

LONGEST_NAME = 32
"""Largest length of a name of equipment, or of a field (characters); a longer one is refused."""

MOST_FIELDS = 16
"""Largest number of fields of a question or an answer; one with more is refused."""

LONGEST_TEXT = 64
"""Largest length of a text in a field (characters); a longer one is refused."""

MOST_NUMBERS = 32
"""Largest number of numbers in a field that is a list; one with more is refused."""


class UnfitError(Exception):
    """Plain data is no message of a type; its text says why."""


def plain(message: Struct) -> PlainData:
    """A message as plain data."""
    data = msgspec.to_builtins(message)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}


def typed(data: object, kind: type[Struct]) -> Struct:
    """The message of a type that plain data is.

    Raises:
        UnfitError: it is none: a field is missing, is of another type, or is not known
    """
    try:
        message = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        wrong = str(error)  # which repeats what came in one case only; there are as many sentences as a type has fields
        raise UnfitError("a value that it cannot have" if "enum value" in wrong else wrong) from None
    if isinstance(data, dict) and None in data.values():
        raise UnfitError("a value is null: leave the field out")
    known = {field.encode_name for field in msgspec.structs.fields(kind)}
    if isinstance(data, dict) and not known.issuperset(data):
        raise UnfitError("it has fields that are not known")
    return message


def why_not_plain(name: str, *kinds: Any) -> str:
    """Why equipment of a name, asked and answering by messages of these types, cannot be real; empty if it can."""
    if len(name) > LONGEST_NAME:
        return f"its name has more than {LONGEST_NAME} characters: give it a shorter one"
    return next((why for kind in kinds if (why := _why_not(kind))), "")


@cache
def _why_not(kind: Any) -> str:
    if not (isinstance(kind, type) and issubclass(kind, Struct)):
        return f"{getattr(kind, '__name__', kind)} is no msgspec.Struct: write one class for all that is said"
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    if found.array_like or found.tag is not None:
        return f"{kind.__name__} has options that wires do not carry: leave out array_like and tag"
    if len(found.fields) > MOST_FIELDS:
        return f"{kind.__name__} has more than {MOST_FIELDS} fields: leave some out"
    for field in found.fields:
        if len(field.encode_name) > LONGEST_NAME:
            return f"{kind.__name__}.{field.name} has more than {LONGEST_NAME} characters: give it a shorter name"
        if not _is_plain(_said(kind, field)):
            return (
                f"{kind.__name__}.{field.name} is neither a truth value, a number, a text nor a tuple of numbers: "
                "let it be one"
            )
    return ""


def _said(kind: type[Struct], field: inspect.Field) -> inspect.Type:
    """The type of a field where it is said: one that is None by default, and then left out, is never null on a wire."""
    if isinstance(field.type, inspect.UnionType) and field.default is None and kind.__struct_config__.omit_defaults:
        return inspect.UnionType(tuple(each for each in field.type.types if not isinstance(each, inspect.NoneType)))
    return field.type


def _is_plain(field: inspect.Type) -> bool:
    match field:
        case inspect.BoolType() | inspect.IntType() | inspect.FloatType() | inspect.StrType() | inspect.LiteralType():
            return True
        case inspect.VarTupleType(item_type=item):
            return isinstance(item, inspect.IntType | inspect.FloatType)
        case inspect.UnionType(types=types):
            return all(map(_is_plain, types))
    return False
