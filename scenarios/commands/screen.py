"""The metrics of a run on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, isnan

from devs_robotics.experimental_frames.convoy import Metrics, PositionError, published_error_cm
from devs_robotics.experimental_frames.frame import Result
from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.convoy.judging import formation_coherence
from devs_robotics.scenarios.running.outcome import Outcome, RobotReport


def outcome_lines(outcome: Outcome) -> list[str]:
    """What was run, how it ended, and the metrics, to be read by a person."""
    scenario, metrics = outcome.scenario, outcome.metrics
    robots, noise = scenario.convoy.robots, scenario.noise
    published = published_error_cm(robots, noise.dnf, noise.anf)
    per_round = metrics.adjustments_per_round
    rows = [
        ("mean position error", *_error(metrics.error_at_pose_changes), "at every pose change"),
        ("", *_error(metrics.error_at_completed_rounds), "at completed rounds"),
        ("largest error of one robot", _cm(metrics.largest_error_m), "cm", "at a completed round"),
        ("heading error", _fixed(degrees(metrics.heading_error_rad), 1), "deg", "of followers, at completed rounds"),
        ("synchronisation delay", _fixed(metrics.synchronisation_delay_s, 2), "s", "per robot of the line"),
        ("robots lost", str(len(outcome.robots_lost)), "", _when(metrics.first_lost_at_s)),
        *_approaches(metrics),
        ("convoy speed", _cm(metrics.convoy_speed_m_per_s), "cm/s", ""),
        (
            "adjustments",
            f"{metrics.adjustments:,}",
            "",
            "" if isnan(per_round) else f"{per_round:.2f} per follower and round",
        ),
    ]
    if published is not None:
        rows.insert(2, ("", f"{published:g}", "", "published for these settings, as far as the paper gives them"))
    what = (
        f"{robots} robots, DNF {noise.dnf:g}, ANF {noise.anf:g}, seed {scenario.run.seed}, stage {outcome.stage}: "
        f"{metrics.rounds_completed} rounds in {outcome.end_s:.1f} s simulated, {outcome.cpu_s:.2f} s CPU"
    )
    return [
        what,
        f"{outcome.ended}: {outcome.reason}",
        *(f"  {name:<27} {value:>8} {unit:<5} {note}".rstrip() for name, value, unit, note in rows),
        *(f"  {f'{name}.{key}':<27} {_plain(value):>8}" for name, key, value in _results(outcome)),
        *_coherence(outcome),
        *_lateness(outcome),
        *(f"  robot {number}: {_robot(robot)}" for number, robot in outcome.robots.items()),
        *_tracking(outcome),
        *([f"  messages dropped: {_kinds(outcome.dropped)}"] if outcome.dropped else []),
        *(f"  {node.line(name)}" for name, node in outcome.nodes.items()),
    ]


def _approaches(metrics: Metrics) -> list[tuple[str, str, str, str]]:
    if metrics.collisions is None:
        return []
    return [
        ("smallest distance", _cm(metrics.smallest_distance_m), "cm", "between two robots"),
        ("collisions", str(metrics.collisions), "", "with each other, walls and obstacles"),
    ]


def _coherence(outcome: Outcome) -> list[str]:
    """The verdict in a word, and its reasons in a line each."""
    found = formation_coherence(outcome)
    word = "not coherent" if found.verdict == "not" else found.verdict
    return [f"  formation: {word}", *(f"    {reason}" for reason in found.reasons)]


def _when(time: float) -> str:
    return "" if isnan(time) else f"the first at {time:.1f} s"


def _results(outcome: Outcome) -> Iterator[tuple[str, str, Result]]:
    """Of further frames."""
    for name, results in outcome.frames.items():
        for key, value in results.items():
            yield name, key, value


def _plain(value: Result) -> str:
    return value if isinstance(value, str) else _fixed(value, 6, "g")


def _lateness(outcome: Outcome) -> list[str]:
    late = outcome.lateness
    if late is None or not late.events:
        return []
    line = (
        f"  {'lateness of events':<27} {1000.0 * late.p50:>8.1f} ms    median; 99 %: {1000.0 * late.p99:.1f} ms, "
        f"max: {1000.0 * late.maximum:.1f} ms"
    )
    if late.too_late and outcome.scenario.clock.late == "warn":
        line += f"\n  warning: {late.too_late:,} of {late.events:,} events were later than clock.max_lateness"
    if outcome.held_up_s:
        line += f"\n  {'longest hold-up':<27} {outcome.held_up_s:>8.1f} s     real robots were told to stop meanwhile"
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


def _error(error: PositionError) -> tuple[str, str]:
    return _cm(error.mean_over_all), "cm"


def _cm(metres: float) -> str:
    return _fixed(100.0 * metres, 1)


def _fixed(number: float, digits: int, kind: str = "f") -> str:
    return "-" if isnan(number) else f"{number:z.{digits}{kind}}"
