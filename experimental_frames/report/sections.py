"""What a report is made of: sections with sentences, figures and tables."""

from __future__ import annotations

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
    """

    text: str
    soft: str = ""
    number: bool = False


class PageTable(Struct, frozen=True):
    """A table with its heads; heads of numbers stand to the right like them.

    Attributes:
        heads: of the columns
        rows: as many cells each
        note: under it
        folded: what it is, if it is seen only on request; empty otherwise
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    folded: str = ""


class Section(Struct, frozen=True):
    """A part of the report about one question.

    Attributes:
        title: of it
        concludes: sentences, computed from the runs, for the top of the page
        says: further ones, for the section itself
        limits: what the runs do not say
        drawings: figures
        tables: with intervals
    """

    title: str
    concludes: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    tables: tuple[PageTable, ...] = ()
