"""What the report of a run is told of its settings: their units, their defaults, and a command that runs them again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from devs_robotics.experimental_frames.report.settings import Provenance
from devs_robotics.scenarios.case import DEFAULT, case_named, resolve
from devs_robotics.scenarios.running.outcome import Outcome
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.units import unit_of, usual_settings


def provenance(outcome: Outcome) -> Provenance:
    """Of the settings of a run."""
    settings = outcome.scenario.model_dump(mode="json")
    usual = _usual(settings)
    known = dict(_flat(usual))
    changed = [
        f"{key}={toml(value)}" for key, value in _flat(settings) if value is not None and value != known.get(key)
    ]
    return Provenance(_command(outcome, changed), unit_of, usual)


def _usual(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings by default: those that follow from others, poses for instance, from those that were given."""
    given = case_named(DEFAULT).usual(settings)
    plain = resolve(Scenario()).model_dump(mode="json")
    usual = {**usual_settings(settings), "title": load(DEFAULT).title}
    for table, keys in given.items():
        usual[table] = {**usual[table], **{key: plain[table][key] for key in keys}}
    return usual


def _command(outcome: Outcome, settings: list[str]) -> str:
    words = ["devs-robotics", "run", DEFAULT, "--stage", outcome.stage]
    if isfinite(outcome.rate) and outcome.rate != outcome.scenario.clock.rate:
        words += ["--rate", f"{outcome.rate!r}"]
    for setting in settings:
        words += ["--set", setting]
    return shlex.join(words)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys with their values."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def toml(value: Any) -> str:
    """A value as TOML has it, in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {toml(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
