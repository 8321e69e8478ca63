"""Sections about designs that sample ranges: Morris' screening and Sobol's indices."""

from __future__ import annotations

from experimental_frames.sensitivity import Effect, Screening, Variance, explain_variance, screen
from experimental_frames.statistics.series import Interval
from experimental_frames.sweep.columns import Column
from experimental_frames.sweep.wording import percent, plain
from experimental_frames.sweep_report.estimates import digits_for
from experimental_frames.sweep_report.figures import Bar, bars, scatter
from experimental_frames.sweep_report.folders import SweepFolder
from experimental_frames.sweep_report.sections import Cell, Drawing, Section, Table
from experimental_frames.sweep_report.tables import ERROR

MOST_SAID = 8
"""Sentences at the top of the page; the others are in the section."""


def section(folder: SweepFolder) -> Section:
    """What a sampled design says of E."""
    if folder.kind == "morris":
        return _morris(screen(folder.sweep, ERROR))
    return _sobol(explain_variance(folder.sweep, ERROR))


def _sobol(found: Variance) -> Section:
    title = "What the variance of E comes from: Sobol's indices"
    if not found.shares:
        return Section(title, concludes=found.conclusions)
    first = [_bar(share.key, share.first, share.first_interval) for share in found.shares]
    total = [_bar(share.key, share.total, share.total_interval) for share in found.shares]
    drawing = Drawing(
        (
            bars(
                [("by itself, S1", first), ("with all that it does together with others, ST", total)],
                "share of the variance",
            ),
        ),
        "Lines are 95 % bootstrap intervals; where they leave 0 to 1, in which each share lies, there are too few "
        "samples. What ST has more than S1 comes from interactions, and from chance.",
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
    table = Table(("key", "S1", "ST"), rows, note)
    return Section(title, found.conclusions[:MOST_SAID], found.conclusions[MOST_SAID:], (), (drawing,), (table,))


def _morris(found: Screening) -> Section:
    title = "Which settings matter for E: Morris' screening"
    if not found.effects:
        return Section(title, concludes=found.conclusions)
    metric = found.metric
    points = [(effect.key, metric.scale * effect.size, metric.scale * effect.spread) for effect in found.effects]
    unit = f" ({metric.unit})" if metric.unit else ""
    drawing = Drawing(
        (scatter(points, f"μ*, mean size of an effect{unit}", f"σ, their spread{unit}"),),
        "Far to the right are settings that matter; high up are those whose effect depends on where one is, "
        "or on other settings.",
    )
    rows = tuple(
        (
            Cell(effect.key, f"{plain(effect.low)} to {plain(effect.high)}"),
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
    return Section(
        title, found.conclusions[:MOST_SAID], found.conclusions[MOST_SAID:], (), (drawing,), (Table(heads, rows, note),)
    )


def _runs_a_point(replicates: float) -> str:
    return "one run a point" if replicates == 1 else f"{plain(replicates)} runs a point"


def _spread(effect: Effect, metric: Column) -> str:
    """With as many digits as the mean size has."""
    size = effect.size_interval
    digits = digits_for(metric.scale * (size.high - size.low) / 2.0, metric.scale * effect.size)
    return f"{metric.scale * effect.spread:.{digits}f}"


def _bar(key: str, value: float, interval: Interval) -> Bar:
    return Bar(key, value, interval.low, interval.high)


def _share(value: float, interval: Interval) -> Cell:
    return Cell(f"{percent(value)} %", f"{percent(interval.low)} to {percent(interval.high)}", number=True)


def _in_unit(value: float, interval: Interval, metric: Column) -> Cell:
    low, mean, high = (metric.scale * number for number in (interval.low, value, interval.high))
    digits = digits_for((high - low) / 2.0, mean)
    texts = [f"{number:.{digits}f}".replace("-", "−") for number in (mean, low, high)]
    return Cell(texts[0], f"{texts[1]} to {texts[2]}", number=True)
