"""The report of one convoy run: one page with everything in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any

import jinja2

from experimental_frames.convoy.formation import Formation
from experimental_frames.convoy.published import published_error_cm
from experimental_frames.report import figures


def report_html(summary: Mapping[str, Any], formation: Formation) -> str:
    """A page for `summary` (as in ``summary.json``) and the measurements behind it; it needs nothing else."""
    scenario, metrics = summary["scenario"], summary["metrics"]
    noise = scenario["noise"]
    published = published_error_cm(scenario["convoy"]["robots"], noise["dnf"], noise["anf"])
    mean = _number(metrics["error_at_pose_changes"]["mean_over_all"])
    end = _number(metrics["transient_end_s"])
    return _template().render(
        summary=summary,
        scenario=scenario,
        metrics=metrics,
        published=published,
        settings=[row for row in _settings(scenario) if row[0] != "convoy.poses"],
        error_figure=figures.error_over_time(formation, end, None if mean is None else 100.0 * mean, published),
        view_figure=figures.top_view(formation, scenario),
        adjustments_figure=figures.adjustments(list(metrics["adjustments_per_robot"])),
    )


def _settings(table: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Every key of the scenario with its value, dotted."""
    rows: list[tuple[str, str]] = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            rows += _settings(value, f"{prefix}{key}.")
        else:
            rows.append((f"{prefix}{key}", f"{value:.6g}" if isinstance(value, float) else json.dumps(value)))
    return rows


def _number(value: float | None) -> float | None:
    return None if value is None or isnan(value) else value


def _fixed(value: float | None, digits: int, scale: float = 1.0) -> str:
    number = _number(value)
    return "–" if number is None else f"{scale * number:,.{digits}f}"


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fixed"] = _fixed
    environment.filters["cm"] = lambda metres: _fixed(metres, 1, 100.0)
    return environment.get_template("convoy.html")
