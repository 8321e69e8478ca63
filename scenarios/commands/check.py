"""``devs-robotics check``: finds the mistakes in a scenario, and shows the keys that it may have."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from devs_robotics.scenarios.commands.arguments import add_common_settings, add_scenario, add_summary
from devs_robotics.scenarios.commands.display import show_json
from devs_robotics.scenarios.commands.exit_status import FAILED, RAN

if TYPE_CHECKING:
    from devs_robotics.scenarios.settings.keys import Key
    from devs_robotics.scenarios.settings.schema import Scenario

SUMMARY = "show every mistake in a scenario, each with its key and the remedy"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    add_scenario(parser)
    add_common_settings(parser)
    parser.add_argument(
        "--keys",
        action="store_true",
        help="show every key that it may have, with its default, unit and meaning, and its value where that differs",
    )
    add_summary(parser)


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Show all keys, if that is wished, and all mistakes, or that there are none; returns the exit status."""
    from msgspec import to_builtins

    from devs_robotics.scenarios.case import case_of, resolve
    from devs_robotics.scenarios.settings.loading import case_in, fingerprint, load
    from devs_robotics.scenarios.settings.problems import ScenarioError

    found: dict[str, Any] = {"scenario": options.scenario}
    plain: Scenario | None = None
    try:
        plain = case_in(options.scenario).scenario() if options.keys else None
        scenario = load(options.scenario, options.settings)
    except ScenarioError as exc:
        if plain is not None:
            found["keys"] = _show_keys(plain, show)
        show("\n".join(exc.lines))
        show(f"{len(exc.lines)} mistake{'s' if len(exc.lines) > 1 else ''}")
        found |= {"scenario": exc.source, "mistakes": [to_builtins(problem) for problem in exc.problems]}
    else:
        if options.keys:
            found["keys"] = _show_keys(scenario, show)
        notes = list(case_of(scenario).notes(scenario))
        found |= {"mistakes": [], "notes": notes, "scenario_sha256": fingerprint(resolve(scenario))}
        for note in notes:
            show(f"note: {note}")
        show(f"{options.scenario}: no mistakes (scenario {found['scenario_sha256'][:12]})")
    if options.json:
        show_json(found)
    return FAILED if found["mistakes"] else RAN


def _show_keys(scenario: Scenario, show: Callable[[str], None]) -> list[dict[str, Any]]:
    """Show the keys by their tables, to be read; returns them as plain data."""
    from msgspec import to_builtins

    from devs_robotics.scenarios.settings.keys import keys_of, meaning_of_table

    keys = keys_of(scenario)
    for table, group in groupby(keys, lambda key: key.table):
        if table:
            show(f"[{table}]  {meaning_of_table(scenario, table)}".rstrip())
        show("\n".join(_lines(list(group))))
        show("")
    found: list[dict[str, Any]] = to_builtins(keys)
    return found


def _lines(keys: list[Key]) -> Iterator[str]:
    width = max(len(key.key) for key in keys)
    values = {key.key: _default(key) for key in keys}
    room = min(ROOM, max(map(len, values.values())))
    for key in keys:
        yield f"  {key.key:<{width}}  {values[key.key]:<{room}}  {_meaning(key)}".rstrip()


ROOM = 24
"""Width of the column of defaults, in which longer ones find no place (characters)."""


def _default(key: Key) -> str:
    """The default, and what the scenario has instead of it."""
    default = _written(key.default, key.unit)
    if ".N." in key.key or ".NAME." in key.key:
        others = ", ".join(f"{_written(value, key.unit)} for {which}" for which, value in key.value.items())
        return f"{default} (here {others})" if others else default
    return default if key.value == key.default else f"{default} (here {_written(key.value, key.unit)})"


def _meaning(key: Key) -> str:
    meaning = key.meaning.replace(f" ({key.unit})", "") if key.unit else key.meaning
    told = all(choice in meaning for choice in key.choices)
    return meaning if told else f"{meaning} One of {', '.join(key.choices)}."


def _written(value: Any, unit: str) -> str:
    """A value as a scenario's file has it, but for quantities, which are numbers with their unit."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g} {unit}".rstrip()
    if isinstance(value, list) and value and all(isinstance(each, float) for each in value):
        return f"[{', '.join(f'{each:.6g}' for each in value)}]"
    return json.dumps(value, ensure_ascii=False)
