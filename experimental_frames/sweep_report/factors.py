"""Sections about settings that were varied over a grid: noise, or any other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.sections import Cell, Drawing, PageTable, Section
from devs_robotics.experimental_frames.sensitivity import Change, Elasticities, elasticities
from devs_robotics.experimental_frames.sensitivity.wording import graded
from devs_robotics.experimental_frames.sweep.counting import counted
from devs_robotics.experimental_frames.sweep.ratios import FEWEST_PAIRS
from devs_robotics.experimental_frames.sweep.reading import CellValue as Value
from devs_robotics.experimental_frames.sweep.reading import Row, numbers
from devs_robotics.experimental_frames.sweep.settings import (
    Setting,
    grouped,
    key_label,
    moved_together,
    numeric,
    settings_text,
    value_text,
)
from devs_robotics.experimental_frames.sweep.subject import Published, Subject
from devs_robotics.experimental_frames.sweep.wording import after_colon, capital, plain, quantity, span
from devs_robotics.experimental_frames.sweep_report.figures import MOST_BESIDE, Panel, PlottedLine, panels
from devs_robotics.experimental_frames.sweep_report.folders import SweepFolder, value_at
from devs_robotics.experimental_frames.sweep_report.tables import mean_of, own_metrics

NOISE = "noise."
"""With this the keys of noise begin."""

BESIDE = 0.25
"""A published value stands so far to the right of a level that is no number."""

NEAR = 0.1
"""A level is near a published one if it is within this share of it."""

MOST_HELD = 6
"""Combinations of other settings for each of which a section tells what this one does."""


def sections(folder: SweepFolder) -> Iterator[Section]:
    """One section for each bundle of settings that change together, but for the number of robots by itself."""
    sweep, measure = folder.sweep, folder.subject.measure
    if measure is None:
        return
    found = elasticities(sweep, measure.name)
    for keys in moved_together(sweep.rows, sweep.keys):
        if keys != (sweep.size_key,):
            yield _section(folder, keys, [entry for entry in found if entry.keys == keys], measure)


def own_sections(folder: SweepFolder) -> Iterator[Section]:
    """One section for each metric that has one, about all bundles of settings."""
    sweep = folder.sweep
    bundles = moved_together(sweep.rows, sweep.keys)
    for metric in own_metrics(sweep) if bundles else ():
        found = elasticities(sweep, metric.name)
        said = [_said(folder, [entry for entry in found if entry.keys == keys], metric, keys) for keys in bundles]
        yield Section(
            metric.label,
            tuple(sentence for concludes, _, _ in said for sentence in concludes),
            tuple(dict.fromkeys(sentence for _, says, _ in said for sentence in says)),
            tuple(sentence for _, _, limits in said for sentence in limits),
            tuple(_drawing([_panel(folder, keys, metric) for keys in some]) for some in _rows(bundles)),
            tuple(_changes_tables(folder, found)),
        )


def _section(folder: SweepFolder, keys: tuple[str, ...], found: Sequence[Elasticities], measure: Metric) -> Section:
    noise = all(key.startswith(NOISE) for key in keys)
    title = "Sensitivity to noise" if noise else f"Sensitivity to {' and '.join(keys)}"
    concludes, says, limits = _said(folder, found, measure, keys)
    beside = folder.subject.metric_beside
    shown = [_panel(folder, keys, metric) for metric in (measure, beside) if metric is not None]
    drawing = _drawing(shown)
    reported = folder.subject.published
    published = published_at(folder, keys, _levels(folder, keys))
    if published and reported is not None:
        limits += _other_level(reported, published, shown[0])
        drawing = Drawing(panels(with_published(shown, published)), f"{drawing.caption}{published_note(reported)}")
    return Section(
        title, tuple(concludes), tuple(says), tuple(limits), (drawing,), tuple(_changes_tables(folder, found))
    )


def _said(
    folder: SweepFolder, found: Sequence[Elasticities], metric: Metric, keys: tuple[str, ...]
) -> tuple[list[str], list[str], list[str]]:
    """What is concluded, what is said besides, and what is not, of a metric along some keys.

    Changes from level to level are in the table; what they say is told only where that has no room there.
    """
    told, concludes, says, limits = found[:MOST_HELD], list[str](), list[str](), list[str]()
    alike = len(found) > 1 and len({entry.conclusions[:1] for entry in found}) == 1
    if alike:
        sentence = found[0].conclusions[0]
        concludes.append(f"Whatever the other settings: {after_colon(sentence)}")
    for entry in told:
        concludes += [] if alike else with_held(folder, entry, entry.conclusions[:1])
        also = [*(change.reading for change in entry.changes if change.withheld), entry.left_out]
        says += with_held(folder, entry, [capital(said) for said in also if said])
    about = f"{metric.title} against {' and '.join(keys)}"
    if len(found) > MOST_HELD:
        limits.append(capital(f"{about} is told for {MOST_HELD} of {len(found)} combinations of the other settings"))
    if not found:
        limits.append(capital(f"{about}: what is no number has no elasticity; compare the intervals"))
    return concludes, says, limits


def _rows(bundles: Sequence[tuple[str, ...]]) -> Iterator[Sequence[tuple[str, ...]]]:
    """As many as stand side by side in a figure."""
    for first in range(0, len(bundles), MOST_BESIDE):
        yield bundles[first : first + MOST_BESIDE]


def _drawing(shown: Sequence[Panel]) -> Drawing:
    alone = len(shown[0].lines) == 1
    dots = "; grey dots beside them are single runs." if alone else "."
    return Drawing(panels(shown), f"Means with 95 % intervals{dots}")


def _levels(folder: SweepFolder, keys: tuple[str, ...]) -> dict[Setting, float]:
    """The values that keys take together, and where they stand on an axis: at their number, if they have one."""
    levels = list(grouped(folder.sweep.rows, keys))
    if numeric(folder.sweep.rows, keys):
        levels.sort(key=lambda values: tuple(float(value or 0.0) for value in values))
    as_number = _as_number(folder, keys)
    return {values: float(values[0] or 0.0) if as_number else float(place) for place, values in enumerate(levels)}


def _as_number(folder: SweepFolder, keys: tuple[str, ...]) -> bool:
    return len(keys) == 1 and numeric(folder.sweep.rows, keys)


def published_at(
    folder: SweepFolder, keys: tuple[str, ...], levels: Mapping[Setting, float]
) -> tuple[tuple[float, float], ...]:
    """Place and value (SI) of what was published, at those levels of some keys for which something was.

    All other settings of what was published must be those of the sweep, and varied by none of its keys.

    Args:
        folder: of the sweep
        keys: on the axis
        levels: of the keys, each with its place
    """
    published, sweep = folder.subject.published, folder.sweep
    found = []
    for each in () if published is None else published.values:
        others = {key: value for key, value in each.settings.items() if key not in keys}
        if any(key in sweep.keys or value_at(folder, key) != value for key, value in others.items()):
            continue
        wanted: tuple[Value, ...] = tuple(each.settings.get(key) for key in keys)
        if wanted in levels:
            found.append((levels[wanted], each.value))
    return tuple(found)


def published_note(published: Published) -> str:
    """What a figure's caption says of published values."""
    return f" Orange is what {published.source} reports; the second panel shows the same as the first, zoomed in."


def with_published(shown: Sequence[Panel], published: tuple[tuple[float, float], ...]) -> list[Panel]:
    """Panels, the first of which is shown with published values as well, and then by itself, zoomed in."""
    first, *others = shown
    scale = first.metric.scale
    shift = BESIDE if first.ticks else 0.0
    values = tuple((place + shift, scale * value) for place, value in published)
    return [replace(first, published=values), replace(first, from_zero=False), *others]


def _other_level(reported: Published, published: Sequence[tuple[float, float]], shown: Panel) -> Iterator[str]:
    """That the published values are not reproduced in their level, where they are not."""
    means = dict(zip(shown.lines[0].places, shown.lines[0].means, strict=True))
    ratios = [value / means[place].mean for place, value in published if place in means and means[place].n]
    if any(abs(1.0 / ratio - 1.0) > NEAR for ratio in ratios):
        low, high = f"{min(ratios):.2f}", f"{max(ratios):.2f}"
        times = low if low == high else f"{low} to {high}"
        yield f"The published averages are {times} times these{f': {reported.level}' if reported.level else '.'}"


def with_held(folder: SweepFolder, entry: Elasticities, sentences: Sequence[str]) -> list[str]:
    """Conclusions, with the other settings at which they hold."""
    if not entry.held:
        return list(sentences)
    where = settings_text(entry.held, folder.sweep.units)
    return [f"With {where}: {after_colon(sentence)}" for sentence in sentences]


def _panel(folder: SweepFolder, keys: tuple[str, ...], metric: Metric) -> Panel:
    """A metric along the levels of some keys that change together, a line for each combination of the others."""
    sweep, levels = folder.sweep, _levels(folder, keys)
    others = tuple(key for key in sweep.keys if key not in keys)
    lines = []
    for held, rows in grouped(sweep.rows, others).items():
        by_level = grouped(rows, keys)
        known = [values for values in levels if values in by_level]
        lines.append(
            line_of(
                settings_text(dict(zip(others, held, strict=True)), sweep.units),
                [levels[values] for values in known],
                [by_level[values] for values in known],
                metric,
                sweep.subject,
            )
        )
    ticks = () if _as_number(folder, keys) else tuple(", ".join(map(value_text, values)) for values in levels)
    return Panel(metric, ", ".join(key_label(key, sweep.units) for key in keys), tuple(lines), ticks)


def line_of(
    label: str, places: Sequence[float], groups: Sequence[Sequence[Row]], metric: Metric, subject: Subject
) -> PlottedLine:
    """A metric at each of some places, each with the runs that belong there."""
    runs = [tuple(map(float, numbers(counted(rows, metric.name, subject).rows, metric.name))) for rows in groups]
    return PlottedLine(label, tuple(places), tuple(runs), tuple(mean_of(rows, metric, subject) for rows in groups))


def _changes_tables(folder: SweepFolder, found: Sequence[Elasticities]) -> list[PageTable]:
    """From level to level, for each bundle: how much the metric changes, and the elasticity."""
    tables = []
    for keys in dict.fromkeys(entry.keys for entry in found):
        rows = []
        for entry in [entry for entry in found if entry.keys == keys][:MOST_HELD]:
            held = settings_text(entry.held, folder.sweep.units)
            whole = [entry.whole] if len(entry.changes) > 1 else []
            for change in [*entry.changes, *whole]:
                rows.append((Cell(_between(change), held), *_change_cells(entry.metric, change)))
        labels = ", ".join(key_label(key, folder.sweep.units) for key in keys)
        heads = (f"from {labels} to", "settings", found[0].metric.title, "elasticity", "it is", "pairs")
        note = (
            "Changes of the settings (the geometric mean of their factors) and of the mean, runs with the same "
            "replicate paired; intervals are a bootstrap’s at 95 %, or Student’s where there is no relative change."
        )
        tables.append(PageTable(heads, tuple(rows), note))
    return tables


def _between(change: Change) -> str:
    start, end = (", ".join(plain(value) for value in level.values.values()) for level in (change.start, change.end))
    return f"{start} to {end}"


def _change_cells(metric: Metric, change: Change) -> tuple[Cell, ...]:
    ratio, interval = change.ratio, change.interval
    share = Cell("does not change" if change.same else _percent(ratio.value), number=True)
    if ratio.interval is not None and not change.same:
        low, high = _percent(ratio.interval.low), _percent(ratio.interval.high)
        share = Cell(share.text, f"{low} to {high}", number=True)
    paired = change.difference
    if ratio.value != ratio.value and paired is not None and not change.same and not metric.rare:
        mean = paired.difference.mean
        ends = span(paired.interval, metric) if ratio.pairs >= FEWEST_PAIRS else ""
        share = Cell(f"{'+' if mean > 0.0 else ''}{quantity(mean, metric)}", ends, number=True)
    elasticity, said = Cell(_two(change.elasticity), number=True), "–"
    if interval is not None:
        elasticity = Cell(elasticity.text, f"{_two(interval.low)} to {_two(interval.high)}", number=True)
        said = graded(interval)
    factor = "–" if change.factor != change.factor else f"× {plain(change.factor)}"
    grade = Cell("not told" if change.withheld else said)
    return Cell(factor, number=True), share, elasticity, grade, Cell(str(ratio.pairs), number=True)


def _percent(ratio: float) -> str:
    return "–" if ratio != ratio else f"{100 * (ratio - 1):+.1f} %".replace("-", "−")


def _two(value: float) -> str:
    return "–" if value != value else f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")
