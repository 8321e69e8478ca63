"""From measurements to one cell for each model and kernel."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from msgspec import Struct

from tests.benchmarks.kernel.counting import OUTPUTS
from tests.benchmarks.kernel.measure import Job, Measured, measure
from tests.benchmarks.kernel.work import WORK, steps_of

COUNTED_PART = 10
"""Of a ring's steps only a tenth is counted: they are all alike."""


class Cell(Struct, frozen=True):
    """A kernel on a model: medians of processor time (s) and of peak memory (MiB), and the transitions of a run."""

    make_s: float
    setup_s: float
    run_s: float
    peak_mib: float
    transitions: int

    @property
    def rate(self) -> float:
        """Transitions in a second of processor time."""
        return self.transitions / self.run_s


Cells = dict[tuple[str, str], Cell]
"""By the names of model and kernel, in the order of the table."""


def cell(runs: Sequence[Measured], transitions: int) -> Cell:
    """The medians of some runs."""
    return Cell(
        median(run.make_s for run in runs),
        median(run.setup_s for run in runs),
        median(run.run_s for run in runs),
        median(run.peak_mib for run in runs),
        transitions,
    )


def transitions_in(calls: dict[str, int]) -> int:
    """How many of the calls that were counted are transitions."""
    return sum(count for name, count in calls.items() if name not in OUTPUTS)


def count(work: str, kernels: Sequence[str]) -> float:
    """Transitions in one step of a ring, or in the run of another model, as each of the kernels makes them.

    Raises SystemExit when they do not agree.
    """
    found = {}
    for kernel in kernels:
        steps = steps_of(WORK[work], kernel)
        part = None if steps is None else max(1, steps // COUNTED_PART)
        found[kernel] = transitions_in(measure(Job(WORK[work], kernel, part, counting=True)).calls) / (part or 1)
    return agreed(WORK[work].label, found)


def agreed(label: str, found: dict[str, float]) -> float:
    """What all kernels found; raises SystemExit when they differ."""
    if len(set(found.values())) != 1:
        raise SystemExit(f"the kernels do not agree on the transitions of {label}: {found}")
    return next(iter(found.values()))
