"""What a run has measured over time, as plots of it need it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from devs_robotics.experimental_frames.frame import Experiment, metrics_of
from devs_robotics.experimental_frames.frame.frame import WHO
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.frame.series_reading import TIME
from devs_robotics.experimental_frames.report.thinning import thinned
from devs_robotics.view.replay import Series

MOST = 2000
"""Number of points of a series that are kept: the lowest and the highest of each stretch."""


def series_of(model: Experiment) -> dict[str, Series]:
    """The tables of a run that are series: numbers over the time, which is their first column.

    Args:
        model: after the run, or while it goes on
    """
    return dict(_series(model, declared_by(model)))


def declared_by(model: Experiment) -> dict[str, Metric]:
    """The metrics that the parts of a run's frames declare, by their names."""
    return {each.name: each for part in model.parts.values() for each in metrics_of(type(part))}


def title_of(file: str, column: str, declared: dict[str, Metric]) -> tuple[str, float]:
    """What a series is called for people, with its unit, and what its values are multiplied by for that.

    Args:
        file: of its table
        column: of the table
        declared: metrics by their names
    """
    metric = declared.get(column)
    return (f"{file.removesuffix('.csv')}: {_said(column)}", 1.0) if metric is None else (metric.label, metric.scale)


def published_of(model: Experiment, values: Mapping[str, float]) -> dict[str, float]:
    """Published values by the names of series, as these are drawn.

    Args:
        model: of the run
        values: by the columns of tables, in their units
    """
    declared, found = declared_by(model), {}
    for file, table in model.measurements().items():
        for column in table.header.split(","):
            if column in values:
                name, scale = title_of(file, column, declared)
                found[name] = scale * values[column]
    return found


def _series(model: Experiment, declared: dict[str, Metric]) -> Iterator[tuple[str, Series]]:
    for file, table in model.measurements().items():
        time, *columns = table.header.split(",")
        if time != TIME or WHO in columns:
            continue
        try:
            rows = np.array([[float(cell or "nan") for cell in line.split(",")] for line in table.lines(0)])
        except ValueError:  # words
            continue
        for number, column in enumerate(columns, 1):
            there = ~np.isnan(rows[:, number]) if len(rows) else np.zeros(0, dtype=bool)
            if not there.any():
                continue
            times, values = thinned(rows[there, 0], rows[there, number], MOST)
            name, scale = title_of(file, column, declared)
            yield name, (tuple(times.tolist()), tuple((scale * values).tolist()))


def _said(column: str) -> str:
    """The name of a column for people: ``mean error (m)``."""
    words, _, unit = column.rpartition("_")
    known = {"m": "m", "s": "s", "rad": "rad"}
    return f"{words.replace('_', ' ')} ({unit})" if words and unit in known else column.replace("_", " ")
