"""From a scenario file to a checked scenario, or to every mistake in it."""

from __future__ import annotations

import difflib
import hashlib
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from devs_robotics.scenarios.case import DEFAULT, AnyCase, case_named, case_of, known_here, shipped_cases
from devs_robotics.scenarios.case_study.finding import brought, case_beside, case_in_file
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.settings.checks import check
from devs_robotics.scenarios.settings.problems import Problem, ScenarioError
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.sentences import dotted, either, place_of, sentence_of
from devs_robotics.scenarios.settings.tables import FramePart, RealTable
from devs_robotics.scenarios.settings.toml import NotTomlError, parsed, unbearable, value_of

_logger = logging.getLogger(__name__)

CASES = Path(__file__).parents[1]
"""Each case study has a folder or a module here, with its scenario files."""


def shipped_scenarios() -> dict[str, Path]:
    """The scenario files that come with the project, by the scenarios' names."""
    return {path.stem: path for path in sorted([*CASES.glob("*.toml"), *CASES.glob("*/*.toml")])}


def load(name_or_path: str, settings: Iterable[str] = ()) -> Scenario:
    """Read and check a scenario.

    Args:
        name_or_path: a path of a TOML file, or of a Python file with one case study, whose defaults it means; or the
            name of a scenario or of a case study that ships, or of a case study that an installed package brings; or
            ``module:Class``, of a module that stands in the working folder or can be imported
        settings: ``KEY=VALUE`` texts that override the file's keys

    Raises:
        ScenarioError: with every mistake in the file and the settings
    """
    settings = list(settings)
    source, data, problems = given(name_or_path, settings)
    scenario, found = validate(data)
    if scenario is None or problems:
        wrong = {problem.keys[0] for problem in problems if problem.keys}
        keys = {setting.partition("=")[0].strip() or setting for setting in settings}
        raise ScenarioError(source, [*problems, *(one for one in found if not wrong.intersection(one.keys))], keys)
    return scenario


def read(name_or_path: str, settings: Iterable[str] = ()) -> Scenario:
    """Read a scenario whose keys are not held against each other, and whose case study is not built; see `load`.

    Raises:
        ScenarioError: a key or a value is wrong by itself
    """
    source, data, problems = given(name_or_path, settings)
    try:
        scenario: Scenario = _case(data).scenario.model_validate(tuples(data))
    except (CaseError, ValidationError):
        problems += validate(data)[1]
    if problems:
        raise ScenarioError(source, problems)
    return scenario


def given(name_or_path: str, settings: Iterable[str]) -> tuple[str, dict[str, Any], list[Problem]]:
    """Where plain data comes from, the data with other settings, and which of these cannot be made; see `load`."""
    source, data = _read(name_or_path)
    _logger.debug("%s: a scenario of %s", source, data.get("case", DEFAULT))
    return source, data, [problem for setting in settings if (problem := _override(data, setting)) is not None]


def case_in(name_or_path: str) -> AnyCase:
    """The case study of what `load` reads, whatever its other mistakes.

    Raises:
        ScenarioError: it cannot be read, or names none
    """
    source, data = _read(name_or_path)
    try:
        return _case(data)
    except CaseError as exc:
        raise ScenarioError(source, [Problem(("case",), str(exc))]) from exc


def validate(data: Mapping[str, Any]) -> tuple[Scenario | None, list[Problem]]:
    """A scenario from plain data, or None, and every mistake in it."""
    beyond = list(unbearable(data))
    if beyond:
        return None, beyond
    plain = tuples(data)
    try:
        schema = _case(plain).scenario
    except CaseError as exc:
        return None, [Problem(("case",), str(exc))]
    try:
        scenario = schema.model_validate(plain)
    except ValidationError as exc:
        errors = exc.errors(include_url=False)
        place = {key: number for number, key in enumerate(plain)}
        errors.sort(key=lambda error: place.get(str(error["loc"][0]), len(place)))  # as they stand in the file
        problems = _as_one([_problem(dict(error), schema) for error in errors])
        wrong = {problem.keys[0] for problem in problems}
        rest = _without(plain, [place_of(dict(error)) for error in errors])
        try:  # the keys that are right may still disagree with each other
            scenario = schema.model_validate(rest)
        except ValidationError:
            return None, problems
        problems += [found for found in check(scenario) if not wrong.intersection(found.keys)]
        return None, problems
    problems = check(scenario)
    return (None if problems else scenario), problems


def _case(data: Mapping[str, Any]) -> AnyCase:
    """The case study that plain data names.

    Raises:
        CaseError: there is no such case study
    """
    name = data.get("case", DEFAULT)
    return case_named(name if isinstance(name, str) else DEFAULT)


def restored(text: str) -> Scenario:
    """A scenario that was written as JSON by ``model_dump_json(round_trip=True)``."""
    scenario: Scenario = _case(json.loads(text)).scenario.model_validate_json(text)
    return scenario


def set_keys(settings: Iterable[str]) -> set[str]:
    """The dotted keys that ``KEY=VALUE`` texts give a value, those in tables too."""
    keys: set[str] = set()
    for setting in settings:
        key, _, text = setting.partition("=")
        left = [(key.strip(), value_of(text.strip()))]
        while left:
            name, value = left.pop()
            if isinstance(value, dict) and value:
                left += [(f"{name}.{key}", item) for key, item in value.items()]
            else:
                keys.add(name)
    return keys


def fingerprint(scenario: Scenario) -> str:
    """A hash of all that the scenario says, defaults included, but how it is looked at (SHA-256, hexadecimal)."""
    text = json.dumps(scenario.model_dump(mode="json", exclude={"view"}), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _read(name_or_path: str) -> tuple[str, dict[str, Any]]:
    """A scenario's plain data, and what it came from."""
    path, shipped = Path(name_or_path), shipped_scenarios()
    if not path.is_file():
        path = shipped.get(name_or_path, path)
    try:
        if not path.is_file() and _is_case(name_or_path):
            known = ":" not in name_or_path or name_or_path in known_here
            return name_or_path, {"case": name_or_path if known else case_beside(name_or_path, Path.cwd())}
        if path.suffix == ".py" and path.is_file():
            return str(path), {"case": _newest(case_in_file(path))}
        data = parsed(_text(name_or_path, path))
        ships = path in shipped.values() or path.resolve() in map(Path.resolve, shipped.values())
        if isinstance(data.get("case"), str) and not ships:
            data["case"] = _newest(case_beside(data["case"], path.absolute().parent))
    except NotTomlError as exc:
        raise ScenarioError(str(path), [Problem((), f"this is not valid TOML: {exc}")]) from exc
    except CaseError as exc:
        keys = ("case",) if path.suffix == ".toml" else ()
        raise ScenarioError(str(path), [Problem(keys, str(exc))]) from exc
    return str(path), data


def _newest(case: str) -> str:
    """The same name, which from now on means what is in a file, and no object that was given earlier."""
    known_here.pop(case, None)
    return case


def _is_case(name: str) -> bool:
    """Whether this names a case study: one that ships, one that a package brings, or ``module:Class``."""
    return name in shipped_cases() or name in brought() or (":" in name and "/" not in name)


def _text(name_or_path: str, path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")  # with the mark that some editors put first, or without
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
        return Problem((setting,), "has no value: write --set KEY=VALUE")
    table: Any = data
    *parents, last = key.split(".")
    for parent in parents:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            return Problem((key,), f"there is no such key: {_suggestion(key, _case(data).scenario)}")
    table[last] = value_of(text.strip())
    return None


def _problem(error: Mapping[str, Any], schema: type[Scenario]) -> Problem:
    """One of pydantic's findings in our words."""
    key = dotted(place_of(error))
    if error["type"] == "extra_forbidden":
        return Problem((key,), f"there is no such key: {_suggestion(key, schema)}")
    return Problem((key,), sentence_of(error))


def _as_one(problems: Sequence[Problem]) -> list[Problem]:
    """Problems, those of the same key in one sentence: pydantic tells what each alternative of a union lacks."""
    found: dict[tuple[str, ...], list[str]] = {}
    for problem in problems:
        found.setdefault(problem.keys, []).append(problem.sentence)
    return [Problem(keys, either(sentences)) for keys, sentences in found.items()]


def _suggestion(key: str, schema: type[Scenario]) -> str:
    robot = key.split(".")[1] if key.startswith("real.") and key.count(".") > 1 else "2"
    near = nearest_key(key, [known.replace("real.N.", f"real.{robot}.") for known in known_keys(schema)])
    return f"did you mean {near!r}?" if near else f"remove it; {case_of(schema()).example!r} shows every key"


def nearest_key(key: str, keys: Sequence[str]) -> str:
    """The key that somebody may have meant, out of those that there are; empty where none is near."""
    key, by_key = key.casefold(), {known.casefold(): known for known in keys}
    if key in by_key:
        return by_key[key]
    table, _, last = key.rpartition(".")
    in_tables = [known for known in by_key if "." in known]
    near = [known for known in in_tables if known.rpartition(".")[2] == last]  # the right word in the wrong table
    near = near or [f"{table}.{name}" for name in difflib.get_close_matches(last, _names(table, in_tables), 1, 0.6)]
    near = near or [known for known in by_key if _words(key) <= _words(known)]
    near = near or difflib.get_close_matches(key, list(by_key), 1, 0.6)
    return by_key[near[0]] if near else ""


def _names(table: str, keys: Iterable[str]) -> list[str]:
    """Of the keys of a table."""
    return [name for known in keys for around, _, name in [known.rpartition(".")] if around == table]


def _words(key: str) -> set[str]:
    return set(key.replace(".", "_").split("_"))


def known_keys(schema: type[Scenario] | None = None) -> list[str]:
    """Every key of a case study's scenario, of the usual one if none is given, dotted.

    ``real.N`` is the table of robot N, ``frame.parts.NAME`` that of a part.
    """
    keys = []
    for name, field in (schema or case_named(DEFAULT).scenario).model_fields.items():
        table = field.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            keys += [name, *(f"{name}.{key}" for key in table.model_fields)]
            keys += [f"frame.parts.NAME.{key}" for key in FramePart.model_fields] if name == "frame" else []
        elif name == "real":
            keys += [f"real.N.{key}" for key in RealTable.model_fields]
        else:
            keys.append(name)
    return keys


def tuples(value: Any) -> Any:
    """The same data with every list as a tuple, which is what a frozen scenario holds."""
    if isinstance(value, Mapping):
        return {key: tuples(item) for key, item in value.items()}
    return tuple(tuples(item) for item in value) if isinstance(value, list | tuple) else value


def _without(data: Mapping[str, Any], locations: Iterable[tuple[int | str, ...]]) -> dict[str, Any]:
    """The same data without the keys, in tables and in tables inside, in which something is wrong."""
    kept = _copied(data)
    for table, *keys in locations:
        inside, key = kept, table
        while keys and isinstance(inside.get(key), dict):
            inside, key = inside[key], keys.pop(0)
        inside.pop(key, None)
    return kept


def _copied(data: Mapping[str, Any]) -> dict[Any, Any]:
    return {key: _copied(value) if isinstance(value, Mapping) else value for key, value in data.items()}
