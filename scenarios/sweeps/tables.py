"""The files that a sweep comes to: a tidy table, one row per run, and the settings of each run."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from devs_robotics.core.files import write_atomically
from devs_robotics.experimental_frames.report.settings import settings_rows
from devs_robotics.experimental_frames.sweep import Value
from devs_robotics.experimental_frames.sweep.writing import SweepTable, csv_text, parquet
from devs_robotics.scenarios.case import case_of, resolve
from devs_robotics.scenarios.running.results import OutputError, unwritable
from devs_robotics.scenarios.settings.loading import fingerprint
from devs_robotics.scenarios.settings.units import unit_of, usual_settings
from devs_robotics.scenarios.sweeps.design import SweepPlan, seeded
from devs_robotics.scenarios.sweeps.runs import RunRow, command, place

FORMAT = 3
"""Of ``design.json``."""


def description(sweep: SweepPlan) -> dict[str, Any]:
    """What a sweep is, as ``design.json`` says it; a report needs to know nothing else of the case."""
    settings = sweep.scenario.model_dump(mode="json")
    return {
        "format": FORMAT,
        "title": sweep.scenario.title,
        "scenario": sweep.source,
        "scenario_sha256": fingerprint(sweep.scenario),
        "settings": settings,
        "usual": usual_settings(settings),
        "units": {key: unit for key, _ in settings_rows(settings) if (unit := unit_of(key, sweep.scenario.case))},
        "subject": msgspec.to_builtins(case_of(sweep.scenario).subject(sweep.scenario)),
        "design": msgspec.to_builtins(sweep.design),
        "runs": sweep.runs,
        "versions": sweep.software.versions,
        "sources": sweep.software.sources,
        "command": sweep.command,
    }


def write(out: Path, sweep: SweepPlan, rows: Mapping[int, RunRow]) -> list[Path]:
    """Write the table of the runs that are done and the settings of all; returns the paths, the table's first.

    The table is ``runs.csv``, and ``runs.parquet`` too where pyarrow is installed.

    Raises:
        OutputError: a file cannot be written; those before it are whole
    """
    columns = table(sweep, rows)
    contents: dict[str, Callable[[], str | bytes]] = {
        "runs.csv": lambda: csv_text(columns),
        "settings.jsonl": lambda: settings_text(sweep),
    }
    if find_spec("pyarrow") is not None:
        contents["runs.parquet"] = lambda: parquet(columns)
    paths = []
    for name, content in contents.items():
        paths.append(out / name)
        try:
            write_atomically(paths[-1], content())
        except OSError as exc:
            raise OutputError(unwritable(paths[-1], exc)) from exc
    return paths


def table(sweep: SweepPlan, rows: Mapping[int, RunRow]) -> SweepTable:
    """The rows in the order of their runs; metrics that only some frames of the user's have come last."""
    ordered = [rows[number] for number in sorted(rows)]
    columns: SweepTable = {
        "run": [*sorted(rows)],
        "point": [row.point for row in ordered],
        "replicate": [row.replicate for row in ordered],
        "seed": [row.seed for row in ordered],
    }
    for index, key in enumerate(sweep.design.keys):
        columns[key] = [sweep.points[row.point].values[index] for row in ordered]
    columns["ended"] = [row.ended for row in ordered]
    columns["reason"] = [row.reason for row in ordered]
    names = dict.fromkeys([metric.name for metric in case_of(sweep.scenario).declared(sweep.scenario)])
    for row in ordered:
        names |= dict.fromkeys(row.metrics)
    for name in names:
        columns[name] = [_or_missing(row.metrics.get(name)) for row in ordered]
    return columns


def settings_text(sweep: SweepPlan) -> str:
    """The resolved scenario of each run and a command that repeats it, one JSON object per line."""
    return "".join(f"{_settings(sweep, number)}\n" for number in range(sweep.runs))


def _settings(sweep: SweepPlan, number: int) -> str:
    point, seed = place(sweep, number)
    return json.dumps(
        {
            "run": number,
            "point": number // sweep.design.replicates,
            "replicate": number % sweep.design.replicates,
            "seed": seed,
            "command": command(sweep, number),
            "scenario": resolve(seeded(point.scenario, seed)).model_dump(mode="json"),
        }
    )


def _or_missing(value: Value) -> Value:
    return None if value == "" else value
