"""Stolfi & Danoy's e-puck2 plug-in, made again for the page of all papers."""

from __future__ import annotations

from devs_robotics.experimental_frames.epuck2.comparing import Row, compared
from devs_robotics.experimental_frames.epuck2.costs.measuring import FULL, Effort
from devs_robotics.experimental_frames.epuck2.made import make
from devs_robotics.experimental_frames.epuck2.published import SIZES
from devs_robotics.experimental_frames.papers import PaperResult
from devs_robotics.scenarios import epuck2_figures
from devs_robotics.scenarios.papers import PaperWanted

TITLE = "Stolfi & Danoy, the e-puck2 in ARGoS"

BRIEF = Effort(2, 1.0)
"""Costs are hardly measured."""


def again(wanted: PaperWanted) -> tuple[list[PaperResult], dict[str, str]]:
    """Make figures and tables; returns what is compared, and their page."""
    wanted.show("costs of sensors are measured, by processor time")
    costs = epuck2_figures.measure(BRIEF if wanted.quick else FULL, SIZES[:1] if wanted.quick else SIZES)
    made = make(costs)
    paths = epuck2_figures.write(wanted.out, made)
    return [result(row) for row in compared(made)], {"figures, tables and costs": paths[-1].name}


def result(row: Row) -> PaperResult:
    """A row; ours are of models without chance, so that there is no interval."""
    verdict = "incomparable" if row.verdict == "other data" else row.verdict
    return PaperResult(row.where, row.what, row.published, row.ours, "", verdict, row.why)
