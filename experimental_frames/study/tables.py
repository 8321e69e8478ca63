"""A study as files: one tidy table of all runs, and everything as JSON."""

from __future__ import annotations

import csv
import io
from math import isnan
from typing import Any

import msgspec

from devs_robotics.experimental_frames.study.comparing import QuantityRow
from devs_robotics.experimental_frames.study.records import RunRecord, Study
from devs_robotics.experimental_frames.study.verdict import continuity_holds, models_problem, whole_runs

COLUMNS = ("stage", "seed", "ended", "quantity", "value")


def runs_csv(study: Study) -> str:
    """One row per run and quantity, in SI units as the quantity's name says; empty where it could not be measured."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for run in study.runs:
        for key, value in _values(run).items():
            writer.writerow([run.stage, run.seed, run.ended, key, "" if isnan(value) else repr(value)])
    return buffer.getvalue()


def study_json(study: Study, rows: list[QuantityRow]) -> str:
    """The whole study; a number that does not exist is null."""
    whole: dict[str, Any] = {
        **msgspec.structs.asdict(study),
        "reference": study.reference,
        "comparison": rows,
        "continuity": {
            "holds": continuity_holds(study),
            "whole_runs": whole_runs(study),
            "models_problem": models_problem(study),
        },
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _values(run: RunRecord) -> dict[str, float]:
    """The quantities of a run, and its lateness."""
    late = run.lateness
    if late is None:
        return run.values
    return run.values | {
        "lateness_p50_s": late.p50,
        "lateness_p95_s": late.p95,
        "lateness_p99_s": late.p99,
        "lateness_maximum_s": late.maximum,
    }
