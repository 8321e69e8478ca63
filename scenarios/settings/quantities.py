"""Quantities in scenario files: SI numbers, or strings with a unit such as ``"60 cm"`` or ``"6 deg"``."""

from __future__ import annotations

import re
from functools import cache, partial
from math import inf, isfinite, radians
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError

_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-zµ°]+(?:\s*/\s*[A-Za-zµ°]+)?)?\s*")
"""A number and a unit, or one unit by another; pint reads only what has this shape, never an expression."""


COMMON: dict[str, dict[str, float]] = {
    "m": {"m": 1.0, "cm": 0.01, "mm": 0.001, "km": 1000.0},
    "rad": {"rad": 1.0, "deg": radians(1.0)},
    "s": {"s": 1.0, "ms": 0.001, "min": 60.0, "h": 3600.0},
    "m/s": {"m/s": 1.0, "cm/s": 0.01, "mm/s": 0.001},
    "rad/s": {"rad/s": 1.0, "deg/s": radians(1.0)},
}
"""By the SI unit: the units that most scenarios need, and what one of them is.

pint, which knows all others, takes a third of a second to load.
"""

READABLE = 1000
"""Bits of an integer that people are shown."""


@cache
def _registry() -> Any:  # pint.UnitRegistry is generic from pint 0.25 on
    import pint  # takes a third of a second, which a scenario without unit strings need not wait for

    return pint.UnitRegistry()


def to_si(value: object, unit: str, example: str) -> float:
    """A number as it is, and a string converted to `unit`; anything else is refused with a sentence."""
    if not isinstance(value, str):
        return to_number(value, unit, f"0.5 or {example!r}")
    number = _parsed(value, unit, example)
    if not isfinite(number):
        raise _refusal(f"must be finite, not {shown(value)}")
    return number


def to_number(value: object, unit: str, example: str) -> float:
    """A number as it is; anything else is refused with a sentence."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _refusal(f"must be a number{f' in {unit}' if unit else ''}, such as {example}, not {shown(value)}")
    try:
        number = float(value)
    except OverflowError:  # an integer beyond all floats
        number = inf
    if not isfinite(number):
        raise _refusal(f"must be finite, not {shown(value)}")
    return number


def _parsed(text: str, unit: str, example: str) -> float:
    parts = _QUANTITY.fullmatch(text)
    if parts is None:
        raise _refusal(f"{shown(text)} cannot be read as a quantity: write one such as {example!r}")
    number, written_unit = parts.groups()
    own = f"{number[:20]} {example.partition(' ')[2]}"
    if written_unit is None:
        raise _refusal(f"{shown(text)} has no unit: write a number in {unit}, or a text such as {own!r}")
    factor = COMMON.get(unit, {}).get(written_unit)
    if factor is not None:
        return float(number) * factor
    import pint

    try:
        return float(_registry().Quantity(float(number), written_unit).to(unit).magnitude)
    except pint.UndefinedUnitError as exc:
        raise _refusal(
            f"{text!r} has the unknown unit {written_unit!r}: write it in {unit} or the like, as in {own!r}"
        ) from exc
    except pint.DimensionalityError as exc:
        raise _refusal(f"{text!r} has the wrong unit: write it in {unit} or the like, as in {own!r}") from exc


def shown(value: object) -> str:
    """A wrong value, short enough for a sentence."""
    if isinstance(value, int) and value.bit_length() > READABLE:  # Python writes down no integer of thousands of digits
        return f"a number of {value.bit_length()} bits"
    if isinstance(value, str | int | float | bool):
        return repr(value) if len(repr(value)) <= 40 else f"{repr(value)[:37]}..."
    return {"tuple": "a list", "dict": "a table"}.get(type(value).__name__, f"a {type(value).__name__}")


def _refusal(sentence: str) -> PydanticCustomError:
    return PydanticCustomError("quantity", "{sentence}", {"sentence": sentence})


Length = Annotated[float, BeforeValidator(partial(to_si, unit="m", example="60 cm"))]
"""A length (m); in scenarios also with a unit, as in "60 cm"."""
Angle = Annotated[float, BeforeValidator(partial(to_si, unit="rad", example="6 deg"))]
"""An angle (rad); in scenarios also with a unit, as in "6 deg"."""
Duration = Annotated[float, BeforeValidator(partial(to_si, unit="s", example="10 min"))]
"""A time (s); in scenarios also with a unit, as in "10 min"."""
Speed = Annotated[float, BeforeValidator(partial(to_si, unit="m/s", example="20 cm/s"))]
"""A speed (m/s); in scenarios also with a unit, as in "20 cm/s"."""
TurnRate = Annotated[float, BeforeValidator(partial(to_si, unit="rad/s", example="90 deg/s"))]
"""A rate of turn (rad/s); in scenarios also with a unit, as in "90 deg/s"."""
Factor = Annotated[float, BeforeValidator(partial(to_number, unit="", example="0.1"))]
"""A number without a unit."""
