"""The convoy's measurements as CSV texts, the same bytes for the same measurements."""

from __future__ import annotations

from math import isnan

from msgspec.structs import astuple

from experimental_frames.convoy.formation import Formation, RoundRow


def rounds_csv(formation: Formation) -> str:
    """One row when a robot completes a round; gap, bearing and error are empty for the leader."""
    lines = [",".join(RoundRow.__struct_fields__)]
    lines += [",".join(_cell(value) for value in astuple(row)) for row in formation.rows]
    return "\n".join(lines) + "\n"


def series_csv(formation: Formation) -> str:
    """One row a pose change: time, and the position error over all robots and over the followers."""
    robots = len(formation.poses)
    lines = ["time_s,mean_error_m,mean_error_followers_m"]
    lines += [
        f"{time!r},{total / robots!r},{total / (robots - 1)!r}"
        for time, total in zip(formation.times, formation.error_sums, strict=True)
    ]
    return "\n".join(lines) + "\n"


def _cell(value: float) -> str:
    return "" if isnan(value) else repr(value)
