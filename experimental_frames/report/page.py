"""The report of one convoy run: one page with everything in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experimental_frames.convoy.formation import Formation
from experimental_frames.convoy.published import published_error_cm
from experimental_frames.report import figures
from experimental_frames.report.rendering import number, settings_rows, template


def report_html(summary: Mapping[str, Any], formation: Formation) -> str:
    """A page for `summary` (as in ``summary.json``) and the measurements behind it; it needs nothing else."""
    scenario, metrics = summary["scenario"], summary["metrics"]
    noise = scenario["noise"]
    published = published_error_cm(scenario["convoy"]["robots"], noise["dnf"], noise["anf"])
    mean = number(metrics["error_at_pose_changes"]["mean_over_all"])
    end = number(metrics["transient_end_s"])
    return template("convoy.html").render(
        summary=summary,
        scenario=scenario,
        metrics=metrics,
        published=published,
        settings=[row for row in settings_rows(scenario) if row[0] != "convoy.poses"],
        error_figure=figures.error_over_time(formation, end, None if mean is None else 100.0 * mean, published),
        view_figure=figures.top_view(formation, scenario),
        adjustments_figure=figures.adjustments(list(metrics["adjustments_per_robot"])),
    )
