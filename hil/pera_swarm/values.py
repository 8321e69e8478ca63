"""Single values from outside, with the tolerances of the wire: numbers may be texts, and JSON may lack quotes."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

import msgspec

from devs_robotics.core.robots.outside import BOTH, Realities, Reality
from devs_robotics.hil.robot_protocol import UNREADABLE

LARGEST_ID = 2**31 - 1
"""Of robots."""

LONGEST_NUMBER = 40
"""Characters of a number that is written as a text."""

_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)
_BARE = re.compile(rb":\s*([VR])\s*(?=[,}])")

REALITY: dict[str, Reality] = {"R": "real", "V": "virtual"}
"""What the wire calls them."""

LETTER: dict[Reality, str] = {"real": "R", "virtual": "V"}


class WrongError(Exception):
    """What came is no message of the wire; the text is the kind of mistake under which it is counted."""


MALFORMED = "malformed"
NOT_FINITE = "a number that is not finite"
NO_JSON = "no JSON"


def decoded(data: bytes, *, repair: bool = False) -> tuple[Any, bool]:
    """JSON as Python objects; and whether it had to be repaired.

    Args:
        data: from outside
        repair: whether V and R may lack their quotes, as the most common client writes them

    Raises:
        WrongError: it is none
    """
    try:
        return msgspec.json.decode(data), False
    except UNREADABLE:
        pass
    if repair:
        quoted, count = _BARE.subn(rb':"\1"', data)
        if count:
            try:
                return msgspec.json.decode(quoted), True
            except UNREADABLE:
                pass
    raise WrongError(NO_JSON)


def table(value: object) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise WrongError(MALFORMED)
    return value


def number(value: object) -> float:
    """A finite number, or a text of one."""
    if isinstance(value, str):
        if len(value) > LONGEST_NUMBER or not _NUMBER.fullmatch(value):
            raise WrongError(MALFORMED)
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongError(MALFORMED)
    try:
        found = float(value)
    except OverflowError:
        raise WrongError(NOT_FINITE) from None
    if not isfinite(found):
        raise WrongError(NOT_FINITE)
    return found


def robot_id(value: object) -> int:
    """The number of a robot: "70" and 70 are one."""
    found = number(value)
    if not (found.is_integer() and 0 <= found <= LARGEST_ID):
        raise WrongError(MALFORMED)
    return int(found)


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise WrongError(MALFORMED)
    return value


def reality(value: object) -> Reality | None:
    """Of a robot; None where it is not said."""
    if value is None:
        return None
    found = REALITY.get(value) if isinstance(value, str) else None
    if found is None:
        raise WrongError(MALFORMED)
    return found


def sees(value: object) -> Realities | None:
    """Of a question: one letter means one reality, each other word both; None where it is not said."""
    if value is None:
        return None
    one = REALITY.get(text(value))
    return BOTH if one is None else (one,)
