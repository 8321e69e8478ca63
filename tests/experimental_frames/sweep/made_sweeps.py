"""Sweeps whose truth is known: rows made from a function instead of runs."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from devs_robotics.experimental_frames.convoy.metrics import METRICS
from devs_robotics.experimental_frames.sweep import Design, Subject
from devs_robotics.experimental_frames.sweep.reading import Row, Sweep

METRIC = "error_at_pose_changes_m"

SUBJECT = Subject(
    metrics=METRICS, team="convoy", size="convoy.robots", lost="robots_lost", cost="cpu_per_robot_round_s"
)
"""A case that is known: the convoy."""

Respond = Callable[[Sequence[float], int], float]
"""A metric from a point's values and the number of the replicate."""


def made_sweep(
    kind: Literal["factorial", "morris", "sobol"],
    keys: Sequence[str],
    points: Sequence[Sequence[float]],
    respond: Respond,
    *,
    replicates: int = 1,
    lost: Callable[[Sequence[float], int], bool] = lambda values, replicate: False,
    metric: str = METRIC,
    bounds: Sequence[tuple[float, float]] = (),
) -> Sweep:
    """A sweep of which each run's metric is what a function says; in those that lose a robot there is one, too."""
    rows: list[Row] = []
    for point, values in enumerate(points):
        for replicate in range(replicates):
            broken = lost(values, replicate)
            rows.append(
                {
                    "run": float(len(rows)),
                    "point": float(point),
                    "replicate": float(replicate),
                    "seed": float(1 + replicate),
                    **dict(zip(keys, map(float, values), strict=True)),
                    "ended": "rejected" if broken else "accepted",
                    "reason": "",
                    metric: respond(values, replicate),
                    "robots_lost": float(broken),
                }
            )
    design = Design(
        kind=kind,
        keys=tuple(keys),
        points=tuple(tuple(map(float, values)) for values in points),
        replicates=replicates,
        first_seed=1,
        bounds=tuple(bounds),
        levels=4 if kind == "morris" else None,
    )
    return Sweep(design, SUBJECT, tuple(rows))


def write(sweep: Sweep, folder: Path) -> None:
    """The files of a sweep."""
    with (folder / "runs.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, list(sweep.rows[0]))
        table.writeheader()
        table.writerows(sweep.rows)
    (folder / "design.json").write_bytes(msgspec.json.encode({"design": sweep.design, "subject": sweep.subject}))
