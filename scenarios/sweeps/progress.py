"""The progress bar of a sweep: runs that are done, and the time left."""

from __future__ import annotations

import sys
from collections.abc import Collection
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from scenarios.sweeps.design import Sweep
from scenarios.sweeps.runs import Row, place, size

MEMORY = 3600.0
"""The time left is told from the pace of so long a time (s), since large runs are few and far between."""


class SweepProgress:
    """Shows how far a sweep is, on a terminal, and stays silent elsewhere.

    Args:
        sweep: which goes on
        left: its runs that are still to be done
    """

    def __init__(self, sweep: Sweep, left: Collection[int]) -> None:
        self._sweep = sweep
        self._done = sweep.runs - len(left)
        self._failed = 0
        self._bar = Progress(
            BarColumn(),
            TextColumn("{task.fields[text]}"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
            transient=True,
            speed_estimate_period=MEMORY,
        )
        self._task = self._bar.add_task("sweep", total=sum(map(self._size, left)), text=self._text())

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def add(self, row: Row) -> None:
        """One more run is done."""
        self._done += 1
        self._failed += row.ended == "failed"
        number = self._sweep.design.number(row.point, row.replicate)
        self._bar.update(self._task, advance=self._size(number), text=self._text())

    def _size(self, number: int) -> float:
        return size(place(self._sweep, number)[0].scenario)

    def _text(self) -> str:
        failed = f", {self._failed} failed" if self._failed else ""
        return f"{self._done} of {self._sweep.runs} runs{failed}"
