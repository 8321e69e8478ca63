"""The settings of a scenario on a page: each key with its value, its unit, and what it is by default."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from devs_robotics.experimental_frames.report.markup import code, command, marked
from devs_robotics.experimental_frames.report.sections import Cell, PageTable, Section

LONGEST = 160
"""Characters of a value; of a longer one a page has the beginning."""


class Provenance(Struct, frozen=True):
    """What is known of settings beside their values.

    Attributes:
        command: that runs the same again; empty if there is none
        unit: of a dotted key, an SI unit; empty if it has none
        usual: settings by default, as plain data; empty if they are not known
        recording: name of the file in which the run is recorded; empty if there is none
    """

    command: str = ""
    unit: Callable[[str], str] = lambda key: ""
    usual: Mapping[str, Any] = {}
    recording: str = ""


UNKNOWN = Provenance()


def settings_rows(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Every key of a scenario with its value, dotted."""
    rows: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            rows += settings_rows(value, f"{prefix}{key}.")
        else:
            rows.append((f"{prefix}{key}", f"{value:.6g}" if isinstance(value, float) else json.dumps(value)))
    return rows


def settings_section(scenario: Mapping[str, Any], known: Provenance, note: str) -> Section:
    """All settings, to be seen on request, with the command that runs the same again.

    Args:
        scenario: as plain data
        known: of its settings
        note: under their table
    """
    usual = dict(settings_rows(known.usual))
    rows: list[tuple[Cell, ...]] = []
    for key, text in settings_rows(scenario):
        default = usual.get(key, text)
        unit = known.unit(key)
        other = Cell(code(shortened(default, unit)) if default != text else "")
        rows.append((Cell(code(key)), Cell(code(shortened(text, unit))), *([other] if usual else [])))
    heads = ("key", "value", "default, where it differs") if usual else ("key", "value")
    table = PageTable(heads, tuple(rows), note)
    made = (marked("The same again: {}", command(known.command)),) if known.command else ()
    return Section("Settings and provenance", paragraphs=made, tables=(table,), folded=True)


def shortened(text: str, unit: str = "") -> str:
    """A value with its unit, or its beginning if it is long."""
    if text in ("null", '""'):
        return text
    return f"{text} {unit}".rstrip() if len(text) <= LONGEST else f"{text[:LONGEST]} …"
