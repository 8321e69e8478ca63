"""The section about the number of robots: measure and cost against N, trends, and where the team is to break."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.sections import Cell, Drawing, PageTable, Section
from devs_robotics.experimental_frames.scalability import Fit, Scaling, scalings
from devs_robotics.experimental_frames.sweep.reading import Row
from devs_robotics.experimental_frames.sweep.settings import Setting, grouped, settings_text
from devs_robotics.experimental_frames.sweep.subject import Subject
from devs_robotics.experimental_frames.sweep.wording import capital, plain, quantity
from devs_robotics.experimental_frames.sweep_report.factors import (
    line_of,
    published_at,
    published_note,
    with_published,
)
from devs_robotics.experimental_frames.sweep_report.figures import Panel, PlottedCurve, panels
from devs_robotics.experimental_frames.sweep_report.folders import SweepFolder
from devs_robotics.experimental_frames.sweep_report.tables import METRICS_NOTE, estimate_cell, losses_cell, mean_of


def sections(folder: SweepFolder) -> Iterator[Section]:
    """One section for each combination of the other settings, where the number of robots was varied."""
    sweep, subject = folder.sweep, folder.subject
    measure, margin = subject.measure, subject.margin
    if measure is None:
        return
    found = scalings(sweep, measure.name)
    costs = scalings(sweep, subject.cost) if subject.cost else [None] * len(found)
    forecasts = [None] * len(found) if margin is None else scalings(sweep, margin.metric, margin=margin.value)
    for of_measure, of_margin, of_cost in zip(found, forecasts, costs, strict=True):
        yield _section(folder, of_measure, of_margin, of_cost)


def _section(folder: SweepFolder, found: Scaling, of_margin: Scaling | None, cost: Scaling | None) -> Section:
    subject, said = folder.subject, [*found.conclusions]
    if of_margin is not None and of_margin.forecast is not None and subject.margin is not None:
        margin = quantity(of_margin.forecast.margin, of_margin.metric)
        said.append(capital(f"from {margin} on {subject.margin.reached}: {of_margin.forecast.reading}"))
    if cost is not None and cost.flatness is not None:
        said.append(capital(cost.flatness.reading))
    title = "Scalability"
    if found.held:
        title += f", {settings_text(found.held, folder.sweep.units)}"
    return Section(
        title,
        tuple(dict.fromkeys(said)),
        (),
        tuple(_limits(subject, found, of_margin)),
        (_drawing(folder, found, cost),),
        (_sizes_table(folder, found), *_trend_tables([each for each in (found, of_margin, cost) if each is not None])),
    )


def _limits(subject: Subject, found: Scaling, of_margin: Scaling | None) -> Iterator[str]:
    forecast = of_margin is not None and of_margin.forecast is not None
    if forecast or (found.breaking is not None and found.breaking.size is not None):
        yield "Forecasts are no measurements: they hold as far as the trend goes on, for runs of the same length."
    yield from subject.limits
    if subject.cost:
        yield "Processor time is that of one machine under the load that it had."


def _drawing(folder: SweepFolder, found: Scaling, cost: Scaling | None) -> Drawing:
    shown = [_panel(folder, each) for each in (found, cost) if each is not None]
    caption = "Grey dots are single runs; blue, beside them, are their means with 95 % intervals."
    if any(panel.curves for panel in shown):
        caption += " The line is the fitted trend, dashed and dotted are those that cannot be ruled out."
    reported = folder.subject.published
    published = _published(folder, found)
    if published and reported is not None:
        return Drawing(panels(with_published(shown, published)), f"{caption}{published_note(reported)}")
    return Drawing(panels(shown), caption)


def _by_size(folder: SweepFolder, found: Scaling) -> dict[float, list[Row]]:
    """The runs at the settings that are held, by the number of robots, rising."""
    rows = [row for row in folder.sweep.rows if all(row[key] == value for key, value in found.held.items())]
    by_size = {float(values[0] or 0.0): some for values, some in grouped(rows, (folder.sweep.size_key,)).items()}
    return dict(sorted(by_size.items()))


def _panel(folder: SweepFolder, found: Scaling) -> Panel:
    by_size = _by_size(folder, found)
    line = line_of("", list(by_size), list(by_size.values()), found.metric, folder.subject)
    fits = () if found.trend is None else found.trend.plausible
    curves = tuple(PlottedCurve(fit.model, _mean_at(fit)) for fit in fits[:3])
    return Panel(found.metric, "robots N", (line,), curves=curves)


def _mean_at(fit: Fit) -> Callable[[float], float]:
    return lambda size: fit.at(size).mean


def _published(folder: SweepFolder, found: Scaling) -> tuple[tuple[float, float], ...]:
    """Number of robots and value (SI) of what was published, as far as the axis of sizes reaches."""
    sizes, key, reported = list(_by_size(folder, found)), folder.sweep.size_key, folder.subject.published
    if folder.sweep.keys != (key,):
        return ()
    told = [each.settings[key] for each in reported.values if key in each.settings] if reported is not None else []
    reached: dict[Setting, float] = {(float(size),): float(size) for size in told if sizes[0] <= size <= sizes[-1]}
    return published_at(folder, (key,), reached)


def _sizes_table(folder: SweepFolder, found: Scaling) -> PageTable:
    of_size, subject = _by_size(folder, found), folder.subject
    cost = subject.column(subject.cost) if subject.cost else None

    def mean(robots: int, metric: Metric) -> Cell:
        return estimate_cell(mean_of(of_size[robots], metric, subject), metric)

    rows = [
        (
            Cell(str(size.robots), number=True),
            Cell(f"{size.runs} of {size.runs + size.left_out}", number=True),
            mean(size.robots, found.metric),
            *([losses_cell(size.lost)] if subject.lost else []),
            *([] if cost is None else [mean(size.robots, cost)]),
        )
        for size in found.sizes
    ]
    heads = ["robots", "runs that count", found.metric.label]
    heads += ["runs that lost a robot"] if subject.lost else []
    heads += [] if cost is None else [cost.label]
    return PageTable(tuple(heads), tuple(rows), METRICS_NOTE)


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
