"""Sections about designs that sample ranges: Morris' screening and Sobol's indices."""

from __future__ import annotations

from collections.abc import Iterator

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.sections import Cell, Drawing, PageTable, Section
from devs_robotics.experimental_frames.sensitivity import Effect, explain_variance, screen
from devs_robotics.experimental_frames.sensitivity.variance import share_texts
from devs_robotics.experimental_frames.statistics.series import Interval
from devs_robotics.experimental_frames.sweep.reading import number
from devs_robotics.experimental_frames.sweep.settings import grouped, key_label
from devs_robotics.experimental_frames.sweep.wording import plain
from devs_robotics.experimental_frames.sweep_report.estimates import digits_for
from devs_robotics.experimental_frames.sweep_report.figures import Bar, bars, clouds, scatter
from devs_robotics.experimental_frames.sweep_report.folders import SweepFolder
from devs_robotics.experimental_frames.sweep_report.tables import mean_of, own_metrics

MOST_SAID = 8
"""Sentences at the top of the page; the others are in the section."""


def sections(folder: SweepFolder) -> Iterator[Section]:
    """What a sampled design says of the measure, and of each metric with a section of its own."""
    measure = folder.sweep.subject.measure
    for metric in (*([] if measure is None else [measure]), *own_metrics(folder.sweep)):
        analysed = _morris if folder.kind == "morris" else _sobol
        yield analysed(folder, metric, _clouds(folder, metric))


def _clouds(folder: SweepFolder, metric: Metric) -> tuple[Drawing, ...]:
    """A metric at all points against each key."""
    sweep = folder.sweep
    at_points = [(rows[0], mean_of(rows, metric, sweep.subject)) for rows in grouped(sweep.rows, ("point",)).values()]
    known = [(row, metric.scale * found.mean) for row, found in at_points if found.n]
    if not known:
        return ()
    groups = [(key_label(key, sweep.units), [(number(row, key), mean) for row, mean in known]) for key in sweep.keys]
    each = "the mean of its runs at one point" if folder.replicates > 1 else "one run"
    return (Drawing(clouds(groups, metric.label), f"Each dot is {each}; all settings vary at once."),)


def _sobol(folder: SweepFolder, metric: Metric, drawn: tuple[Drawing, ...]) -> Section:
    found = explain_variance(folder.sweep, metric.name)
    title = f"What the variance of {metric.short} comes from: Sobol's indices"
    if not found.shares:
        return Section(title, found.conclusions, found.conclusions, (), drawn)
    first = [_bar(share.key, share.first, share.first_interval) for share in found.shares]
    total = [_bar(share.key, share.total, share.total_interval) for share in found.shares]
    drawing = Drawing(
        (
            bars(
                [("by itself, S1", first), ("with all that it does together with others, ST", total)],
                "share of the variance",
            ),
        ),
        "Lines are 95 % bootstrap intervals. Shares lie between 0 and 1: where estimates or intervals leave that, or "
        "even the figure, there are too few samples; the table ends them there. What ST has more than S1 comes from "
        "interactions, and from chance.",
    )
    rows = tuple(
        (
            Cell(share.key),
            _share(share.first, share.first_interval),
            _share(share.total, share.total_interval),
        )
        for share in found.shares
    )
    note = f"Computed from {found.samples:,} samples, {_runs_a_point(found.replicates)}."
    table = PageTable(("key", "S1", "ST"), rows, note)
    said = found.conclusions
    return Section(title, said[:MOST_SAID], said[MOST_SAID:], (), (drawing, *drawn), (table,))


def _morris(folder: SweepFolder, metric: Metric, drawn: tuple[Drawing, ...]) -> Section:
    found = screen(folder.sweep, metric.name)
    title = f"Which settings matter for {metric.short}: Morris' screening"
    if not found.effects:
        return Section(title, found.conclusions, found.conclusions, (), drawn)
    points = [(effect.key, metric.scale * effect.size, metric.scale * effect.spread) for effect in found.effects]
    unit = f" ({metric.unit})" if metric.unit else ""
    drawing = Drawing(
        (scatter(points, f"μ*, mean size of an effect{unit}", f"σ, their spread{unit}"),),
        "Far to the right are settings that matter; high up are those whose effect depends on where one is, "
        "or on other settings.",
    )
    rows = tuple(
        (
            Cell(effect.key, effect.range_text),
            _in_unit(effect.size, effect.size_interval, metric),
            _in_unit(effect.mean, effect.mean_interval, metric),
            Cell(_spread(effect, metric), number=True),
            Cell("yes" if effect.told_apart else "no"),
            Cell(effect.shape),
        )
        for effect in found.effects
    )
    heads = ("key and range", f"μ*{unit}", f"μ{unit}", f"σ{unit}", "told apart from chance", "it acts")
    note = f"Computed from {found.trajectories:,} trajectories, {_runs_a_point(found.replicates)}."
    said = found.conclusions
    return Section(title, said[:MOST_SAID], said[MOST_SAID:], (), (drawing, *drawn), (PageTable(heads, rows, note),))


def _runs_a_point(replicates: float) -> str:
    return "one run per point" if replicates == 1 else f"{plain(replicates)} runs per point"


def _spread(effect: Effect, metric: Metric) -> str:
    """With as many digits as the mean size has."""
    size = effect.size_interval
    digits = digits_for(metric.scale * (size.high - size.low) / 2.0, metric.scale * effect.size)
    return f"{metric.scale * effect.spread:.{digits}f}"


def _bar(key: str, value: float, interval: Interval) -> Bar:
    return Bar(key, value, interval.low, interval.high)


def _share(value: float, interval: Interval) -> Cell:
    return Cell(*share_texts(value, interval), number=True)


def _in_unit(value: float, interval: Interval, metric: Metric) -> Cell:
    low, mean, high = (metric.scale * number for number in (interval.low, value, interval.high))
    digits = digits_for((high - low) / 2.0, mean)
    texts = [f"{number:.{digits}f}".replace("-", "−") for number in (mean, low, high)]
    return Cell(texts[0], f"{texts[1]} to {texts[2]}", number=True)
