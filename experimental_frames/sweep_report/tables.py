"""The tables of a sweep's report: metrics at each point of a design, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from devs_robotics.experimental_frames.convoy.metrics import METRICS
from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.report.sections import Cell, PageTable
from devs_robotics.experimental_frames.sweep.columns import OWN, column
from devs_robotics.experimental_frames.sweep.counting import counted
from devs_robotics.experimental_frames.sweep.losses import Losses, losses
from devs_robotics.experimental_frames.sweep.reading import ENDING, IDENTITY, Row, Sweep, number, numbers
from devs_robotics.experimental_frames.sweep.settings import grouped, key_label, setting, value_text
from devs_robotics.experimental_frames.sweep.wording import percent_span
from devs_robotics.experimental_frames.sweep_report.estimates import MetricEstimate, estimate, texts

ERROR = "error_at_pose_changes_m"
"""E of equation 7: what every section tells of."""

MAIN = (ERROR, "error_at_completed_rounds_m", "convoy_speed_m_per_s", "adjustments_per_round")
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


def mean_of(rows: Sequence[Row], metric: Metric) -> MetricEstimate:
    """The mean of a metric over the runs that count for it."""
    values = numbers(counted(rows, metric.name).rows, metric.name)
    return estimate([float(value) for value in values if value == value], metric, len(rows))


def points_table(sweep: Sweep) -> PageTable | None:
    """The main metrics at each point; None if they are too many for a table."""
    points = _points(sweep)
    if len(points) > MOST_ROWS:
        return None
    coherence = any(row.get("coherence") for row in sweep.rows)
    shown = [*map(column, MAIN), *own_metrics(sweep)[:MOST_OWN]]
    heads = [*(key_label(key, sweep.units) for key in sweep.keys), "accepted", *(metric.label for metric in shown)]
    rows = [
        (
            *(Cell(value_text(value), number=True) for value in setting(rows[0], sweep.keys)),
            Cell(f"{sum(row['ended'] == 'accepted' for row in rows)} of {len(rows)}", number=True),
            *(estimate_cell(mean_of(rows, metric), metric) for metric in shown),
            *([Cell(_coherence(rows))] if coherence else []),
        )
        for rows in points
    ]
    return PageTable(
        tuple(heads + (["formation"] if coherence else [])),
        tuple(rows),
        METRICS_NOTE,
    )


def metrics_table(sweep: Sweep) -> PageTable | None:
    """All metrics that are numbers, the points side by side; None if they are too many for that."""
    points = _points(sweep)
    if len(points) > MOST_COLUMNS:
        return None
    rows = [
        (Cell(metric.label), *(estimate_cell(mean_of(rows, metric), metric) for rows in points))
        for metric in metrics_of(sweep)
    ]
    lost = (Cell("runs that lost a robot"), *(losses_cell(losses(rows)) for rows in points))
    keys = ", ".join(key_label(key, sweep.units) for key in sweep.keys)
    heads = (keys, *(", ".join(map(value_text, setting(rows[0], sweep.keys))) for rows in points))
    return PageTable(heads, (lost, *rows), METRICS_NOTE)


def metrics_of(sweep: Sweep) -> list[Metric]:
    """The metrics in a table that are numbers and were measured in some run."""
    if not sweep.rows:
        return []
    known = {*IDENTITY, *ENDING, *sweep.keys} | {metric.name for metric in METRICS if metric.words}
    names = [name for name in sweep.rows[0] if name not in known]
    return [_column_in(sweep, name) for name in names if any(isinstance(row[name], float) for row in sweep.rows)]


def own_metrics(sweep: Sweep) -> list[Metric]:
    """Those of one's own parts of the frame."""
    return [metric for metric in metrics_of(sweep) if metric.name.startswith(OWN)]


def _column_in(sweep: Sweep, name: str) -> Metric:
    """A metric; one of one's own is taken for one that cannot be less than zero if it is so in no run."""
    found = column(name)
    return replace(found, signed=any(number(row, name) < 0.0 for row in sweep.rows)) if name.startswith(OWN) else found


def estimate_cell(found: MetricEstimate, metric: Metric) -> Cell:
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
