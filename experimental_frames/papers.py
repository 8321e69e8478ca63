"""Published results beside ours, of all papers whose systems ship: one page, and what it is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from devs_robotics.experimental_frames.report.markup import badge, link, marked, versions_line
from devs_robotics.experimental_frames.report.sections import Cell, Page, PageTable, Section, Tile

PaperVerdict = Literal["agrees", "near", "differs", "undecided", "incomparable"]
"""What is found of a published result: ours is the same within its interval; is close; is another; there are too few
runs to tell, or nothing that could be held against ours; is made of other data."""

BADGES: Mapping[PaperVerdict, str] = {
    "agrees": "",
    "near": "near",
    "differs": "rejected",
    "undecided": "interrupted",
    "incomparable": "interrupted",
}


QUICK = (
    "Made briefly (--quick), to see that all of it works: there are few runs, and short ones, so that nothing is to be "
    "concluded from these numbers, nor from their verdicts."
)


class PaperResult(Struct, frozen=True):
    """One published result beside ours.

    Attributes:
        where: the figure, table or experiment of the paper
        what: it is about
        published: as a text
        ours: as a text
        interval: of ours, as a text; empty where there is none
        verdict: in a word
        why: it is not the same, or what is to be known
    """

    where: str
    what: str
    published: str
    ours: str
    interval: str
    verdict: PaperVerdict
    why: str = ""


class PaperAgain(Struct, frozen=True):
    """A paper whose figures and tables have been made again.

    Attributes:
        title: who, and what
        results: published and ours
        pages: of all figures and tables, from the common page; name and address
        seconds: that it took, by the clock
    """

    title: str
    results: Sequence[PaperResult]
    pages: Mapping[str, str]
    seconds: float


def papers_page(papers: Sequence[PaperAgain], versions: Mapping[str, str], *, quick: bool = False) -> Page:
    """The page of all.

    Args:
        papers: in their order
        versions: of the software
        quick: whether it was made with so few runs that nothing is to be concluded
    """
    counted = Counter(result.verdict for paper in papers for result in paper.results)
    every = sum(counted.values())
    return Page(
        title="The papers again",
        lead=f"{every} published results of {len(papers)} papers beside ours.",
        top=(QUICK,) if quick else (),
        tiles=tuple(Tile(str(counted[verdict]), verdict) for verdict in BADGES if counted[verdict]),
        sections=tuple(_section(paper) for paper in papers),
        footer=(versions_line(versions),),
    )


def _section(paper: PaperAgain) -> Section:
    rows = tuple(
        (
            Cell(result.where),
            Cell(result.what),
            Cell(result.published),
            Cell(result.ours),
            Cell(result.interval or "-"),
            Cell(badge(result.verdict, BADGES[result.verdict])),
            Cell(result.why),
        )
        for result in paper.results
    )
    pages = [link(name, address) for name, address in paper.pages.items()]
    every = marked(", ".join(["{}"] * len(pages)), *pages)
    said = marked("In full: {}. It took {} s by the clock.", every, f"{paper.seconds:.0f}")
    heads = ("where", "what", "published", "ours", "95 % interval", "verdict", "why, or what to know")
    return Section(paper.title, says=(said,), tables=(PageTable(heads, rows),))


def lines(papers: Sequence[PaperAgain], *, quick: bool = False) -> list[str]:
    """A line per paper, for the terminal, and one more where nothing is to be concluded from them."""
    found = []
    for paper in papers:
        counted = Counter(result.verdict for result in paper.results)
        words = ", ".join(f"{verdict} {counted[verdict]}" for verdict in BADGES if counted[verdict])
        found.append(f"{paper.title}: {words}")
    return [*found, QUICK] if quick else found
