"""The metrics of a run on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from devs_robotics.experimental_frames.convoy import published_error_cm
from devs_robotics.experimental_frames.frame import Result
from devs_robotics.experimental_frames.sweep import column
from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.convoy.judging import columns, formation_coherence
from devs_robotics.scenarios.running.outcome import Outcome, RobotReport

SHOWN = (
    "error_at_pose_changes_m",
    "error_at_completed_rounds_m",
    "largest_error_m",
    "heading_error_rad",
    "synchronisation_delay_s",
    "convoy_speed_m_per_s",
    "adjustments_per_round",
    "robots_lost",
    "first_lost_at_s",
    "smallest_distance_m",
    "collisions",
)
"""The metrics that people are shown at the end of a run."""

SOMETIMES = ("first_lost_at_s", "smallest_distance_m", "collisions")
"""Those of them that are left out where there is none."""


def outcome_lines(outcome: Outcome) -> list[str]:
    """What was run, how it ended, and the metrics, to be read by a person."""
    scenario = outcome.scenario
    what = (
        f"{scenario.convoy.robots} robots, DNF {scenario.noise.dnf:g}, ANF {scenario.noise.anf:g}, "
        f"seed {scenario.run.seed}, stage {outcome.stage}: "
        f"{outcome.metrics.rounds_completed} rounds in {outcome.end_s:.1f} s simulated, {outcome.cpu_s:.2f} s CPU"
    )
    return [
        what,
        f"{outcome.ended}: {outcome.reason}",
        *(_line(*row) for row in _metrics(outcome)),
        *(_line(f"{name}.{key}", _plain(value)) for name, key, value in _results(outcome)),
        *_coherence(outcome),
        *_lateness(outcome),
        *(f"  robot {number}: {_robot(robot)}" for number, robot in outcome.robots.items()),
        *_tracking(outcome),
        *([f"  messages dropped: {_kinds(outcome.dropped)}"] if outcome.dropped else []),
        *(f"  {node.line(name)}" for name, node in outcome.nodes.items()),
    ]


def _metrics(outcome: Outcome) -> Iterator[tuple[str, str, str]]:
    """Title, value and unit of each metric, and what Hu & Zeigler published for these settings."""
    values, noise = columns(outcome), outcome.scenario.noise
    for name in SHOWN:
        found, value = column(name), float(values[name])
        if isnan(value) and name in SOMETIMES:
            continue
        yield found.title, "-" if isnan(value) else found.text(value), found.unit
        published = published_error_cm(outcome.scenario.convoy.robots, noise.dnf, noise.anf)
        if name == "error_at_pose_changes_m" and published is not None:
            yield "the same as published, as far as the paper gives its settings", f"{published:g}", "cm"


def _line(title: str, value: str, unit: str = "") -> str:
    return f"  {title:<61} {value:>8} {unit}".rstrip()


def _coherence(outcome: Outcome) -> list[str]:
    """The verdict in a word, and its reasons in a line each."""
    found = formation_coherence(outcome)
    word = "not coherent" if found.verdict == "not" else found.verdict
    return [f"  formation: {word}", *(f"    {reason}" for reason in found.reasons)]


def _results(outcome: Outcome) -> Iterator[tuple[str, str, Result]]:
    """Of further frames."""
    for name, results in outcome.frames.items():
        for key, value in results.items():
            yield name, key, value


def _plain(value: Result) -> str:
    return value if isinstance(value, str) else "-" if isnan(value) else f"{value:z.6g}"


def _lateness(outcome: Outcome) -> list[str]:
    late = outcome.lateness
    if late is None or not late.events:
        return []
    line = _line("lateness of events, median", f"{1000.0 * late.p50:.1f}", "ms")
    line += f"; 99 %: {1000.0 * late.p99:.1f} ms, max: {1000.0 * late.maximum:.1f} ms"
    if late.too_late and outcome.scenario.clock.late == "warn":
        line += f"\n  warning: {late.too_late:,} of {late.events:,} events were later than clock.max_lateness"
    if outcome.held_up_s:
        line += "\n" + _line(
            "longest hold-up; real robots were told to stop meanwhile", f"{outcome.held_up_s:.1f}", "s"
        )
    return [line]


def _tracking(outcome: Outcome) -> list[str]:
    address, localisation = outcome.scenario.tracking.address, outcome.localisation
    if address is None or localisation is None or localisation.rows:
        return []
    return [f"  warning: no fix of a robot at rest came from {masked(address)}: check that the tracking system runs"]


def _robot(robot: RobotReport) -> str:
    words = f"{robot.played_by}, {robot.protocol}; motor {robot.motor}, infrared {robot.infrared}"
    if robot.dropped:
        words += f"; messages dropped: {_kinds(robot.dropped)}"
    if robot.refused:
        words += f"; moves refused: {robot.refused:,}"
    return words


def _kinds(dropped: dict[str, int]) -> str:
    return ", ".join(f"{kind} ({count:,})" for kind, count in dropped.items())
