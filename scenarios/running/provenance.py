"""What the report of a run is told of its settings: their units, their defaults, and a command that runs them again."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any

from devs_robotics import DevsRoboticsError
from devs_robotics.experimental_frames.report.settings import Provenance
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.command_line import command_line
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.settings.loading import fingerprint, read
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.units import unit_of


def provenance(outcome: AnyOutcome) -> Provenance:
    """Of the settings of a run; there is no command where none runs the same."""
    source, settings = outcome.scenario.case, _flat(outcome.scenario)
    usual = _flat(read(source))
    left_open = {key for key, value in usual.items() if value is None}
    followed = _resolved(source, _changed(settings, usual, left_open))
    if followed is not None:  # what follows from other settings, a team's poses for instance, is not given again
        usual |= {key: value for key, value in _flat(followed).items() if key in left_open}
    given = _changed(settings, usual)
    again = _resolved(source, given)
    same = again is not None and fingerprint(again) == fingerprint(outcome.scenario)
    return Provenance(
        _command(outcome, source, given) if same else "", partial(unit_of, case=source), usual, outcome.recording
    )


def _changed(settings: Mapping[str, Any], usual: Mapping[str, Any], left_open: Collection[str] = ()) -> list[str]:
    """``KEY=VALUE`` of settings that are not as usual."""
    return [
        f"{key}={toml(value)}"
        for key, value in settings.items()
        if value is not None and key not in left_open and value != usual.get(key)
    ]


def _resolved(source: str, settings: Sequence[str]) -> Scenario | None:
    """A scenario with nothing left open; None if its settings cannot be together."""
    try:
        return resolve(read(source, settings))
    except DevsRoboticsError:
        return None


def _command(outcome: AnyOutcome, source: str, settings: Sequence[str]) -> str:
    words = ["devs-robotics", "run", source, "--stage", outcome.stage]
    if isfinite(outcome.rate) and outcome.rate != outcome.scenario.clock.rate:
        words += ["--rate", f"{outcome.rate!r}"]
    if outcome.lateness is not None and outcome.lateness.maximum == 0.0:
        words += ["--lab", "inside"]
    for setting in settings:
        words += ["--set", setting]
    return command_line(words)


def _flat(scenario: Scenario) -> dict[str, Any]:
    """Every setting by its dotted key."""
    return dict(_leaves(scenario.model_dump(mode="json")))


def _leaves(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def toml(value: Any) -> str:
    """A value as TOML has it, in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {toml(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return repr(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)
