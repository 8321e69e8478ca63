"""The report of one run of a convoy: what it has to show beside what every run has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from devs_robotics import Lateness
from devs_robotics.experimental_frames.convoy.formation import Formation
from devs_robotics.experimental_frames.convoy.metrics import METRICS
from devs_robotics.experimental_frames.convoy.published import published_error_cm
from devs_robotics.experimental_frames.convoy.report import figures
from devs_robotics.experimental_frames.frame.metric import Result
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.report.field_view import legend
from devs_robotics.experimental_frames.report.markup import badge, marked
from devs_robotics.experimental_frames.report.rendering import fixed, number, rendered
from devs_robotics.experimental_frames.report.run_page import RunReport, run_page
from devs_robotics.experimental_frames.report.sections import Cell, PageTable, Section, drawn
from devs_robotics.experimental_frames.report.settings import UNKNOWN, Provenance

MAIN = (
    "coherence",
    "error_at_pose_changes_m",
    "error_at_completed_rounds_m",
    "robots_lost",
    "convoy_speed_m_per_s",
)
"""What stands at the top."""


def report_html(
    summary: Mapping[str, Any],
    formation: Formation,
    results: Mapping[str, Result],
    *,
    timing: Lateness | None = None,
    localisation: Localisation | None = None,
    known: Provenance = UNKNOWN,
    replay: str = "",
) -> str:
    """A page for a run; it needs nothing else.

    Args:
        summary: of the run, as in ``summary.json``
        formation: measurements of the convoy
        results: the metrics' values, by their names
        timing: how late each event was, where there was a clock
        localisation: measurements of where real robots are, where there are any
        known: of the settings
        replay: of the run, as HTML; empty: none was recorded
    """
    scenario, metrics = summary["scenario"], summary["metrics"]
    noise, robots = scenario["noise"], scenario["convoy"]["robots"]
    published = published_error_cm(robots, noise["dnf"], noise["anf"])
    told = RunReport(
        summary=summary,
        title=scenario["title"] or "Robot convoy",
        lead=(
            f"{robots} robots; each has completed {metrics['rounds_completed']} rounds. Noise of their motions: up to "
            f"{100.0 * noise['dnf']:g} % of each distance (distance noise factor, DNF {noise['dnf']:g}), and up to "
            f"{noise['anf']:g} degrees per centimetre (angle noise factor, ANF). Seed {summary['seed']}."
        ),
        verdict=_verdict(summary),
        metrics=METRICS,
        results=results,
        main=MAIN,
        sections=tuple(_sections(summary, formation, published)),
        details=(_details(summary, published),),
        data=("rounds.csv", "series.csv"),
        after="Metrics after X. Hu and B. P. Zeigler's robot-in-the-loop convoy, section 4.2.",
        timing=timing,
        localisation=localisation,
        known=known,
        replay=replay,
    )
    return rendered(run_page(told))


def _sections(summary: Mapping[str, Any], formation: Formation, published: float | None) -> Iterator[Section]:
    """Position error over time, the field from above, and adjustments."""
    metrics = summary["metrics"]
    mean = number(metrics["error_at_pose_changes"]["mean_over_all"])
    end = number(metrics["transient_end_s"])
    error = figures.error_over_time(formation, end, None if mean is None else 100.0 * mean, published)
    yield drawn(
        "Position error over time",
        error,
        "E(t) is the distance of a robot from where it would stand in an ideal line behind the robot ahead, averaged "
        f"over all {len(formation.poses)} robots (equations 4 to 7), after each of "
        f"{summary['events']['pose_changes']:,} pose changes (compare Fig. 9 of the paper).",
    )
    view = figures.seen_from_above(formation, summary["scenario"], [int(each) for each in summary.get("robots") or ()])
    yield drawn(
        "Top view",
        figures.top_view(formation, view),
        "The robots at the end of the run and their tracks from round to round (compare Fig. 8 of the paper). "
        + legend(view, "the leader"),
    )
    yield drawn(
        "Adjustments",
        figures.adjustments(list(metrics["adjustments_per_robot"])),
        "Turns and drives in the adjust process of each robot, over the whole run.",
    )


def _verdict(summary: Mapping[str, Any]) -> tuple[str, ...]:
    """Whether the robots kept their formation, and why, in a sentence for the top of the page."""
    found = summary.get("coherence")
    if not found:
        return ()
    word = "not coherent" if found["verdict"] == "not" else found["verdict"]
    kind = {"coherent": "", "not": "rejected"}.get(found["verdict"], "near")
    return (marked("{} The formation: {}.", badge(word, kind), "; ".join(found["reasons"])),)


def _details(summary: Mapping[str, Any], published: float | None) -> PageTable:
    """What there is to know beside the metrics, and what Hu & Zeigler published for these settings."""
    metrics = summary["metrics"]
    largest = [metrics[key]["maximum_over_all"] for key in ("error_at_pose_changes", "error_at_completed_rounds")]
    end = fixed(metrics["transient_end_s"], 1)
    way, time = fixed(metrics["leader_distance_m"], 2), fixed(summary["simulated_s"], 1)
    rows = [
        *([_number("published E, without a unit", f"{published:g}")] if published is not None else []),
        _number("largest E after the transient, at every pose change", f"{fixed(largest[0], 1, 100.0)} cm"),
        _number("largest E after the transient, at completed rounds", f"{fixed(largest[1], 1, 100.0)} cm"),
        _number("transient left out", f"{metrics['transient_rounds']} rounds ({end} s)"),
        _number("distance driven by the leader", f"{way} m in {time} s"),
        _number("adjustments of all robots", f"{metrics['adjustments']:,}"),
    ]
    for robot, reason in metrics["robots_lost"].items():
        at = f", at {fixed(metrics['lost_at_s'][robot], 1)} s" if robot in metrics["lost_at_s"] else ""
        rows.append((Cell(f"robot {robot} lost"), Cell(f"{reason}{at}")))
    return PageTable(("of the convoy", "found"), tuple(rows), _about_published(summary, published))


def _number(what: str, text: str) -> tuple[Cell, Cell]:
    return Cell(what), Cell(text, number=True)


def _about_published(summary: Mapping[str, Any], published: float | None) -> str:
    """How far the published value can be compared."""
    if published is None:
        return ""
    scenario = summary["scenario"]
    return (
        f"The published value is the average that Hu and Zeigler report for {scenario['convoy']['robots']} robots at "
        "this noise, without a unit (their lengths are centimetres) and without the leader's step, the distance "
        "between robots, or the field. A follower lags its front robot by one step part of the time, so E rests mostly "
        f"on the step, here {fixed(scenario['leader']['step'], 1, 100.0)} cm: the two numbers are comparable in how "
        "they change with noise and with N, not in their level."
    )
