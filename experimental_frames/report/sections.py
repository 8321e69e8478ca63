"""What every page is made of: sections with sentences, figures and tables, below a head that tells what came of it.

Texts are escaped where they are shown, but for what `markup` has made of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Drawing(Struct, frozen=True):
    """A figure: its panels as SVG texts, which stand side by side where there is room, and what is to be seen in it."""

    panels: tuple[str, ...]
    caption: str


class Cell(Struct, frozen=True):
    """One entry of a table.

    Attributes:
        text: of it
        soft: a second line, less important
        number: whether it stands to the right, under others
        rows: that it goes over; those below it have a cell less
    """

    text: str
    soft: str = ""
    number: bool = False
    rows: int = 1


def number_cells(texts: Iterable[str]) -> tuple[Cell, ...]:
    """Entries that stand to the right."""
    return tuple(Cell(text, number=True) for text in texts)


class PageTable(Struct, frozen=True):
    """A table with its heads; heads of numbers stand to the right like them, and the first cell of a row is its head.

    Attributes:
        heads: of the columns
        rows: as many cells each, but for those that a cell above goes over
        note: under it
        folded: what it is, if it is seen only on request; empty otherwise
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    folded: str = ""


class Section(Struct, frozen=True):
    """A part of a page about one question.

    Attributes:
        title: of it
        concludes: sentences, computed from the runs, for the top of the page
        says: further ones, for the section itself
        limits: what the runs do not say
        drawings: figures
        tables: with intervals, for instance
        paragraphs: running text, before all else
        html: of our own making, put in as it is, before figures
        folded: whether it is seen only on request
    """

    title: str
    concludes: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    tables: tuple[PageTable, ...] = ()
    paragraphs: tuple[str, ...] = ()
    html: str = ""
    folded: bool = False


def drawn(title: str, figure: str, caption: str) -> Section:
    """A section that is one figure."""
    return Section(title, drawings=(Drawing((figure,), caption),))


class Tile(Struct, frozen=True):
    """A main result: its value, what it is, and the value's unit."""

    value: str
    label: str
    unit: str = ""


class Page(Struct, frozen=True, kw_only=True):
    """A whole page; it needs nothing else.

    Attributes:
        title: of it
        tab: what a browser calls it; empty: the title
        lead: what it is about
        top: further paragraphs before the results, with the verdict
        tiles: main results
        concludes: what to conclude on the whole; what sections conclude follows under their titles
        limits: what not to conclude
        sections: in their order
        footer: versions, for instance
    """

    title: str
    tab: str = ""
    lead: str = ""
    top: tuple[str, ...] = ()
    tiles: tuple[Tile, ...] = ()
    concludes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    footer: tuple[str, ...] = ()
