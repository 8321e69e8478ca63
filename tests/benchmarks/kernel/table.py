"""The benchmark's tables, aligned for a terminal or in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from tests.benchmarks.kernel.results import Cell, Cells
from tests.benchmarks.kernel.work import FLOORS, KERNELS, WORK

HEADERS = (
    "model",
    "kernel",
    "make s",
    "set-up s",
    "run s",
    "transitions",
    "transitions/s",
    "peak MiB",
    "to xdevs",
    "to floor",
)
LEFT = 2
"""So many columns are words, aligned to the left; the others are numbers."""

Rows = list[list[str]]


def rows_of(cells: Cells) -> Rows:
    """A row for each model and kernel; a model's name stands in the first of its rows only."""
    rows: Rows = []
    named = ""
    for (work, kernel), cell in cells.items():
        rows.append(["" if work == named else WORK[work].label, KERNELS[kernel], *_numbers(cells, work, kernel, cell)])
        named = work
    return rows


def _numbers(cells: Cells, work: str, kernel: str, cell: Cell) -> list[str]:
    xdevs = cells.get((work, "xdevs"))
    floor = cells.get((work, FLOORS.get(kernel, "")))
    made = ["", ""] if kernel in FLOORS.values() else [f"{cell.make_s:.3f}", f"{cell.setup_s:.3f}"]
    return [
        *made,
        f"{cell.run_s:.3f}",
        f"{cell.transitions:,}",
        f"{cell.rate:,.0f}",
        "" if kernel in FLOORS.values() else f"{cell.peak_mib:.1f}",
        ratio(cell.rate / xdevs.rate) if xdevs else "",
        ratio(floor.rate / cell.rate) if floor else "",
    ]


def ratio(value: float) -> str:
    """Two decimals, and none of a large number."""
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def text(headers: Sequence[str], rows: Rows, left: int = LEFT) -> str:
    """Columns side by side, the first few aligned to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    return "\n".join("  ".join(_aligned(row, widths, left)).rstrip() for row in (headers, *rows))


def _aligned(row: Sequence[str], widths: Sequence[int], left: int) -> list[str]:
    padded = zip(row, widths, strict=True)
    return [entry.rjust(width) if place >= left else entry.ljust(width) for place, (entry, width) in enumerate(padded)]


def markdown(headers: Sequence[str], rows: Rows, left: int = LEFT) -> str:
    """The same as a Markdown table."""
    rule = ["---" if place < left else "---:" for place in range(len(headers))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (headers, rule, *rows))
