"""The tables of a sweep's report: metrics at each point of a design, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from experimental_frames.sweep.columns import METRICS, Column, column
from experimental_frames.sweep.counting import counted
from experimental_frames.sweep.losses import Losses, losses
from experimental_frames.sweep.reading import ENDING, IDENTITY, Row, Sweep, numbers
from experimental_frames.sweep.reading import Cell as Value
from experimental_frames.sweep.settings import grouped, setting
from experimental_frames.sweep.wording import percent_span, plain
from experimental_frames.sweep_report.estimates import Estimate, estimate, texts
from experimental_frames.sweep_report.sections import Cell, Table

ERROR = "error_at_pose_changes_m"
"""E of equation 7: what every section tells of."""

MAIN = (ERROR, "error_at_completed_rounds_m", "convoy_speed_m_per_s", "adjustments_per_round")
METRICS_NOTE = (
    "Means over the runs that count, and 95 % intervals below them. Where fewer than three runs count, and for what "
    "few runs have, the range of the values stands there instead; what never changes stands alone."
)

MOST_ROWS = 60
"""Of a table of design points; a larger design is told by its figures and indices."""
MOST_COLUMNS = 8
"""Points that fit side by side."""


def mean_of(rows: Sequence[Row], metric: str) -> Estimate:
    """The mean of a metric over the runs that count for it."""
    values = numbers(counted(rows, metric).rows, metric)
    return estimate([float(value) for value in values if value == value], column(metric), len(rows))


def points_table(sweep: Sweep) -> Table | None:
    """The main metrics at each point; None if they are too many for a table."""
    points = _points(sweep)
    if len(points) > MOST_ROWS:
        return None
    coherence = any(row.get("coherence") for row in sweep.rows)
    heads = [*sweep.keys, "accepted", *(column(metric).label for metric in MAIN)]
    rows = [
        (
            *(Cell(value_text(value), number=True) for value in setting(rows[0], sweep.keys)),
            Cell(f"{sum(row['ended'] == 'accepted' for row in rows)} of {len(rows)}", number=True),
            *(estimate_cell(mean_of(rows, metric), column(metric)) for metric in MAIN),
            *([Cell(_coherence(rows))] if coherence else []),
        )
        for rows in points
    ]
    return Table(
        tuple(heads + (["formation"] if coherence else [])),
        tuple(rows),
        "Means over the runs that count, and 95 % intervals below them.",
    )


def metrics_table(sweep: Sweep) -> Table | None:
    """All metrics that are numbers, the points side by side; None if they are too many for that."""
    points = _points(sweep)
    if len(points) > MOST_COLUMNS:
        return None
    rows = [
        (Cell(metric.label), *(estimate_cell(mean_of(rows, metric.name), metric) for rows in points))
        for metric in metrics_of(sweep)
    ]
    lost = (Cell("runs that lost a robot"), *(losses_cell(losses(rows)) for rows in points))
    heads = (", ".join(sweep.keys), *(", ".join(map(value_text, setting(rows[0], sweep.keys))) for rows in points))
    return Table(heads, (lost, *rows), METRICS_NOTE)


def metrics_of(sweep: Sweep) -> list[Column]:
    """The metrics in a table that are numbers and were measured in some run."""
    if not sweep.rows:
        return []
    known = {*IDENTITY, *ENDING, *sweep.keys} | {metric.name for metric in METRICS if metric.words}
    names = [name for name in sweep.rows[0] if name not in known]
    return [column(name) for name in names if any(isinstance(row[name], float) for row in sweep.rows)]


def value_text(value: Value) -> str:
    """A varied key's value for people."""
    return plain(value) if isinstance(value, float) else "–" if value is None else value


def estimate_cell(found: Estimate, metric: Column) -> Cell:
    """A mean with its interval below it."""
    mean, interval = texts(found, metric)
    return Cell(mean, interval, number=True)


def losses_cell(found: Losses) -> Cell:
    """How many runs lost a robot, with the interval of their share below it."""
    share = "" if found.interval is None else f"{percent_span(found.interval)} %"
    return Cell(f"{found.lost} of {found.runs}", share, number=True)


def _points(sweep: Sweep) -> list[list[Row]]:
    return list(grouped(sweep.rows, ("point",)).values())


def _coherence(rows: Sequence[Row]) -> str:
    counts = Counter(str(row["coherence"]) for row in rows if row.get("coherence"))
    words = {"not": "not coherent"}
    return ", ".join(f"{times} {words.get(word, word)}" for word, times in counts.most_common()) or "–"
