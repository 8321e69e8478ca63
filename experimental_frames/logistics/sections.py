"""Sections of a run's report: the published times beside this one, carriers of each robot, and failed dockings."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics.experimental_frames.logistics.logistics import CAUSES
from devs_robotics.experimental_frames.logistics.published import TABLE_V
from devs_robotics.experimental_frames.report.sections import Cell, PageTable, Section, number_cells


def published_section(seconds: float, retrieved: int, carriers: int, bound: float, *, comparable: bool) -> Section:
    """The times of Table V beside that of this run.

    Args:
        seconds: of this run
        retrieved: carriers in the drop zone at the end
        carriers: how many there were
        bound: the least time of this layout (s)
        comparable: whether it had five robots and five carriers
    """
    heads = ("", *(f"published {number}" for number in range(1, 6)), "this run")
    times = (*(f"{time:.0f}" for time in TABLE_V), f"{seconds:.0f}")
    rows = (
        (Cell("time (s)"), *number_cells(times)),
        (Cell("carriers"), *number_cells((*["5 of 5"] * 5, f"{retrieved} of {carriers}"))),
    )
    note = "Published: arXiv 2203.13809, Table V. Times until all carriers are dropped and all robots out of the zone."
    says = [f"No robots could be done with this layout in less than {bound:.1f} s."]
    if not comparable:
        says.append("The published runs had five robots and five carriers.")
    return Section("Beside what is published", says=tuple(says), tables=(PageTable(heads, rows, note),))


def robots_section(brought: Sequence[int], causes: dict[str, int]) -> Section:
    """Carriers of each robot, and why docking failed.

    Args:
        brought: carriers in the drop zone, by the robot that brought them, robot 1 first
        causes: how often each cause ended an attempt
    """
    heads = ("robot", *(str(number) for number in range(1, len(brought) + 1)))
    carried = PageTable(heads, ((Cell("carriers"), *number_cells(map(str, brought))),))
    titles = {
        "lost": "tag or map lost",
        "blocked": "something in the way",
        "warned": "a collision was likely",
        "missed": "not below the middle",
    }
    heads = ("", *(titles[cause] for cause in CAUSES))
    failed = PageTable(heads, ((Cell("failed dockings"), *number_cells(str(causes[cause]) for cause in CAUSES)),))
    return Section("Carriers and dockings", tables=(carried, failed))
