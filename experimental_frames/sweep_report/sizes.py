"""The section about the number of robots: error and cost against N, trends, and where the formation is to break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from experimental_frames.coherence import sight_margin
from experimental_frames.convoy.published import AVERAGE_ERROR, NOISE_SETS, ROBOTS
from experimental_frames.scalability import Fit, Scaling, Size, scalings
from experimental_frames.statistics.series import StatisticsError
from experimental_frames.sweep.settings import grouped
from experimental_frames.sweep.wording import capital, percent, plain
from experimental_frames.sweep_report.estimates import Estimate
from experimental_frames.sweep_report.factors import SIZE, line_of, with_held
from experimental_frames.sweep_report.figures import Curve, Panel, panels
from experimental_frames.sweep_report.folders import SweepFolder, at
from experimental_frames.sweep_report.sections import Cell, Drawing, Section, Table
from experimental_frames.sweep_report.tables import ERROR, estimate_cell

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
        said.append(f"{capital(at_rounds.forecast.reading)} With such an error robots often lose sight of each other.")
    if cost.flatness is not None:
        said.append(capital(cost.flatness.reading))
    title = "Scalability"
    if error.held:
        title += f", {', '.join(f'{key} = {value}' for key, value in error.held.items())}"
    published = _published(folder)
    shown = [_panel(folder, error), _panel(folder, cost)]
    if published:
        shown.insert(0, replace(shown[0], published=published))
        shown[1] = replace(shown[1], from_zero=False)
    drawing = Drawing(
        panels(shown),
        "Grey dots are single runs, blue are their means with 95 % intervals, and black is the fitted trend with those "
        "that cannot be ruled out."
        + (
            " Orange is the only value that the paper's text gives; the middle shows the same from nearer."
            if published
            else ""
        ),
    )
    return Section(
        title,
        tuple(dict.fromkeys(with_held(error.held, said))),
        (),
        tuple(_limits(folder)),
        (drawing,),
        (_sizes_table(error, cost), *_trend_tables([error, at_rounds, cost])),
    )


def _limits(folder: SweepFolder) -> Iterator[str]:
    yield "Forecasts are no measurements: they hold as far as the trend goes on, for runs of the same length."
    yield (
        "Processor time is that of one machine under the load that it had, a round of a robot ahead of the others "
        "counting like any."
    )
    yield "Unless the scenario gives the field, it grows with the line, so that N changes the turns, too."


def _panel(folder: SweepFolder, found: Scaling) -> Panel:
    rows = [row for row in folder.sweep.rows if all(row[key] == value for key, value in found.held.items())]
    by_size = {float(values[0] or 0.0): some for values, some in grouped(rows, (SIZE,)).items()}
    places = sorted(by_size)
    line = line_of("", places, [by_size[place] for place in places], found.metric.name)
    fits = () if found.trend is None else found.trend.plausible
    curves = tuple(Curve(fit.model, _mean_at(fit)) for fit in fits[:3])
    return Panel(found.metric, "robots N", (line,), curves=curves)


def _mean_at(fit: Fit) -> Callable[[float], float]:
    return lambda size: fit.at(size).mean


def _published(folder: SweepFolder) -> tuple[tuple[float, float], ...]:
    at_second = (at(folder, "noise.dnf"), at(folder, "noise.anf")) == NOISE_SETS[1]
    return ((float(ROBOTS), AVERAGE_ERROR[NOISE_SETS[1]]),) if at_second and folder.sweep.keys == (SIZE,) else ()


def _margin(scenario: Mapping[str, Any]) -> float | None:
    """Of the mean error of followers at completed rounds (m); None where the settings do not tell."""
    try:
        return sight_margin(scenario["infrared"]["range"], scenario["convoy"]["distance"], scenario["robot"]["radius"])
    except (KeyError, StatisticsError):
        return None


def _sizes_table(error: Scaling, cost: Scaling) -> Table:
    costs = {size.robots: size for size in cost.sizes}
    rows = []
    for size in error.sizes:
        of_cost = costs[size.robots]
        lost = size.lost
        share = Cell(f"{lost.lost} of {lost.runs}", number=True)
        if lost.interval is not None:
            share = Cell(share.text, f"{percent(lost.interval.low)} to {percent(lost.interval.high)} %", number=True)
        rows.append(
            (
                Cell(str(size.robots), number=True),
                Cell(f"{size.runs} of {size.runs + size.left_out}", number=True),
                estimate_cell(_estimate(size), error.metric),
                share,
                estimate_cell(_estimate(of_cost), cost.metric),
            )
        )
    heads = ("robots", "runs that count", error.metric.label, "lost a robot", cost.metric.label)
    return Table(heads, tuple(rows), "Means and 95 % intervals.")


def _estimate(size: Size) -> Estimate:
    ends = (None, None) if size.interval is None else (size.interval.low, size.interval.high)
    return Estimate(size.runs, size.mean, *ends)


def _trend_tables(found: Sequence[Scaling]) -> list[Table]:
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
    note = "The constant is chosen if it is within 2 of the least AICc."
    return [Table(heads, tuple(rows), note, "Trends that were weighed")] if rows else []
