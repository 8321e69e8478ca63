"""The metrics of a run on a terminal."""

from __future__ import annotations

from math import isnan

from rich.console import Console
from rich.table import Table

from experimental_frames.convoy import PositionError, published_error_cm
from scenarios.running import Outcome


def print_outcome(outcome: Outcome) -> None:
    """Print what was run, how it ended, and the metrics."""
    scenario, metrics = outcome.scenario, outcome.metrics
    robots, noise = scenario.convoy.robots, scenario.noise
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    published = published_error_cm(robots, noise.dnf, noise.anf)
    table.add_row(
        "mean position error, at every pose change",
        *_error(metrics.error_at_pose_changes, f"; published {published:g}" if published is not None else ""),
    )
    table.add_row("mean position error, at completed rounds", *_error(metrics.error_at_completed_rounds))
    table.add_row("largest error of one robot", _cm(metrics.largest_error_m), "cm")
    table.add_row("robots lost", str(len(outcome.robots_lost)), "")
    table.add_row("convoy speed", _cm(metrics.convoy_speed_m_per_s), "cm/s")
    per_round = metrics.adjustments_per_round
    table.add_row(
        "adjustments",
        f"{metrics.adjustments:,}",
        "" if isnan(per_round) else f"({per_round:.2f} a follower and round)",
    )
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"{robots} robots, DNF {noise.dnf:g}, ANF {noise.anf:g}, seed {scenario.run.seed}, stage {outcome.stage}: "
        f"{metrics.rounds_completed} rounds completed in {outcome.end_s:.1f} s simulated, {outcome.cpu_s:.2f} s CPU"
    )
    word = "interrupted" if outcome.interrupted else "accepted" if outcome.accepted else "rejected"
    console.print(f"{word}: {outcome.reason}")
    console.print(table)


def _error(error: PositionError, note: str = "") -> tuple[str, str]:
    return _cm(error.mean_over_all), f"cm over N ({_cm(error.mean_over_followers)} over N - 1{note})"


def _cm(metres: float) -> str:
    return "-" if isnan(metres) else f"{100.0 * metres:.1f}"
