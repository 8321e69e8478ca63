"""What ``--vary``, ``--sobol`` and ``--morris`` are given: keys of a scenario with values or ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from math import isfinite
from typing import Any

from msgspec import Struct
from pydantic import ValidationError

from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.errors import DesignError
from devs_robotics.scenarios.settings.loading import known_keys, validate
from devs_robotics.scenarios.settings.quantities import shown
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.toml import unbearable


class Axis(Struct, frozen=True):
    """Keys that are varied together.

    Attributes:
        keys: dotted
        levels: the values that they take together, as texts in the keys' order
    """

    keys: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]


class Range(Struct, frozen=True):
    """Between which values (SI) a key is sampled, and whether they are whole numbers."""

    key: str
    low: float
    high: float
    whole: bool


def axis(text: str, base: Scenario) -> Axis:
    """What one ``--vary`` means for a scenario: ``KEY=VALUE,...``, or the name of a bundle of its case.

    Raises:
        DevsRoboticsError: it means nothing
    """
    key, values = _parted("--vary", text, "KEY=VALUE,VALUE,...", "noise.dnf=0.04,0.1,0.2")
    bundles = case_of(base).bundles().get(key, {})
    if bundles:
        if values not in bundles:
            near = get_close_matches(values, bundles, 1, 0.5) or list(bundles)
            raise DesignError(
                f"--vary {text}: {key} is a table, and {values!r} no set of values for it: write {key}={near[0]}, "
                f"or vary its keys one by one"
            )
        keys, levels = bundles[values]
        return Axis(keys, tuple(tuple(f"{value:g}" for value in level) for level in levels))
    tables = {known.partition(".")[0] for known in known_keys(type(base)) if "." in known}
    if key in tables:
        own = next(known for known in known_keys(type(base)) if known.startswith(f"{key}."))
        raise DesignError(f"--vary {text}: {key} is a table: vary one of its keys, such as {own}")
    texts = split(values)
    if not all(texts):
        raise DesignError(f"--vary {text}: a value is missing: write --vary {key}=VALUE,VALUE,...")
    return Axis((key,), tuple((each,) for each in texts))


def range_of(option: str, text: str, base: Scenario) -> Range:
    """What a ``KEY=LOW:HIGH`` means for a scenario.

    Raises:
        DevsRoboticsError: it means nothing
    """
    example = f"KEY=LOW:HIGH, for instance {option} noise.dnf=0:0.3"
    key, values = _parted(option, text, "KEY=LOW:HIGH", "noise.dnf=0:0.3")
    low_text, colon, high_text = values.partition(":")
    if not (colon and low_text.strip() and high_text.strip()):
        raise DesignError(f"{option} {text}: {values!r} is no range: write {example}")
    low, high = (_bound(option, text, base, key, each.strip()) for each in (low_text, high_text))
    if not low < high:
        raise DesignError(f"{option} {text}: the range is empty, for {low:g} is not less than {high:g}: swap them")
    return Range(key, low, high, whole=isinstance(low, int) and isinstance(high, int))


def refuse_keys(option: str, keys: Sequence[str], fixed: Iterable[str]) -> None:
    """See that no key is varied twice, or is set as well, or is the seed.

    Raises:
        DevsRoboticsError: one is
    """
    for key in keys:
        if keys.count(key) > 1:
            raise DesignError(f"{option} names {key} twice: name it once")
        if key in fixed:
            raise DesignError(f"{key} is both set, by --set, and varied, by {option}: choose one")
        if key == "run.seed":
            raise DesignError(
                f"{option}: run.seed is what replicates differ in: use --replicates, and --seed for the first one"
            )


def value_at(data: Mapping[str, Any], key: str) -> Any:
    """What plain data has at a dotted key; None where there is nothing."""
    found: Any = data
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def value_of(scenario: Scenario, key: str) -> Any:
    """What a scenario has at a dotted key, as plain data; None where there is nothing.

    Keys that are left out of its plain data, since they have their defaults, are found, too.
    """
    found: Any = value_at(scenario.model_dump(mode="json"), key)
    if found is None:
        found = scenario
        for part in key.split("."):
            found = found.get(part) if isinstance(found, Mapping) else getattr(found, part, None)
    return found


def split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets and no quotes."""
    parts, depth, quote = [""], 0, ""
    for sign in text:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        else:
            depth += (sign in "[{") - (sign in "]}")
        if sign == "," and not quote and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def _parted(option: str, text: str, form: str, example: str) -> tuple[str, str]:
    key, equals, values = (part.strip() for part in text.partition("="))
    if not (key and equals and values):
        raise DesignError(f"{option} {text!r} says no values: write {option} {form}, for instance {example}")
    return key, values


def _bound(option: str, text: str, base: Scenario, key: str, value: str) -> float:
    """A bound in SI; what it may be together with other keys is seen at the points."""
    data = base.model_dump()
    table: Any = data
    *parents, last = key.split(".")
    for parent in parents:
        table = table.setdefault(parent, {}) if isinstance(table, dict) else {}
    if isinstance(table, dict):
        table[last] = _number(value)
    too_much = next(unbearable(data), None)
    if too_much is not None:
        raise DesignError(f"{option} {shown(text)}: {too_much}")
    try:
        found = value_of(type(base).model_validate(data), key)
    except ValidationError:
        problems = validate(data)[1]
        problem = next((each for each in problems if key in each.keys), problems[0])
        raise DesignError(f"{option} {text}: {problem}") from None
    if isinstance(found, bool) or not isinstance(found, int | float) or not isfinite(found):
        raise DesignError(f"{option} {text}: {key} is no number: vary it with --vary {key}=VALUE,VALUE,...")
    number: float = found
    return number


def _number(text: str) -> int | float | str:
    """A number, or a text that may be a quantity."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
