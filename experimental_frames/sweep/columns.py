"""The columns of a sweep's table that hold metrics."""

from __future__ import annotations

from collections.abc import Mapping

from devs_robotics.experimental_frames.convoy.metrics import METRICS, Measures
from devs_robotics.experimental_frames.frame.metric import Metric, Result, measured_by

OWN = "frames."
"""With this the names of further frames' results begin."""

_BY_NAME = {each.name: each for each in METRICS}


def column(name: str) -> Metric:
    """What is known of a metric by its column; of a further frame's result nothing but its name is."""
    return _BY_NAME.get(name) or Metric(name, name.removeprefix(OWN), signed=True)


def columns_of(measures: Measures, frames: Mapping[str, Mapping[str, Result]]) -> dict[str, Result]:
    """The metrics of one run by column, in their order; NaN, or no word, where there is none.

    Args:
        measures: of the run
        frames: results of further frames, by their names
    """
    values = measured_by(measures)
    for name, results in frames.items():
        values.update({f"{OWN}{name}.{key}": value for key, value in results.items()})
    return values
