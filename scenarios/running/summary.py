"""What came of a run as plain data, for ``summary.json`` and for programs."""

from __future__ import annotations

from math import isnan
from typing import Any

import msgspec

from devs_robotics.experimental_frames.frame import Result
from devs_robotics.experimental_frames.instruments.localisation import measure_localisation
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.versions import versions
from devs_robotics.scenarios.settings.loading import fingerprint


def summary(outcome: AnyOutcome) -> dict[str, Any]:
    """All but the measurements themselves."""
    return {
        "scenario": outcome.scenario.model_dump(mode="json"),
        "scenario_sha256": fingerprint(outcome.scenario),
        "seed": outcome.scenario.run.seed,
        "stage": outcome.stage,
        "versions": versions(),
        "outcome": outcome.ended,
        "reason": outcome.reason,
        "simulated_s": outcome.end_s,
        "events": {
            "steps": outcome.steps,
            "transitions": outcome.transitions,
            **case_of(outcome.scenario).events(outcome),
        },
        "cpu_s": outcome.cpu_s,
        "wall_s": outcome.wall_s,
        **_real_time(outcome),
        **_localised(outcome),
        **case_of(outcome.scenario).summary(outcome),
        **({"frames": outcome.frames} if outcome.frames else {}),
    }


def results_in_words(outcome: AnyOutcome) -> list[tuple[str, str, str]]:
    """Title, value and unit of each result of the frame's parts: as they were declared, or by their names."""
    rows = []
    for name, results in outcome.frames.items():
        for key, value in results.items():
            metric = outcome.declared.get(f"frames.{name}.{key}")
            if metric is None or isinstance(value, str):
                rows.append((f"{name}.{key}" if metric is None else metric.title, _plain(value), ""))
            else:
                rows.append((metric.title, *(("-", "") if isnan(value) else (metric.text(value), metric.unit))))
    return rows


def _plain(value: Result) -> str:
    return value if isinstance(value, str) else "-" if isnan(value) else f"{value:z.6g}"


def _real_time(outcome: AnyOutcome) -> dict[str, Any]:
    """What there is to say of a stage on a wall clock only."""
    if outcome.timing is None:
        return {}
    clock = outcome.scenario.clock
    return {
        "clock": {
            "rate": outcome.rate,
            "late": clock.late,
            "max_lateness_s": clock.max_lateness,
            "held_up_s": outcome.held_up_s,
            "lateness": msgspec.to_builtins(outcome.timing.distribution()),
        },
        "robots": {str(number): msgspec.to_builtins(robot) for number, robot in outcome.robots.items()},
        "dropped": outcome.dropped,
        "nodes": {name: msgspec.to_builtins(node) for name, node in outcome.nodes.items()},
    }


def _localised(outcome: AnyOutcome) -> dict[str, Any]:
    """How well it was known where real robots were."""
    if outcome.localisation is None:
        return {}
    measured = measure_localisation(outcome.localisation)
    told: dict[str, Any] = {
        "localisation": {str(number): msgspec.to_builtins(errors) for number, errors in measured.items()}
    }
    if outcome.localisation.losses:
        told["lost"] = {str(number): times for number, times in sorted(outcome.localisation.losses.items())}
    return told
