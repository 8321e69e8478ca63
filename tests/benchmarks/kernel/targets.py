"""What the simulator has to reach beside its peers, as ratios in one run, and what it reached."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, le, lt

from msgspec import Struct

from tests.benchmarks.kernel.results import Cells
from tests.benchmarks.kernel.table import Rows, ratio
from tests.benchmarks.kernel.work import FLOORS, WORK

HEADERS = ("target", "wanted", "declared ports", "xdevs models", "met")
LEFT = 1
COMPARISONS: dict[str, Callable[[float, float], bool]] = {"at least": ge, "at most": le, "below": lt}

Figure = Callable[[Cells, str], float]
"""What one of our kernels reached; raises KeyError when something that it takes was not measured."""


class Target(Struct, frozen=True):
    """Something to reach, by models with declared ports."""

    text: str
    comparison: str
    limit: float
    figure: Figure

    def row(self, cells: Cells) -> list[str] | None:
        """What was wanted and what was reached; None when it was not measured with declared ports."""
        figures = [self._reached(cells, kernel) for kernel in FLOORS]
        if figures[0] is None:
            return None
        met = "yes" if COMPARISONS[self.comparison](figures[0], self.limit) else "NO"
        reached = ["" if figure is None else ratio(figure) for figure in figures]
        return [self.text, f"{self.comparison} {self.limit:g}", *reached, met]

    def _reached(self, cells: Cells, kernel: str) -> float | None:
        try:
            return self.figure(cells, kernel)
        except KeyError:
            return None


def _speed_to_xdevs(work: str, limit: float) -> Target:
    def figure(cells: Cells, kernel: str) -> float:
        return cells[work, kernel].rate / cells[work, "xdevs"].rate

    return Target(f"{WORK[work].label}: speed to xdevs", "at least", limit, figure)


def _growth(cells: Cells, kernel: str) -> float:
    return cells["ring-10", kernel].rate / cells["ring-5000", kernel].rate


def _to_floor(cells: Cells, kernel: str) -> float:
    return cells["HI", FLOORS[kernel]].rate / cells["HI", kernel].rate


def _setup(cells: Cells, kernel: str) -> float:
    return cells["HI", kernel].setup_s


def _memory(cells: Cells, kernel: str) -> float:
    return cells["LI", kernel].peak_mib / cells["LI", "xdevs"].peak_mib


TARGETS = (
    _speed_to_xdevs("LI", 4),
    _speed_to_xdevs("HI", 7),
    _speed_to_xdevs("HO", 7),
    _speed_to_xdevs("HOmod", 4),
    _speed_to_xdevs("ring-5000", 700),
    Target("ring of 5000: cost of a transition to that in a ring of 10", "at most", 2.5, _growth),
    Target("HI 100x100: cost to the floor", "at most", 2.2, _to_floor),
    Target("HI 100x100: set-up of the kernel (s)", "below", 0.3, _setup),
    Target("LI 200x200: peak memory to xdevs", "below", 1, _memory),
)


def rows_of(cells: Cells) -> Rows:
    """A row for each target that was measured."""
    return [row for target in TARGETS if (row := target.row(cells))]
