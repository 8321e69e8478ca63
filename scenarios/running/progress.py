"""Progress bars: of a run, with simulated time, events per second and time left; and what they have in common."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichProgress

from devs_robotics import Simulator
from devs_robotics.experimental_frames.frame import Experiment


class TerminalBar:
    """A bar with the time left, shown on a terminal while it is entered; silent elsewhere.

    Args:
        columns: between the bar and the time left
        memory: the time left is told from the pace of so long a time (s)
        quiet: it is not shown
    """

    def __init__(self, *columns: ProgressColumn, memory: float = 30.0, quiet: bool = False) -> None:
        self._bar = RichProgress(
            BarColumn(),
            *columns,
            TimeRemainingColumn(),
            TextColumn("left"),
            console=Console(stderr=True),
            disable=quiet or not sys.stderr.isatty(),
            redirect_stdout=sys.stdout.isatty(),  # what goes elsewhere must not end up beside the bar
            transient=True,
            speed_estimate_period=memory,
        )

    def __enter__(self) -> Self:
        if not self._bar.disable:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar.disable:
            return  # before rich 14.3 its end is an empty line all the same
        with suppress(OSError):  # a terminal that has gone must not fail who was only shown how far he is
            self._bar.stop()


class Progress(TerminalBar):
    """Shows how far a run is.

    Args:
        quiet: nothing is shown
    """

    def __init__(self, *, quiet: bool = False) -> None:
        super().__init__(
            TaskProgressColumn(),
            TextColumn("{task.fields[simulated]:.0f} s simulated"),
            TextColumn("{task.fields[rate]:,.0f} events/s"),
            quiet=quiet,
        )
        self._started = time.perf_counter()
        self._task = self._bar.add_task("run", total=1.0, simulated=0.0, rate=0.0)

    def update(self, experiment: Experiment, simulator: Simulator) -> None:
        """Take in how far the run is now."""
        if self._bar.disable:
            return
        rate = simulator.transitions / max(1e-9, time.perf_counter() - self._started)
        with suppress(OSError):
            self._bar.update(
                self._task, completed=experiment.share(simulator.time), simulated=simulator.time, rate=rate
            )


class CountedRuns(TerminalBar):
    """Shows how many of some runs are done.

    Args:
        runs: how many there are
        quiet: nothing is shown
    """

    def __init__(self, runs: int, *, quiet: bool = False) -> None:
        super().__init__(TaskProgressColumn(), TextColumn("{task.completed:.0f} of {task.total:.0f} runs"), quiet=quiet)
        self._runs = self._bar.add_task("runs", total=runs)

    def add(self) -> None:
        """One more is done."""
        if not self._bar.disable:
            with suppress(OSError):
                self._bar.advance(self._runs)
