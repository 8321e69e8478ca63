"""The convoy's measurements as CSV texts, the same bytes for the same measurements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import isnan

from msgspec.structs import astuple

from experimental_frames.convoy.formation import Formation, RoundRow

ROUNDS_HEADER = ",".join(RoundRow.__struct_fields__)
SERIES_HEADER = "time_s,mean_error_m,mean_error_followers_m"


def round_lines(formation: Formation, first: int = 0) -> Iterator[str]:
    """One line when a robot completes a round, from number `first` on; the leader's gap, bearing, error are empty."""
    for row in islice(formation.rows, first, None):
        yield ",".join(_cell(value) for value in astuple(row))


def series_lines(formation: Formation, first: int = 0) -> Iterator[str]:
    """One line per pose change, from number `first` on: time, position error over all robots and over the followers."""
    robots = len(formation.poses)
    for time, total in zip(formation.times[first:], formation.error_sums[first:], strict=True):
        yield f"{time!r},{total / robots!r},{total / (robots - 1)!r}"


def rounds_csv(formation: Formation) -> str:
    """All completed rounds."""
    return "\n".join([ROUNDS_HEADER, *round_lines(formation)]) + "\n"


def series_csv(formation: Formation) -> str:
    """All pose changes."""
    return "\n".join([SERIES_HEADER, *series_lines(formation)]) + "\n"


def _cell(value: float) -> str:
    return "" if isnan(value) else repr(value)
