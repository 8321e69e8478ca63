"""The metrics of a run on a terminal."""

from __future__ import annotations

from devs_robotics.hil.addresses import masked
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.running.outcome import NONE, AnyOutcome, RobotReport
from devs_robotics.scenarios.running.summary import results_in_words


def outcome_lines(outcome: AnyOutcome) -> list[str]:
    """What was run, how it ended, and the metrics, to be read by a person."""
    case = case_of(outcome.scenario)
    return [
        case.headline(outcome),
        f"{outcome.ended}: {outcome.reason}",
        *(_line(*row) for row in case.lines(outcome)),
        *(_line(*row) for row in results_in_words(outcome)),
        *case.verdict(outcome),
        *_lateness(outcome),
        *(f"  robot {number}: {_robot(robot)}" for number, robot in outcome.robots.items()),
        *(f"  warning: {robot.standstill}" for robot in outcome.robots.values() if robot.standstill),
        *_tracking(outcome),
        *([f"  messages dropped: {_kinds(outcome.dropped)}"] if outcome.dropped else []),
        *(f"  {node.line(name)}" for name, node in outcome.nodes.items()),
    ]


def _line(title: str, value: str, unit: str = "") -> str:
    return f"  {title:<61} {value:>8} {unit}".rstrip()


def _lateness(outcome: AnyOutcome) -> list[str]:
    late = outcome.lateness
    if late is None or not late.events or late.maximum == 0.0:  # which it is by construction with --lab inside
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


def _tracking(outcome: AnyOutcome) -> list[str]:
    address, localisation = outcome.scenario.tracking.address, outcome.localisation
    if address is None or localisation is None or localisation.rows:
        return []
    return [f"  warning: no fix of a robot at rest came from {masked(address)}: check that the tracking system runs"]


def _robot(robot: RobotReport) -> str:
    parts = [f"{name} {kind}" for name, kind in (("motor", robot.motor), ("infrared", robot.infrared)) if kind != NONE]
    parts += [f"{name} real" for name in robot.equipment]
    words = "; ".join(filter(None, (f"{robot.played_by}, {robot.protocol}", ", ".join(parts))))
    if robot.dropped:
        words += f"; messages dropped: {_kinds(robot.dropped)}"
    if robot.refused:
        words += f"; moves refused: {robot.refused:,}"
    return words


def _kinds(dropped: dict[str, int]) -> str:
    return ", ".join(f"{kind} ({count:,})" for kind, count in dropped.items())
