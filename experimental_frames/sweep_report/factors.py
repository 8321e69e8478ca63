"""Sections about settings that were varied over a grid: noise, or any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from experimental_frames.convoy.published import AVERAGE_ERROR, NOISE_SETS, ROBOTS
from experimental_frames.sensitivity import Change, Elasticities, elasticities
from experimental_frames.sweep.columns import column
from experimental_frames.sweep.counting import counted
from experimental_frames.sweep.reading import Cell as Value
from experimental_frames.sweep.reading import Row, numbers
from experimental_frames.sweep.settings import grouped, moved_together, numeric
from experimental_frames.sweep.wording import plain
from experimental_frames.sweep_report.estimates import Estimate
from experimental_frames.sweep_report.figures import Line, Panel, panels
from experimental_frames.sweep_report.folders import SweepFolder, at
from experimental_frames.sweep_report.sections import Cell, Drawing, Section, Table
from experimental_frames.sweep_report.tables import ERROR, mean_of, value_text

NOISE = {"noise.dnf", "noise.anf"}
SIZE = "convoy.robots"
SECOND = "adjustments_per_round"
"""What is drawn beside E."""

NEAR = 0.1
"""A level is near a published one if it is within this share of it."""

MOST_HELD = 6
"""Combinations of other settings for each of which a section tells what this one does."""


def sections(folder: SweepFolder) -> Iterator[Section]:
    """One section for each bundle of settings that change together, but for the number of robots by itself."""
    sweep = folder.sweep
    found = elasticities(sweep, ERROR)
    for keys in moved_together(sweep.rows, sweep.keys):
        if keys == (SIZE,):
            continue
        of_keys = [entry for entry in found if entry.keys == keys]
        yield _section(folder, keys, of_keys)


def _section(folder: SweepFolder, keys: tuple[str, ...], found: Sequence[Elasticities]) -> Section:
    noise = set(keys) <= NOISE
    title = "Sensitivity to noise" if noise else f"Sensitivity to {' and '.join(keys)}"
    told = found[:MOST_HELD]
    concludes = [sentence for entry in told for sentence in with_held(entry.held, entry.conclusions[:1])]
    says = [sentence for entry in told for sentence in with_held(entry.held, entry.conclusions[1:])]
    limits = []
    if len(found) > MOST_HELD:
        limits.append(f"{title}: it is told for {MOST_HELD} of {len(found)} combinations of the other settings.")
    if not found:
        limits.append(f"{title}: what is no number has no elasticity; compare the intervals.")
    published = _published(folder, keys) if noise else ()
    shown = [_panel(folder, keys, metric) for metric in (ERROR, SECOND)]
    if published:
        limits += _levels(published, shown[0].lines[0].means)
        shown.insert(0, replace(shown[0], published=published))
        shown[1] = replace(shown[1], from_zero=False)
    caption = "Means with 95 % intervals" + ("; grey dots are single runs." if len(shown[0].lines) == 1 else ".")
    if published:
        caption += " Orange is what the paper reports; the second panel shows the same as the first from nearer."
    tables = [_changes_table(told)] if any(entry.changes for entry in told) else []
    return Section(
        title, tuple(concludes), tuple(says), tuple(limits), (Drawing(panels(shown), caption),), tuple(tables)
    )


def _levels(published: Sequence[tuple[float, float]], means: Sequence[Estimate]) -> Iterator[str]:
    """That the published averages are not reproduced in their level, where they are not."""
    ratios = [value / (100.0 * mean.mean) for (_, value), mean in zip(published, means, strict=True) if mean.n]
    if any(abs(1.0 / ratio - 1.0) > NEAR for ratio in ratios):
        low, high = f"{min(ratios):.2f}", f"{max(ratios):.2f}"
        yield (
            f"The published averages are {low if low == high else f'{low} to {high}'} times these: the level rests on "
            "the leader's step and the distance between robots, which the paper does not give. What can be compared is "
            "how much E rises with the noise."
        )


def with_held(held: Mapping[str, Value], sentences: Sequence[str]) -> list[str]:
    """Conclusions, with the other settings at which they hold."""
    if not held:
        return list(sentences)
    where = ", ".join(f"{key} = {value_text(value)}" for key, value in held.items())
    return [f"With {where}: {sentence[:1].lower()}{sentence[1:]}" for sentence in sentences]


def _panel(folder: SweepFolder, keys: tuple[str, ...], metric: str) -> Panel:
    """A metric along the levels of some keys that change together, a line for each combination of the others."""
    sweep = folder.sweep
    others = tuple(key for key in sweep.keys if key not in keys)
    as_number = len(keys) == 1 and numeric(sweep.rows, keys)
    levels = list(grouped(sweep.rows, keys))
    if numeric(sweep.rows, keys):
        levels.sort(key=lambda values: tuple(float(value or 0.0) for value in values))
    lines = []
    for held, rows in grouped(sweep.rows, others).items():
        by_level = grouped(rows, keys)
        known = [values for values in levels if values in by_level]
        lines.append(
            line_of(
                ", ".join(f"{key} = {value_text(value)}" for key, value in zip(others, held, strict=True)),
                [float(values[0] or 0.0) if as_number else float(levels.index(values)) for values in known],
                [by_level[values] for values in known],
                metric,
            )
        )
    ticks = () if as_number else tuple(", ".join(map(value_text, values)) for values in levels)
    return Panel(column(metric), ", ".join(keys), tuple(lines), ticks)


def line_of(label: str, places: Sequence[float], groups: Sequence[Sequence[Row]], metric: str) -> Line:
    """A metric at each of some places, each with the runs that belong there."""
    runs = [tuple(map(float, numbers(counted(rows, metric).rows, metric))) for rows in groups]
    return Line(label, tuple(places), tuple(runs), tuple(mean_of(rows, metric) for rows in groups))


def _published(folder: SweepFolder, keys: tuple[str, ...]) -> tuple[tuple[float, float], ...]:
    """Place and value (cm) of what the paper reports, where the levels are its noise sets and so many its robots."""
    if set(keys) != NOISE or at(folder, SIZE) != ROBOTS or SIZE in folder.sweep.keys:
        return ()
    order = [keys.index("noise.dnf"), keys.index("noise.anf")]
    levels = sorted(grouped(folder.sweep.rows, keys), key=lambda values: tuple(float(value or 0.0) for value in values))
    sets = [tuple(values[place] for place in order) for values in levels]
    if set(sets) != set(NOISE_SETS):
        return ()
    return tuple((place + 0.25, AVERAGE_ERROR[noise]) for place, noise in enumerate(sets))  # type: ignore[index]


def _changes_table(found: Sequence[Elasticities]) -> Table:
    """From level to level: how much the metric changes, and the elasticity."""
    rows = []
    for entry in found:
        held = ", ".join(f"{key} = {value_text(value)}" for key, value in entry.held.items())
        whole = [entry.whole] if len(entry.changes) > 1 else []
        for change in [*entry.changes, *whole]:
            rows.append((Cell(_between(change), held), *_change_cells(change)))
    metric = found[0].metric.title
    heads = (f"from {', '.join(found[0].keys)} to", "settings", metric, "elasticity", "pairs")
    note = (
        "Changes of the settings (the geometric mean of their factors) and of the mean, runs with the same replicate "
        "paired; intervals are a bootstrap’s at 95 %."
    )
    return Table(heads, tuple(rows), note)


def _between(change: Change) -> str:
    start, end = (", ".join(plain(value) for value in level.values.values()) for level in (change.start, change.end))
    return f"{start} to {end}"


def _change_cells(change: Change) -> tuple[Cell, ...]:
    ratio, interval = change.ratio, change.interval
    share = Cell(_percent(ratio.value), number=True)
    if ratio.interval is not None:
        low, high = _percent(ratio.interval.low), _percent(ratio.interval.high)
        share = Cell(share.text, f"{low} to {high}", number=True)
    elasticity = Cell(_two(change.elasticity), number=True)
    if interval is not None:
        elasticity = Cell(elasticity.text, f"{_two(interval.low)} to {_two(interval.high)}", number=True)
    factor = "–" if change.factor != change.factor else f"× {plain(change.factor)}"
    return Cell(factor, number=True), share, elasticity, Cell(str(ratio.pairs), number=True)


def _percent(ratio: float) -> str:
    return "–" if ratio != ratio else f"{100 * (ratio - 1):+.1f} %".replace("-", "−")


def _two(value: float) -> str:
    return "–" if value != value else f"{value:.2f}".replace("-", "−")
