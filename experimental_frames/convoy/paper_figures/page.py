"""The figures 8 to 11 as files: SVG, PNG, CSV, and a page that shows all beside what the paper says."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.figure import Figure
from msgspec import Struct

from devs_robotics.experimental_frames.convoy.paper_figures import figures, tables
from devs_robotics.experimental_frames.convoy.paper_figures.comparing import MOST_GROWTH, Verdict, compared
from devs_robotics.experimental_frames.convoy.paper_figures.runs import PaperRun, Snapshot
from devs_robotics.experimental_frames.report.drawing import STYLE, svg
from devs_robotics.experimental_frames.report.markup import badge, code, link, marked, versions_line
from devs_robotics.experimental_frames.report.rendering import fixed, rendered
from devs_robotics.experimental_frames.report.sections import Cell, Page, PageTable, Section, drawn, number_cells
from devs_robotics.experimental_frames.report.thinning import Floats

DOTS_PER_INCH = 150

CAPTIONS = {
    8: "The robots of one run, early and late: they leave their leader's track, and each keeps behind its front robot. "
    "A picture of one run has no confidence band.",
    9: "E(t) of equations 4 to 7 from the start, at DNF 0.1 and ANF 0.08, each point the average over thirty moves.",
    10: "Left: E(t) after the transient at the three noise sets, each mean with its 95 % band; the axis does not begin "
    "at zero. Middle: averages over time of each run (grey), and their mean with its 95 % interval. Right: by how much "
    "the average of a run rises when nothing but the noise changes, seeds paired.",
    11: "Average over time after the transient and over the robots, at DNF 0.1 and ANF 0.08. Intervals are Student's.",
}

BADGES: Mapping[Verdict, str] = {"agrees": "", "near": "near", "not near": "rejected", "not decided": "interrupted"}
"""Classes of the style sheet, by what has been found."""


class PaperFigureData(Struct, frozen=True):
    """All that the figures are made from.

    Attributes:
        runs: at all settings
        moves: robot moves at the end of each stretch
        transient: robot moves that figure 10 leaves out
        shots: for figure 8
        scenario: as plain data
        settings: that were overridden, for people
        seeds: at each setting
        versions: of the software
    """

    runs: tuple[PaperRun, ...]
    moves: Floats
    transient: float
    shots: tuple[Snapshot, ...]
    scenario: Mapping[str, Any]
    settings: tuple[str, ...]
    seeds: int
    versions: Mapping[str, str]


class Drawn(Struct, frozen=True):
    """One figure, drawn."""

    number: int
    svg: str
    png: bytes
    caption: str


def files(made: PaperFigureData) -> dict[str, str | bytes]:
    """Contents of all files, by name; the page comes last."""
    every_figure = [_drawn(number, draw) for number, draw in _figures(made).items()]
    contents: dict[str, str | bytes] = {}
    for figure in every_figure:
        contents[f"figure-{figure.number}.svg"] = figure.svg
        contents[f"figure-{figure.number}.png"] = figure.png
    contents |= {
        "figure-8.csv": tables.snapshots_csv(made.shots),
        "figures-9-10.csv": tables.series_csv(made.runs, made.moves),
        "figures-10-11-averages.csv": tables.averages_csv(made.runs),
        "runs.csv": tables.runs_csv(made.runs),
    }
    data = [link(name, name) for name in contents if name.endswith(".csv")]
    contents["index.html"] = rendered(_page(made, every_figure, data))
    return contents


def _page(made: PaperFigureData, every_figure: Sequence[Drawn], data: Sequence[str]) -> Page:
    counted, every = sum(run.counts for run in made.runs), len(made.runs)
    some = "; only these enter means and bands" if counted < every else ""
    with_settings = marked(" and {}", code(" ".join(made.settings))) if made.settings else ""
    sections = [Section("What agrees, and what does not", tables=(_compared_table(made),))]
    sections += [drawn(f"Figure {each.number}", each.svg, each.caption) for each in every_figure]
    if counted < every:
        sections.append(Section("Runs that do not count", tables=(_not_counted(made.runs),)))
    return Page(
        title="Figures 8 to 11 of Hu & Zeigler, section 4.2",
        lead=marked(
            "Made again with {} seeds per setting{}. Published values are in orange.", made.seeds, with_settings
        ),
        top=(f"{counted} of {every} runs kept the formation{some}.",),
        sections=tuple(sections),
        footer=(versions_line(made.versions), marked("Data: {}.", Markup(", ").join(data))),
    )


def _compared_table(made: PaperFigureData) -> PageTable:
    rows = [
        (
            Cell(f"{row.figure}"),
            Cell(row.what, row.sentence),
            Cell(row.published, number=True),
            Cell(row.ours, row.interval, number=True),
            Cell(badge(row.verdict, BADGES[row.verdict])),
        )
        for row in compared(made.runs)
    ]
    heads = ("figure", "what", "published", "ours, 95 % interval", "verdict")
    step, distance = made.scenario["leader"]["step"], made.scenario["convoy"]["distance"]
    note = (
        "A level or a rise agrees if the published one is in our interval; no accumulation, if more growth than "
        f"{MOST_GROWTH:g} % is ruled out; growth with N, if no intervals overlap. A level is near if it is within a "
        "tenth of the published one; a rise, if it is less than two percentage points off and of the same sign; growth "
        "with N, if the means rise. What is not near, though its interval does not rule it out, or has none, is not "
        "decided. The paper gives single runs without intervals, no unit, and neither the leader's step "
        f"({fixed(step, 1, 100.0)} cm here) nor the distance between robots ({fixed(distance, 1, 100.0)} cm here). The "
        "curves themselves are only in its pictures, so that nothing but the numbers of its text stands here."
    )
    return PageTable(heads, tuple(rows), note)


def _not_counted(runs: Sequence[PaperRun]) -> PageTable:
    rows = [
        (
            *number_cells(map(str, (*run.noise, run.robots, run.seed))),
            Cell(badge(run.ended, run.ended)),
            Cell(run.reason),
        )
        for run in runs
        if not run.counts
    ]
    return PageTable(("DNF", "ANF", "robots", "seed", "ended", "why"), tuple(rows))


def _figures(made: PaperFigureData) -> dict[int, Callable[[], Figure]]:
    field, radius = made.scenario["field"], made.scenario["robot"]["radius"]
    return {
        8: lambda: figures.snapshots(made.shots, field["width"], field["height"], radius),
        9: lambda: figures.over_moves(made.runs, made.moves),
        10: lambda: figures.by_noise(made.runs, made.moves, made.transient),
        11: lambda: figures.by_size(made.runs),
    }


def _drawn(number: int, draw: Callable[[], Figure]) -> Drawn:
    with mpl.rc_context(STYLE):
        figure = draw()
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
        return Drawn(number, svg(figure, f"Figure {number}. {CAPTIONS[number]}"), buffer.getvalue(), CAPTIONS[number])


def lines(runs: Sequence[PaperRun]) -> list[str]:
    """The comparison, to be read on a terminal."""
    return [
        f"figure {row.figure}, {row.what}: published {row.published}, ours {row.ours}"
        f"{f' ({row.interval})' if row.interval else ''}. {row.sentence}"
        for row in compared(runs)
    ]
