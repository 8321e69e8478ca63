"""What pydantic finds wrong with settings, in sentences of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from devs_robotics.scenarios.settings.quantities import shown

_SENTENCES = {
    "quantity": "{sentence}",
    "missing": "is missing: add it",
    "int_type": "must be a whole number, not {given}",
    "string_pattern_mismatch": "is no robot: write [real.N] with the number of a robot, from 1",
    "literal_error": "must be {expected}, not {given}",
    "bool_type": "must be true or false, not {given}",
    "string_type": "must be a text, not {given}",
    "tuple_type": "must be a list, not {given}",
    "dict_type": "must be a table, not {given}",
    "model_type": "must be a table, not {given}",
    "model_attributes_type": "must be a table, not {given}",
    "too_short": "must have at least {min_length} entries, not {actual_length}",
    "too_long": "must have at most {max_length} entries, not {actual_length}",
    "greater_than": "must be more than {gt}, not {given}",
    "greater_than_equal": "must be at least {ge}, not {given}",
    "less_than": "must be less than {lt}, not {given}",
    "less_than_equal": "must be at most {le}, not {given}",
    "union_tag_invalid": "must have a shape out of {expected_tags}, not '{tag}'",
    "union_tag_not_found": "says no shape: add shape = 'box', 'circle' or 'polygon'",
}
"""By pydantic's name of a mistake."""


def sentence_of(error: Mapping[str, Any]) -> str:
    """One of pydantic's findings, without the key that it is about."""
    sentence = _SENTENCES.get(error["type"], "{msg}, not {given}")
    bounds = {name: f"{value:g}" if isinstance(value, float) else value for name, value in error.get("ctx", {}).items()}
    return sentence.format(given=shown(error["input"]), msg=error["msg"], **bounds)


def sentences_of(exc: ValidationError) -> Iterator[str]:
    """All that pydantic found, each with its key."""
    found: dict[str, list[str]] = {}
    for error in exc.errors(include_url=False):
        what = "there is no such setting" if error["type"] == "extra_forbidden" else sentence_of(dict(error))
        found.setdefault(dotted(place_of(dict(error))), []).append(what)
    for key, sentences in found.items():
        yield f"{key}: {either(sentences)}"


_ALTERNATIVES = {"bool", "float", "int", "str"}
"""How pydantic calls plain types of which a value may be one; others have their parts in brackets."""


def place_of(error: Mapping[str, Any]) -> tuple[int | str, ...]:
    """Where pydantic found it, without the alternative of a union that it tried: that is no key of anybody's."""
    loc: tuple[int | str, ...] = error["loc"]
    last = loc[-1] if len(loc) > 1 and error["type"] != "extra_forbidden" else None
    alternative = isinstance(last, str) and (last in _ALTERNATIVES or (last[:1] != "[" and last.endswith("]")))
    return loc[:-1] if alternative else loc


def either(sentences: Sequence[str]) -> str:
    """What is wrong with one value, one sentence for each alternative that it might have been."""
    return "; or it ".join(dict.fromkeys(sentences))


def dotted(loc: tuple[int | str, ...]) -> str:
    """Where pydantic found it, as people write it."""
    text = ""
    for part in loc:
        if part == "[key]":  # pydantic's word for a key that is itself wrong
            continue
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
