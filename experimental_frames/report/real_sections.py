"""What a run's page says of real robots, of where they are, of a wall clock, and of nodes: where there are any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import degrees
from typing import Any

from devs_robotics import Lateness
from devs_robotics.core.robots.track_gate import LOST
from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.report import real_figures
from devs_robotics.experimental_frames.report.markup import code, marked
from devs_robotics.experimental_frames.report.rendering import fixed
from devs_robotics.experimental_frames.report.sections import Cell, Drawing, PageTable, Section, number_cells
from devs_robotics.experimental_frames.report.wording import counts, waited


def real_sections(
    summary: Mapping[str, Any], timing: Lateness | None, localisation: Localisation | None
) -> Iterator[Section]:
    """A section about each of these of which there is something to show.

    Args:
        summary: of the run
        timing: how late each event was, where there was a clock
        localisation: measurements of where real robots are, where there are any
    """
    if summary.get("robots"):
        yield _robots(summary)
    if localisation is not None and localisation.rows:
        yield _whereabouts(summary, localisation)
    if waited(summary.get("clock")):
        yield _real_time(summary, timing)
    if summary.get("nodes"):
        yield _nodes(summary["nodes"])


def _robots(summary: Mapping[str, Any]) -> Section:
    rows = []
    own = any(robot.get("equipment") for robot in summary["robots"].values())
    for number, robot in summary["robots"].items():
        player = robot["played_by"]
        parts = (robot[key] for key in ("protocol", "motor", "infrared", "whiskers"))
        rows.append(
            (
                *(Cell(number), Cell(player if player == "a stand-in" else code(player)), *map(Cell, parts)),
                *([Cell(", ".join(robot.get("equipment", ())))] if own else []),
                *(Cell(counts(robot["dropped"])), Cell(f"{robot['refused']:,}", number=True)),
            )
        )
    further = ["further real equipment"] if own else []
    known = ("robot", "played by", "protocol", "motor", "infrared", "whiskers")
    heads = (*known, *further, "messages dropped", "moves refused")
    dropped = summary.get("dropped")
    also = f" Messages that were of use to no robot were dropped too: {counts(dropped)}." if dropped else ""
    note = marked(
        "A <em>virtual</em> motor or sensor is the environment model’s; one that is <em>real</em> is the robot’s own; "
        "a motor in the <em>loop</em> is the robot’s own too, and moves its counterpart in the environment model. "
        "Infrared that is <em>both</em> reads the nearer of the two, beam by beam. Messages were dropped if they were "
        "no valid messages of this robot. Moves were refused if they had no room in "
        "the environment model. <em>None</em>: the models of such a robot do without.{}",
        also,
    )
    standing = [f"{robot['standstill']}." for robot in summary["robots"].values() if robot.get("standstill")]
    if standing:
        note = marked("{} {}", note, " ".join(each[0].upper() + each[1:] for each in standing))
    return Section("Real robots", tables=(PageTable(heads, tuple(rows), note),))


def _whereabouts(summary: Mapping[str, Any], localisation: Localisation) -> Section:
    robots, corrects = summary["localisation"], summary["scenario"]["tracking"]["corrects"]
    some = len(real_figures.most_lost(localisation)) < len(robots)
    caption = marked(
        "How far from where a tracking system saw it, at rest, each robot was believed to be{}. <b>odom</b> is dead "
        "reckoning from the initial pose by the motions that the robot reported{}.",
        "; those robots that were furthest off by dead reckoning" if some else "",
        _drifts(corrects=corrects),
    )
    if lost := summary.get("lost"):
        caption = marked(
            "{} It was not sure where robots were that had not been seen for {} s: {}.",
            caption,
            f"{summary['scenario']['tracking'].get('lost', LOST):g}",
            ", ".join(f"robot {number} {times} time{'s' if times > 1 else ''}" for number, times in lost.items()),
        )
    errors = ("mean error (cm)", "largest (cm)", "last (cm)", "mean heading error (°)", "largest (°)", "last (°)")
    rows = [row for number, robot in robots.items() for row in _errors(number, robot)]
    return Section(
        "Where the real robots are",
        drawings=(Drawing((real_figures.localisation(localisation),), caption),),
        tables=(PageTable(("robot", "fixes", "by", *errors), tuple(rows)),),
    )


def _drifts(*, corrects: bool) -> str:
    """What the counterpart in the environment model is, to go on after what dead reckoning is."""
    if corrects:
        return marked(
            ", which drifts. <b>map</b> is its counterpart in the environment model, just before the fix corrects it"
        )
    return marked(
        ". <b>map</b> is its counterpart in the environment model, which follows the same motions and is not corrected "
        "({} is off), so that both drift alike",
        code("tracking.corrects"),
    )


def _errors(number: str, robot: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """Two rows: of dead reckoning, and of the counterpart."""
    of_robot: tuple[Cell, ...] = (Cell(number, rows=2), Cell(f"{robot['fixes']:,}", number=True, rows=2))
    for name in ("odom", "map"):
        place, heading = robot[f"{name}_position_m"], robot[f"{name}_heading_rad"]
        shown = [fixed(place[key], 1, 100.0) for key in ("mean", "maximum", "end")]
        shown += [fixed(heading[key], 2, degrees(1.0)) for key in ("mean", "maximum", "end")]
        yield (*of_robot, Cell(name), *number_cells(shown))
        of_robot = ()


def _real_time(summary: Mapping[str, Any], timing: Lateness | None) -> Section:
    clock = summary["clock"]
    late, figure = clock["lateness"], None if timing is None else real_figures.lateness(timing)
    drawing = None if figure is None else Drawing((figure,), _lateness_caption(late["events"]))
    shares = [_ms(late[key]) for key in ("p50", "p95", "p99", "maximum")]
    row = (
        Cell(f"stage {summary['stage']}, rate {clock['rate']:g}"),
        *number_cells((*shares, f"{late['events']:,}", f"{late['too_late']:,}")),
    )
    heads = ("lateness (ms)", "p50", "p95", "p99", "largest", "events", "too late")
    return Section(
        "Real time",
        drawings=() if drawing is None else (drawing,),
        tables=(PageTable(heads, (row,), _policy(clock)),),
    )


def _lateness_caption(events: int) -> str:
    return (
        f"How long after its time each of {events:,} events was handled, in simulated milliseconds. Left: the share of "
        "events that were later than what the axis says; one in a hundred was later than p99. Right: lateness in the "
        "course of the run."
    )


def _policy(clock: Mapping[str, Any]) -> str:
    """What is done about events that are late, and what a hold-up did."""
    held_up, rate = clock["held_up_s"], clock["rate"]
    return marked(
        "{}An event is too late when it is handled more than {} ms after its time ({}); the scenario’s policy for it "
        "is to <em>{}</em>{}.{}",
        f"The run was held up for {fixed(held_up, 1)} s at the longest: real robots were told to stop meanwhile. "
        if held_up
        else "",
        _ms(clock["max_lateness_s"]),
        code("clock.max_lateness"),
        clock["late"],
        " the run" if clock["late"] == "abort" else "",
        "" if rate == 1.0 else f" A simulated millisecond was {fixed(1.0 / rate, 3)} ms of real time.",
    )


def _nodes(nodes: Mapping[str, Any]) -> Section:
    delays = ("delay p50 (ms)", "delay p99 (ms)", "largest delay (ms)")
    late = ("lateness p99 (ms)", "largest lateness (ms)")
    heads = ("node", "models of", "clock ahead (ms)", "messages", *delays, "steps", *late, "dropped")
    note = (
        "Messages are those that came from a node to the host; their delay is from sending to delivery, in simulated "
        "milliseconds. How far a node’s clock was ahead of the host’s was estimated at the start; how much further it "
        "got is its drift. A dash stands where a node did not report, or where no message came."
    )
    rows = tuple(_node_row(name, node) for name, node in nodes.items())
    return Section("Nodes", tables=(PageTable(heads, rows, note),))


def _node_row(name: str, node: Mapping[str, Any]) -> tuple[Cell, ...]:
    ahead = f"{fixed(node['clock_offset'], 2, 1000.0)} ± {fixed(node['round_trip'], 2, 500.0)}"
    if node.get("drift_error"):
        ahead += f", drift {fixed(node['clock_drift'], 2, 1000.0)} ± {fixed(node['drift_error'], 2, 1000.0)}"
    delays = (_ms(node[key]) for key in ("delay_p50", "delay_p99", "delay_max"))
    late = (_ms(node[key]) for key in ("lateness_p99", "lateness_max"))
    shown = (ahead, f"{node['messages']:,}", *delays, f"{node['steps']:,}" if node["steps"] else "–", *late)
    return (
        *(Cell(name), Cell(numbered(node["robots"])), *number_cells(shown)),
        Cell(counts(node["dropped"])),
    )


def _ms(seconds: float | None) -> str:
    return fixed(seconds, 1, 1000.0)
