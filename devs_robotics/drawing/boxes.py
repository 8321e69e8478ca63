"""Blocks with their sizes and places, and how large those are whose inside is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from msgspec import Struct
from rich.cells import cell_len

from devs_robotics.drawing.blocks import Block, Connection, Side, Terminal
from devs_robotics.drawing.channels import GRID
from devs_robotics.drawing.routing import NetRoute

HEADER = 40
"""Height of the part of a box that holds its name and caption (px)."""

ROW = 20
"""Distance between the terminals of a box whose inside is not shown (px)."""

CHARACTER, TITLE_CHARACTER = 6.7, 8.0
"""Width of a character of a terminal's name or a caption, and of a block's name (px)."""

LONGEST_NAME = 32
"""Largest length of a name (characters); a longer one is shortened in the middle."""


class TerminalMark(Struct, eq=False):
    """A terminal in its place.

    Attributes:
        terminal: what it shows
        label: its name, shortened where it is long
        x: (px)
        y: (px)
    """

    terminal: Terminal
    label: str
    x: int = 0
    y: int = 0

    @property
    def side(self) -> Side:
        """On which edge of its box it stands."""
        return self.terminal.side

    @property
    def label_width(self) -> int:
        """Room that the name needs (px)."""
        return _width(self.label, CHARACTER) + 14

    @property
    def note_width(self) -> int:
        """Room that the note needs (px)."""
        note = self.terminal.note
        return _width(note, CHARACTER) + 14 if note else 0


class DrawnWire(Struct, eq=False):
    """A connection in its place.

    Attributes:
        connection: what it shows
        source: where it begins
        targets: where it ends
        route: its lines
    """

    connection: Connection
    source: TerminalMark
    targets: list[TerminalMark]
    route: NetRoute


class Box(Struct, eq=False):
    """A block in its place.

    Attributes:
        block: what it shows
        marks: its terminals
        children: its components
        wires: the connections between them and to its own terminals
        title: the block's name, shortened where it is long
        subtitle: its caption, and how many components it has that are not shown
        level: in how many other boxes it stands
        width: (px)
        height: (px)
        x: left edge (px)
        y: top edge (px)
    """

    block: Block
    marks: list[TerminalMark]
    children: list[Box]
    wires: list[DrawnWire] = []
    title: str = ""
    subtitle: str = ""
    level: int = 0
    width: int = 0
    height: int = 0
    x: int = 0
    y: int = 0

    @property
    def stacked(self) -> bool:
        """Whether it stands for several blocks."""
        return self.block.count > 1

    @property
    def header_width(self) -> int:
        """Room that title and subtitle need (px)."""
        return max(_width(self.title, TITLE_CHARACTER), _width(self.subtitle, CHARACTER)) + 24

    def label_width(self, side: Side) -> int:
        """Room that the names of the terminals on one side, and notes on outputs, need inside the box (px)."""
        notes = side == "out"
        widths = [mark.label_width + notes * mark.note_width for mark in self.marks if mark.side == side]
        return max(widths, default=0)

    @property
    def note_width(self) -> int:
        """Room that the notes on its inputs need, to the left of the box (px)."""
        return max((mark.note_width for mark in self.marks if mark.side == "in"), default=0)

    def walk(self) -> Iterator[Box]:
        """This box and all within, depth first, in order."""
        pending = [self]
        while pending:
            box = pending.pop()
            yield box
            pending.extend(reversed(box.children))


def new_box(block: Block, children: list[Box]) -> Box:
    """A box that is not laid out yet."""
    marks = [TerminalMark(terminal, shortened(terminal.name)) for terminal in block.terminals]
    box = Box(block, marks, children, title=shortened(block.name), subtitle=shortened(block.caption))
    if box.stacked:
        box.title += f" ({block.count})"
    if block.hidden:
        box.subtitle += f" · {block.hidden} inside"
    return box


def _width(text: str, character: float) -> int:
    """Of a text, as an even number, so that halves are whole too (px)."""
    return 2 * ceil(cell_len(text) * character / 2)


def shortened(name: str) -> str:
    """A name, or its beginning and its end."""
    if cell_len(name) <= LONGEST_NAME:
        return name
    half = LONGEST_NAME // 2
    while cell_len(name[:half] + name[-half:]) >= LONGEST_NAME:
        half -= 1
    return f"{name[:half]}…{name[-half:]}"


def lay_out_closed(box: Box) -> None:
    """Lay out a box whose inside is not shown: its terminals on both sides, with their names inside."""
    rows = 0
    for side in ("in", "out"):
        marks = [mark for mark in box.marks if mark.side == side]
        rows = max(rows, len(marks))
        for row, mark in enumerate(marks):
            mark.y = HEADER + GRID + row * ROW
    box.height = HEADER + rows * ROW + (GRID if rows else 0)
    box.width = max(box.header_width, box.label_width("in") + box.label_width("out") + 16)
    place_marks(box)


def place_marks(box: Box) -> None:
    """Put the terminals of a box on its edges."""
    for mark in box.marks:
        mark.x = 0 if mark.side == "in" else box.width
