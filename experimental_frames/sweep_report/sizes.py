"""The section about the number of robots: error and cost against N, trends, and where the formation is to break."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import inf
from typing import Any

from msgspec.structs import replace

from devs_robotics.experimental_frames.coherence import sight_margin
from devs_robotics.experimental_frames.convoy.published import AVERAGE_ERROR, NOISE_SETS, ROBOTS
from devs_robotics.experimental_frames.report.sections import Cell, Drawing, PageTable, Section
from devs_robotics.experimental_frames.scalability import Fit, Scaling, scalings
from devs_robotics.experimental_frames.statistics.series import StatisticsError
from devs_robotics.experimental_frames.sweep.columns import column
from devs_robotics.experimental_frames.sweep.reading import Row
from devs_robotics.experimental_frames.sweep.settings import grouped, settings_text
from devs_robotics.experimental_frames.sweep.wording import capital, plain, quantity
from devs_robotics.experimental_frames.sweep_report.factors import SIZE, line_of
from devs_robotics.experimental_frames.sweep_report.figures import Curve, Panel, panels
from devs_robotics.experimental_frames.sweep_report.folders import SweepFolder, at
from devs_robotics.experimental_frames.sweep_report.tables import (
    ERROR,
    METRICS_NOTE,
    estimate_cell,
    losses_cell,
    mean_of,
)

AT_ROUNDS = "error_at_completed_rounds_followers_m"
"""What the margin of sight is about."""

COST = "cpu_per_robot_round_s"


def applies(folder: SweepFolder) -> bool:
    """Whether the number of robots was varied."""
    return SIZE in folder.sweep.keys


def sections(folder: SweepFolder) -> Iterator[Section]:
    """One section for each combination of the other settings."""
    margin = _margin(folder.scenario)
    errors = scalings(folder.sweep, ERROR)
    forecasts = scalings(folder.sweep, AT_ROUNDS, margin=margin)
    costs = scalings(folder.sweep, COST)
    for error, at_rounds, cost in zip(errors, forecasts, costs, strict=True):
        yield _section(folder, error, at_rounds, cost)


def _section(folder: SweepFolder, error: Scaling, at_rounds: Scaling, cost: Scaling) -> Section:
    said = [*error.conclusions]
    if at_rounds.forecast is not None:
        margin = quantity(at_rounds.forecast.margin, at_rounds.metric)
        said.append(capital(f"from {margin} on robots often lose sight of each other: {at_rounds.forecast.reading}"))
    if cost.flatness is not None:
        said.append(capital(cost.flatness.reading))
    title = "Scalability"
    if error.held:
        title += f", {settings_text(error.held, folder.sweep.units)}"
    published = _published(folder, _by_size(folder, error))
    shown = [_panel(folder, error), _panel(folder, cost)]
    if published:
        shown.insert(0, replace(shown[0], published=published))
        shown[1] = replace(shown[1], from_zero=False)
    drawing = Drawing(
        panels(shown),
        "Grey dots are single runs; blue, beside them, are their means with 95 % intervals."
        + (
            " The line is the fitted trend, dashed and dotted are those that cannot be ruled out."
            if any(p.curves for p in shown)
            else ""
        )
        + (
            " Orange is the only value that the paper’s text gives; the second panel shows the same, zoomed in."
            if published
            else ""
        ),
    )
    return Section(
        title,
        tuple(dict.fromkeys(said)),
        (),
        tuple(_limits(error, at_rounds)),
        (drawing,),
        (_sizes_table(folder, error), *_trend_tables([error, at_rounds, cost])),
    )


def _limits(error: Scaling, at_rounds: Scaling) -> Iterator[str]:
    if at_rounds.forecast is not None or error.breaking.size is not None:
        yield "Forecasts are no measurements: they hold as far as the trend goes on, for runs of the same length."
    yield (
        "The field grows with the line unless the scenario fixes it, so that N also changes how often the convoy turns."
    )
    yield (
        "Processor time is that of one machine under the load that it had; rounds of robots ahead of the others count, "
        "too."
    )


def _by_size(folder: SweepFolder, found: Scaling) -> dict[float, list[Row]]:
    """The runs at the settings that are held, by the number of robots, rising."""
    rows = [row for row in folder.sweep.rows if all(row[key] == value for key, value in found.held.items())]
    by_size = {float(values[0] or 0.0): some for values, some in grouped(rows, (SIZE,)).items()}
    return dict(sorted(by_size.items()))


def _panel(folder: SweepFolder, found: Scaling) -> Panel:
    by_size = _by_size(folder, found)
    line = line_of("", list(by_size), list(by_size.values()), found.metric)
    fits = () if found.trend is None else found.trend.plausible
    curves = tuple(Curve(fit.model, _mean_at(fit)) for fit in fits[:3])
    return Panel(found.metric, "robots N", (line,), curves=curves)


def _mean_at(fit: Fit) -> Callable[[float], float]:
    return lambda size: fit.at(size).mean


def _published(folder: SweepFolder, sizes: Collection[float]) -> tuple[tuple[float, float], ...]:
    """The value of the paper and its place, where the axis of sizes reaches it."""
    if not min(sizes, default=inf) <= ROBOTS <= max(sizes, default=0.0):
        return ()
    at_second = (at(folder, "noise.dnf"), at(folder, "noise.anf")) == NOISE_SETS[1]
    return ((float(ROBOTS), AVERAGE_ERROR[NOISE_SETS[1]]),) if at_second and folder.sweep.keys == (SIZE,) else ()


def _margin(scenario: Mapping[str, Any]) -> float | None:
    """Of the mean error of followers at completed rounds (m); None where the settings do not tell."""
    try:
        return sight_margin(scenario["infrared"]["range"], scenario["convoy"]["distance"], scenario["robot"]["radius"])
    except (KeyError, StatisticsError):
        return None


def _sizes_table(folder: SweepFolder, error: Scaling) -> PageTable:
    of_size = _by_size(folder, error)
    rows = [
        (
            Cell(str(size.robots), number=True),
            Cell(f"{size.runs} of {size.runs + size.left_out}", number=True),
            estimate_cell(mean_of(of_size[size.robots], column(ERROR)), column(ERROR)),
            losses_cell(size.lost),
            estimate_cell(mean_of(of_size[size.robots], column(COST)), column(COST)),
        )
        for size in error.sizes
    ]
    heads = ("robots", "runs that count", column(ERROR).label, "runs that lost a robot", column(COST).label)
    return PageTable(heads, tuple(rows), METRICS_NOTE)


def _trend_tables(found: Sequence[Scaling]) -> list[PageTable]:
    """Which curves were weighed for each metric."""
    rows = []
    for scaling in found:
        if scaling.trend is None:
            continue
        metric = scaling.metric
        for fit in scaling.trend.fits:
            ends = [metric.scale * end for end in (fit.slope_interval.low, fit.slope_interval.high)]
            slope = Cell(plain(metric.scale * fit.slope), f"{plain(ends[0])} to {plain(ends[1])}", number=True)
            chosen = fit is scaling.trend.chosen
            rows.append(
                (
                    Cell(metric.label) if chosen else Cell(""),
                    Cell(f"{fit.model}, chosen" if chosen else fit.model),
                    Cell("–", number=True) if fit.model == "constant" else slope,
                    Cell(f"{fit.aicc:.1f}".replace("-", "−"), number=True),
                )
            )
    heads = ("metric", "trend", "slope", "AICc above the least")
    note = (
        "The least is that of the constant and of the trends whose slopes are told apart from zero; AICc of the others "
        "may be less. The constant is chosen if it is within 2 of the least."
    )
    return [PageTable(heads, tuple(rows), note, "Trends that were weighed")] if rows else []
