"""The progress bar of a sweep: runs that are done, and the time left."""

from __future__ import annotations

from collections.abc import Collection

from rich.progress import TextColumn

from devs_robotics.scenarios.running.progress import TerminalBar
from devs_robotics.scenarios.sweeps.design import SweepPlan
from devs_robotics.scenarios.sweeps.runs import RunRow, place

MEMORY = 3600.0
"""The time left is told from the pace of so long a time (s), since large runs are few and far between."""


class SweepProgress(TerminalBar):
    """Shows how far a sweep is.

    Args:
        sweep: which goes on
        left: its runs that are still to be done
        quiet: nothing is shown
    """

    def __init__(self, sweep: SweepPlan, left: Collection[int], *, quiet: bool = False) -> None:
        super().__init__(TextColumn("{task.fields[text]}"), memory=MEMORY, quiet=quiet)
        self._sweep = sweep
        self._done = sweep.runs - len(left)
        self._failed = 0
        self._task = self._bar.add_task("sweep", total=sum(map(self._size, left)), text=self._text())

    def add(self, row: RunRow) -> None:
        """One more run is done."""
        self._done += 1
        self._failed += row.ended == "failed"
        number = self._sweep.design.number(row.point, row.replicate)
        self._bar.update(self._task, advance=self._size(number), text=self._text())

    def _size(self, number: int) -> float:
        return place(self._sweep, number)[0].size

    def _text(self) -> str:
        failed = f", {self._failed} failed" if self._failed else ""
        return f"{self._done} of {self._sweep.runs} runs{failed}"
