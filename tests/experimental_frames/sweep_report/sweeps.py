"""Small sweeps with known numbers, as files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from devs_robotics.experimental_frames.convoy.published import NOISE_SETS
from devs_robotics.experimental_frames.report.settings import settings_rows
from devs_robotics.experimental_frames.sweep import Subject
from devs_robotics.experimental_frames.sweep.subject import OWN
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.convoy.case import CASE
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.settings.units import unit_of, usual_settings

Measured = Callable[[Mapping[str, float | str], int], dict[str, Any]]
"""Metrics, or how it ended, by the point's values and the replicate."""

PAPER = tuple({"noise.dnf": dnf, "noise.anf": anf} for dnf, anf in NOISE_SETS)


def error(values: Mapping[str, float | str], replicate: int) -> dict[str, Any]:
    """E rises with the noise by 10 % from set to set, and by 1 mm a replicate."""
    base = 0.2 * 1.1 ** (PAPER.index(dict(values)) if dict(values) in PAPER else 0)
    return {"error_at_pose_changes_m": base + 0.001 * replicate, "robots_lost": 0, "coherence": "coherent"}


def grid(**values: Sequence[float | str]) -> tuple[dict[str, float | str], ...]:
    """All combinations of the values of some keys; two underscores stand for a point."""
    keys = [key.replace("__", ".") for key in values]
    return tuple(dict(zip(keys, some, strict=True)) for some in product(*values.values()))


def write(
    folder: Path,
    points: Sequence[Mapping[str, float | str]],
    measured: Measured = error,
    *,
    replicates: int = 6,
    settings: Sequence[str] = (),
    title: str | None = None,
    planned: int | None = None,
    subject: Subject | None = None,
    schema: bool = False,
    **design: Any,
) -> Path:
    """Put a sweep into a folder; returns the folder.

    Args:
        folder: is made
        points: settings of each
        measured: of each run
        replicates: runs per point
        settings: ``KEY=VALUE`` texts of the scenario
        title: of the scenario, if it is another one
        planned: runs, if they are not all there
        subject: what was swept, if it is not the convoy
        schema: whether units and usual settings are told
        design: further keys of the design
    """
    folder.mkdir(parents=True)
    resolved = resolve(load("convoy", settings))
    scenario = resolved.model_dump(mode="json")
    subject = CASE.subject(resolved) if subject is None else subject
    keys = list(points[0])
    told = {
        "title": scenario["title"] if title is None else title,
        "scenario": "convoy",
        "scenario_sha256": "abc123",
        "settings": scenario,
        "design": {
            "kind": "factorial",
            "keys": keys,
            "replicates": replicates,
            "first_seed": 1,
            "points": [list(point.values()) for point in points],
            **design,
        },
        "runs": planned or len(points) * replicates,
        "versions": {"devs-robotics": "9.9", "numpy": "8.8"},
        "command": "devs-robotics sweep convoy --vary what",
        "subject": msgspec.to_builtins(subject),
        "usual": usual_settings(scenario) if schema else {},
        "units": {key: unit for key, _ in settings_rows(scenario) if (unit := unit_of(key))} if schema else {},
    }
    (folder / "design.json").write_text(json.dumps(told))
    own = [name for name in measured(points[0], 0) if name.startswith(OWN) and not subject.declares(name)]
    names = [
        "run",
        "point",
        "replicate",
        "seed",
        *keys,
        "ended",
        "reason",
        *(metric.name for metric in subject.metrics),
        *own,
    ]
    with (folder / "runs.csv").open("w", newline="") as table, (folder / "settings.jsonl").open("w") as lines:
        writer = csv.DictWriter(table, names)
        writer.writeheader()
        for number, ((place, point), replicate) in enumerate(product(enumerate(points), range(replicates))):
            row = {"run": number, "point": place, "replicate": replicate, "seed": 1 + replicate, **point}
            writer.writerow({**row, "ended": "accepted", "reason": "all is well", **measured(point, replicate)})
            command = f"devs-robotics run convoy --seed {1 + replicate}"
            lines.write(json.dumps({"run": number, "command": command, "scenario": scenario}) + "\n")
    return folder
