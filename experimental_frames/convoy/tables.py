"""The convoy's measurements as CSV texts, the same bytes for the same measurements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from devs_robotics.experimental_frames.convoy.formation import Formation, RoundRow
from devs_robotics.experimental_frames.frame.experiment import Measurements, Rows

ROUNDS_HEADER = ",".join(RoundRow.__struct_fields__)
SERIES_HEADER = "time_s,mean_error_m,mean_error_followers_m"


def measurements(formation: Formation) -> dict[str, Measurements]:
    """The tables of a run, by the names of their files."""
    return {
        "rounds.csv": Measurements(ROUNDS_HEADER, lambda first: round_lines(formation, first)),
        "series.csv": Measurements(
            SERIES_HEADER, lambda first: series_lines(formation, first), partial(series_rows, formation)
        ),
    }


def round_lines(formation: Formation, first: int = 0) -> Iterator[str]:
    """One line when a robot completes a round, from number `first` on; the leader's gap, bearing, error are empty."""
    for block in formation.rows.blocks(first):
        for row in block.tolist():
            yield ",".join("" if value != value else repr(value) for value in row)  # NaN is unequal to itself


def series_rows(formation: Formation, first: int = 0) -> Iterator[Rows]:
    """The same as `series_lines`, as numbers."""
    robots = len(formation.poses)
    for times, sums in zip(formation.times.blocks(first), formation.error_sums.blocks(first), strict=True):
        yield np.column_stack((times, sums / robots, sums / (robots - 1)))


def series_lines(formation: Formation, first: int = 0) -> Iterator[str]:
    """One line per pose change, from number `first` on: time, position error over all robots and over the followers."""
    robots = len(formation.poses)
    for times, sums in zip(formation.times.blocks(first), formation.error_sums.blocks(first), strict=True):
        for time, total in zip(times.tolist(), sums.tolist(), strict=True):
            yield f"{time!r},{total / robots!r},{total / (robots - 1)!r}"


def rounds_csv(formation: Formation) -> str:
    """All completed rounds."""
    return "\n".join([ROUNDS_HEADER, *round_lines(formation)]) + "\n"


def series_csv(formation: Formation) -> str:
    """All pose changes."""
    return "\n".join([SERIES_HEADER, *series_lines(formation)]) + "\n"
