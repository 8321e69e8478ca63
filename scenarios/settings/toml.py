"""TOML as people write it, or the sentence that says what is wrong with it."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from devs_robotics.core.texts import is_encodable
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.quantities import shown

DEEPEST = 50
"""So many tables and lists may stand in each other."""

LARGEST_EXPONENT = 1023
"""Of 2: an integer of more bits is beyond all floating-point numbers."""


class NotTomlError(ValueError):
    """A text is no TOML; the message says why and, where that is known, at which line and column."""


def parsed(text: str) -> dict[str, Any]:
    """The tables of a TOML file.

    Raises:
        NotTomlError: it is none, or holds what no scenario can
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotTomlError(f"lists or tables stand more than {DEEPEST} deep in each other: take them apart") from None
    except tomllib.TOMLDecodeError as exc:
        raise NotTomlError(_in_our_words(str(exc), text)) from None
    except ValueError:  # Python reads no integer of so many digits
        digits = sys.get_int_max_str_digits()
        raise NotTomlError(f"a number has more than {digits} digits: write a smaller one") from None


def value_of(text: str) -> Any:
    """What a text means in TOML; a number may begin with its point, and other texts need no quotes."""
    try:
        found = parsed(f"value = {text}")
        if len(found) == 1:
            return found["value"]
    except NotTomlError:
        pass
    if text.strip("+-").isdigit():  # too long to be a number
        return text
    try:
        return float(text)
    except ValueError:
        return text


def unbearable(data: Mapping[str, Any]) -> Iterator[Problem]:
    """What is too deep or too large to be worked with, whatever key it belongs to."""
    left = [(key, value, 1) for key, value in data.items()]
    while left:
        key, value, depth = left.pop()
        if not is_encodable(key):
            yield Problem((key,), "is a key that is no text in UTF-8: write it anew")
        elif depth > DEEPEST:
            yield Problem((key,), f"stands more than {DEEPEST} deep in tables and lists: take it apart")
        elif isinstance(value, Mapping):
            left += [(f"{key}.{name}", item, depth + 1) for name, item in value.items()]
        elif isinstance(value, list | tuple):
            left += [(f"{key}[{place}]", item, depth + 1) for place, item in enumerate(value, 1)]
        elif isinstance(value, str) and not is_encodable(value):
            yield Problem((key,), f"is no text in UTF-8, but {shown(value)}: write it anew")
        elif isinstance(value, int) and value.bit_length() > LARGEST_EXPONENT:
            yield Problem((key,), f"is larger than all numbers here: make it less than 2^{LARGEST_EXPONENT}")


_TWICE = re.compile(
    r"(?:Cannot declare \((?P<table>.*)\) twice|Cannot overwrite a value|Cannot mutate immutable namespace .*|"
    r"Duplicate inline table key .*) \(at (?:line (?P<line>\d+), column \d+|end of document)\)"
)
"""Python's sentences about what is given twice."""


def _in_our_words(sentence: str, text: str) -> str:
    """A sentence of Python's about TOML, with the remedy where Python has none."""
    twice = _TWICE.fullmatch(sentence)
    if twice is None:
        return sentence
    lines = text.rstrip().splitlines()
    line = int(twice["line"] or len(lines))
    table = ".".join(re.findall(r"'([^']*)'", twice["table"] or ""))
    what = f"the table [{table}]" if table else shown(lines[line - 1].strip())
    return f"{what} (line {line}) is given twice: give each table once, with all its keys, and each key once"
