"""From a scenario file to a checked scenario, or to every mistake in it."""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from pydantic import BaseModel, ValidationError

from devs_robotics import DevsRoboticsError
from scenarios.checks import check
from scenarios.quantities import shown
from scenarios.schema import Scenario

SHIPPED = Path(__file__).parent


class Problem(Struct, frozen=True):
    """One mistake in a scenario.

    Attributes:
        keys: the keys it is about, dotted: the first one is where to mend it
        sentence: what is wrong and what to do
    """

    keys: tuple[str, ...]
    sentence: str

    def __str__(self) -> str:
        return f"{self.keys[0]}: {self.sentence}" if self.keys else self.sentence


class ScenarioError(DevsRoboticsError):
    """A scenario cannot be run; `problems` holds every mistake that was found."""

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{source}: {problem}" for problem in self.problems))


def shipped_scenarios() -> list[str]:
    """The names of the scenarios that come with the project."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load(name_or_path: str, settings: Iterable[str] = ()) -> Scenario:
    """Read and check a scenario.

    Args:
        name_or_path: a shipped scenario's name, or a path
        settings: ``KEY=VALUE`` texts that override the file's keys

    Raises:
        ScenarioError: with every mistake in the file and the settings
    """
    source, text = _read(name_or_path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as exc:
        raise ScenarioError(source, [Problem((), f"this is not valid TOML: {exc}")]) from exc
    problems = [problem for setting in settings if (problem := _override(data, setting)) is not None]
    scenario, found = validate(data)
    problems += [problem for problem in found if problem.keys not in [known.keys for known in problems]]
    if scenario is None or problems:
        raise ScenarioError(source, problems)
    return scenario


def validate(data: Mapping[str, Any]) -> tuple[Scenario | None, list[Problem]]:
    """A scenario from plain data, or None, and every mistake in it."""
    plain = _tuples(data)
    try:
        scenario = Scenario.model_validate(plain)
    except ValidationError as exc:
        problems = [_problem(error) for error in exc.errors(include_url=False)]
        wrong = {problem.keys[0] for problem in problems}
        rest = _without(plain, [error["loc"] for error in exc.errors(include_url=False)])
        try:  # the keys that are right may still disagree with each other
            scenario = Scenario.model_validate(rest)
        except ValidationError:
            return None, problems
        problems += [found for found in _consistency(scenario) if not wrong.intersection(found.keys)]
        return None, problems
    problems = _consistency(scenario)
    return (None if problems else scenario), problems


def _consistency(scenario: Scenario) -> list[Problem]:
    return [Problem(keys, sentence) for keys, sentence in check(scenario)]


def fingerprint(scenario: Scenario) -> str:
    """A hash of all that the scenario says, defaults included (SHA-256, hexadecimal)."""
    text = json.dumps(scenario.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _read(name_or_path: str) -> tuple[str, str]:
    path = Path(name_or_path)
    if name_or_path in shipped_scenarios() and not path.is_file():
        path = SHIPPED / f"{name_or_path}.toml"
    try:
        return str(path), path.read_text(encoding="utf-8")
    except FileNotFoundError:
        near = difflib.get_close_matches(name_or_path, shipped_scenarios(), 1, 0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"give a path, or one of {', '.join(shipped_scenarios())}"
        raise ScenarioError(name_or_path, [Problem((), f"there is no such file or shipped scenario: {hint}")]) from None
    except UnicodeDecodeError as exc:
        raise ScenarioError(str(path), [Problem((), "this is not a text file in UTF-8: save it as UTF-8")]) from exc
    except OSError as exc:
        raise ScenarioError(str(path), [Problem((), f"it cannot be read ({exc.strerror}): check the path")]) from exc


def _override(data: dict[str, Any], setting: str) -> Problem | None:
    key, equals, text = setting.partition("=")
    key = key.strip()
    if not equals or not key:
        return Problem((), f"--set {setting!r} has no value: write --set KEY=VALUE")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()  # a text needs no quotes here
    table = data
    *parents, last = key.split(".")
    for parent in parents:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            return Problem((key,), f"{parent!r} is no table: {_suggestion(key)}")
    table[last] = value
    return None


def _problem(error: Any) -> Problem:
    key = _dotted(error["loc"])
    given, ctx, kind = error["input"], error.get("ctx", {}), error["type"]
    if kind == "extra_forbidden":
        return Problem((key,), f"there is no such key: {_suggestion(key)}")
    sentences = {
        "quantity": lambda: str(ctx["sentence"]),
        "missing": lambda: "is missing: add it",
        "int_type": lambda: f"must be a whole number, not {shown(given)}",
        "string_type": lambda: f"must be a text, not {shown(given)}",
        "tuple_type": lambda: f"must be a list, not {shown(given)}",
        "model_type": lambda: f"must be a table, not {shown(given)}",
        "model_attributes_type": lambda: f"must be a table, not {shown(given)}",
        "too_short": lambda: f"must have at least {ctx['min_length']} entries, not {ctx['actual_length']}",
        "too_long": lambda: f"must have at most {ctx['max_length']} entries, not {ctx['actual_length']}",
        "greater_than": lambda: f"must be more than {ctx['gt']:g}, not {shown(given)}",
        "greater_than_equal": lambda: f"must be at least {ctx['ge']:g}, not {shown(given)}",
        "less_than": lambda: f"must be less than {ctx['lt']:g}, not {shown(given)}",
        "union_tag_invalid": lambda: f"the shape must be one of {ctx['expected_tags']}, not {ctx['tag']!r}",
        "union_tag_not_found": lambda: "says no shape: add shape = 'box', 'circle' or 'polygon'",
    }
    return Problem((key,), sentences.get(kind, lambda: f"{error['msg']}, not {shown(given)}")())


def _suggestion(key: str) -> str:
    keys = known_keys()
    near = difflib.get_close_matches(key, keys, 1, 0.6)
    if not near:  # the right word in the wrong table
        last = key.rsplit(".", 1)[-1]
        near = [known for known in keys if known.rsplit(".", 1)[-1] == last]
    return f"did you mean {near[0]!r}?" if near else "remove it; 'convoy.toml' shows every key"


def known_keys() -> list[str]:
    """Every key of a scenario, dotted."""
    keys = []
    for name, field in Scenario.model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            keys += [name, *(f"{name}.{key}" for key in table.model_fields)]
        else:
            keys.append(name)
    return keys


def _dotted(loc: tuple[int | str, ...]) -> str:
    text = ""
    for part in loc:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _tuples(value: Any) -> Any:
    """The same data with every list as a tuple, which is what a frozen scenario holds."""
    if isinstance(value, Mapping):
        return {key: _tuples(item) for key, item in value.items()}
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


def _without(data: Mapping[str, Any], locations: Iterable[tuple[int | str, ...]]) -> dict[str, Any]:
    """The same data without the tables' keys in which something is wrong."""
    kept = {table: dict(keys) if isinstance(keys, Mapping) else keys for table, keys in data.items()}
    for table, *key in locations:
        if key and isinstance(kept.get(str(table)), dict):
            kept[str(table)].pop(key[0], None)
        else:
            kept.pop(str(table), None)
    return kept
