"""The report of one run of a convoy: one page with everything in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from devs_robotics import Lateness
from devs_robotics.experimental_frames.convoy.formation import Formation
from devs_robotics.experimental_frames.convoy.metrics import METRICS
from devs_robotics.experimental_frames.convoy.published import published_error_cm
from devs_robotics.experimental_frames.convoy.report import figures
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.report import real_figures
from devs_robotics.experimental_frames.report.rendering import number, template
from devs_robotics.experimental_frames.report.settings import settings_rows
from devs_robotics.experimental_frames.report.wording import stage_in_words

LISTED = (
    "largest_error_m",
    "heading_error_rad",
    "synchronisation_delay_s",
    "convoy_speed_m_per_s",
    "smallest_distance_m",
    "collisions",
    "robot_rounds",
)
"""Metrics that stand in one table, in the order in which they are declared."""


def report_html(
    summary: Mapping[str, Any],
    formation: Formation,
    *,
    timing: Lateness | None = None,
    localisation: Localisation | None = None,
) -> str:
    """A page for `summary` (as in ``summary.json``) and the measurements behind it; it needs nothing else.

    Sections for which there is nothing to show are left out.

    Args:
        summary: of the run
        formation: measurements of the convoy
        timing: how late each event was, where there was a clock
        localisation: measurements of where real robots are, where there are any
    """
    scenario, metrics = summary["scenario"], summary["metrics"]
    noise = scenario["noise"]
    published = published_error_cm(scenario["convoy"]["robots"], noise["dnf"], noise["anf"])
    mean = number(metrics["error_at_pose_changes"]["mean_over_all"])
    end = number(metrics["transient_end_s"])
    return template("convoy.html", Path(__file__).parent).render(
        summary=summary,
        scenario=scenario,
        metrics=metrics,
        declared=list(_declared(metrics)),
        stage=stage_in_words(summary),
        published=published,
        settings=[row for row in settings_rows(scenario) if row[0] != "convoy.poses"],
        error_figure=figures.error_over_time(formation, end, None if mean is None else 100.0 * mean, published),
        view_figure=figures.top_view(formation, scenario),
        adjustments_figure=figures.adjustments(list(metrics["adjustments_per_robot"])),
        lateness_figure=real_figures.lateness(timing) if timing is not None and timing.values else None,
        whereabouts=_whereabouts(summary, localisation),
    )


def _declared(metrics: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Titles and values of the metrics that the page has in one table, but for what was not measured."""
    for metric in METRICS:
        value = number(metrics.get(metric.name)) if metric.name in LISTED else None
        if value is not None:
            yield metric.title, f"{metric.text(value)} {metric.unit}".rstrip()


def _whereabouts(summary: Mapping[str, Any], localisation: Localisation | None) -> dict[str, Any] | None:
    """What the section on where real robots are shows; None where no fix came."""
    if localisation is None or not localisation.rows:
        return None
    drawn = real_figures.most_lost(localisation)
    return {
        "figure": real_figures.localisation(localisation),
        "all_drawn": len(drawn) == len(summary["localisation"]),
        "robots": summary["localisation"],
    }
