"""The tables of a sweep's report: metrics at each point of a design, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.sections import Cell, PageTable
from devs_robotics.experimental_frames.sweep.counting import counted
from devs_robotics.experimental_frames.sweep.losses import Losses, losses
from devs_robotics.experimental_frames.sweep.reading import ENDING, IDENTITY, Row, Sweep, number, numbers
from devs_robotics.experimental_frames.sweep.settings import grouped, key_label, setting, value_text
from devs_robotics.experimental_frames.sweep.subject import OWN, Subject
from devs_robotics.experimental_frames.sweep.wording import percent_span, word_text
from devs_robotics.experimental_frames.sweep_report.estimates import MetricEstimate, estimate, texts

METRICS_NOTE = (
    "Means over the runs that count, and 95 % intervals below them. Where fewer than three runs count, and for what "
    "few runs have, the range of the values stands there instead; what never changes stands alone."
)

MOST_ROWS = 60
"""Of a table of design points; a larger design is told by its figures and indices."""
MOST_OWN = 4
"""Of one's own metrics that stand beside the main ones."""
MOST_COLUMNS = 8
"""Points that fit side by side."""


def mean_of(rows: Sequence[Row], metric: Metric, subject: Subject) -> MetricEstimate:
    """The mean of a metric over the runs that count for it."""
    values = numbers(counted(rows, metric.name, subject).rows, metric.name)
    return estimate([float(value) for value in values if value == value], metric, len(rows))


def points_table(sweep: Sweep) -> PageTable | None:
    """The main metrics at each point; None if they are too many for a table."""
    points = _points(sweep)
    if len(points) > MOST_ROWS:
        return None
    main = sweep.subject.main_metrics
    shown = [*main, *(metric for metric in own_metrics(sweep) if metric not in main)][: len(main) + MOST_OWN]
    verdicts = verdicts_of(sweep)
    heads = [
        *(key_label(key, sweep.units) for key in sweep.keys),
        "accepted",
        *(metric.label for metric in shown),
        *(metric.short for metric in verdicts),
    ]
    rows = [
        (
            *(Cell(value_text(value), number=True) for value in setting(rows[0], sweep.keys)),
            Cell(f"{sum(row['ended'] == 'accepted' for row in rows)} of {len(rows)}", number=True),
            *(estimate_cell(mean_of(rows, metric, sweep.subject), metric) for metric in shown),
            *(Cell(_words(rows, metric)) for metric in verdicts),
        )
        for rows in points
    ]
    return PageTable(tuple(heads), tuple(rows), METRICS_NOTE)


def metrics_table(sweep: Sweep) -> PageTable | None:
    """All metrics that are numbers, the points side by side; None if they are too many for that."""
    points = _points(sweep)
    if len(points) > MOST_COLUMNS:
        return None
    rows = [
        (Cell(metric.label), *(estimate_cell(mean_of(rows, metric, sweep.subject), metric) for rows in points))
        for metric in metrics_of(sweep)
    ]
    if sweep.subject.lost:
        rows.insert(0, (Cell("runs that lost a robot"), *(losses_cell(losses(some, sweep.subject)) for some in points)))
    keys = ", ".join(key_label(key, sweep.units) for key in sweep.keys)
    heads = (keys, *(", ".join(map(value_text, setting(rows[0], sweep.keys))) for rows in points))
    return PageTable(heads, tuple(rows), METRICS_NOTE)


def metrics_of(sweep: Sweep) -> list[Metric]:
    """The metrics in a table that are numbers and were measured in some run."""
    if not sweep.rows:
        return []
    known = {*IDENTITY, *ENDING, *sweep.keys} | {metric.name for metric in sweep.subject.verdicts}
    names = [name for name in sweep.rows[0] if name not in known]
    return [_column_in(sweep, name) for name in names if any(isinstance(row[name], float) for row in sweep.rows)]


def own_metrics(sweep: Sweep) -> list[Metric]:
    """Those with a section of their own, beside the measure.

    They are those of one's own parts of the frame and, where a case names no main metrics, all.
    """
    measure, every = sweep.subject.measure, not sweep.subject.main
    others = (metric for metric in metrics_of(sweep) if metric != measure)
    return [metric for metric in others if every or metric.name.startswith(OWN)]


def verdicts_of(sweep: Sweep) -> list[Metric]:
    """The metrics in a table that are words, and that some run has."""
    return [metric for metric in sweep.subject.verdicts if any(row.get(metric.name) for row in sweep.rows)]


def _column_in(sweep: Sweep, name: str) -> Metric:
    """A metric; one that nobody has declared is taken for one that cannot be less than zero if it is so in no run."""
    found = sweep.subject.column(name)
    if sweep.subject.declares(name):
        return found
    return replace(found, signed=any(number(row, name) < 0.0 for row in sweep.rows))


def estimate_cell(found: MetricEstimate, metric: Metric) -> Cell:
    """A mean with its interval below it."""
    mean, interval = texts(found, metric)
    return Cell(mean, interval, number=True)


def losses_cell(found: Losses | None) -> Cell:
    """How many runs lost a robot, with the interval of their share below it."""
    if found is None:
        return Cell("–", number=True)
    share = "" if found.interval is None else f"{percent_span(found.interval)} %"
    return Cell(f"{found.lost} of {found.runs}", share, number=True)


def _points(sweep: Sweep) -> list[list[Row]]:
    return list(grouped(sweep.rows, ("point",)).values())


def _words(rows: Sequence[Row], metric: Metric) -> str:
    counts = Counter(str(row[metric.name]) for row in rows if row.get(metric.name))
    return ", ".join(f"{times} {word_text(word, metric)}" for word, times in counts.most_common()) or "–"
