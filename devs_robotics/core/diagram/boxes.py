"""Boxes of a picture with the ports on their edges, and how large those are whose inside is not shown."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Literal

from msgspec import Struct
from rich.cells import cell_len

from devs_robotics.core.diagram.channels import GRID
from devs_robotics.core.diagram.notes import IN_PART
from devs_robotics.core.diagram.outline import Block, Link, PortView
from devs_robotics.core.diagram.routes import Route

HEADER = 40
"""Height of the part of a box that holds its name and class (px)."""

ROW = 20
"""Distance between the ports of a box whose inside is not shown (px)."""

CHARACTER, TITLE_CHARACTER = 6.7, 8.0
"""Width of a character of a port's or a class's name, and of a model's name (px)."""

LONGEST = 32
"""Longer names are shortened in the middle (characters)."""

Side = Literal["in", "out"]


class Mark(Struct, eq=False):
    """A port in the picture.

    Attributes:
        view: the port
        side: inputs stand on the left edge of their box, outputs on the right
        label: its name, shortened where it is long
        notes: which of several models or ports the wires that end here mean
        x: (px)
        y: (px)
    """

    view: PortView
    side: Side
    label: str
    notes: list[str] = []
    x: int = 0
    y: int = 0

    @property
    def note(self) -> str:
        """All notes in a few words."""
        text = ", ".join(dict.fromkeys(self.notes))
        return text if cell_len(text) <= LONGEST else IN_PART

    @property
    def label_width(self) -> int:
        """Room that the name needs (px)."""
        return _width(self.label, CHARACTER) + 14

    @property
    def note_width(self) -> int:
        """Room that the notes need (px)."""
        return _width(self.note, CHARACTER) + 14 if self.notes else 0


class Wire(Struct, eq=False):
    """All that is coupled to one port.

    Attributes:
        source: where it begins
        targets: where it ends
        links: the couplings that it stands for
        route: its lines
    """

    source: Mark
    targets: list[Mark]
    links: list[Link]
    route: Route


class Box(Struct, eq=False):
    """A model in the picture, or siblings of one shape.

    Attributes:
        block: what it shows
        marks: its ports
        children: its components
        wires: the couplings between them and to its own ports
        title: the model's name, shortened where it is long
        subtitle: the model's class, and how many components it has that are not shown
        width: (px)
        height: (px)
        x: left edge (px)
        y: top edge (px)
    """

    block: Block
    marks: list[Mark]
    children: list[Box]
    wires: list[Wire] = []
    title: str = ""
    subtitle: str = ""
    width: int = 0
    height: int = 0
    x: int = 0
    y: int = 0

    @property
    def stacked(self) -> bool:
        """Whether it stands for several models."""
        return len(self.block.models) > 1

    @property
    def header_width(self) -> int:
        """Room that title and subtitle need (px)."""
        return max(_width(self.title, TITLE_CHARACTER), _width(self.subtitle, CHARACTER)) + 24

    def label_width(self, side: Side) -> int:
        """Room that the names of the ports on one side, and notes on outputs, need inside the box (px)."""
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
    box = Box(block, [], children, title=shortened(block.name), subtitle=shortened(block.class_name))
    if box.stacked:
        box.title += f" ({len(block.models)})"
    if block.hidden:
        box.subtitle += f" · {block.hidden} inside"
    box.marks += [Mark(view, "in", shortened(view.name)) for view in block.inputs]
    box.marks += [Mark(view, "out", shortened(view.name)) for view in block.outputs]
    return box


def _width(text: str, character: float) -> int:
    """Of a text, as an even number, so that halves are whole too (px)."""
    return 2 * ceil(cell_len(text) * character / 2)


def shortened(name: str) -> str:
    """A name, or its beginning and its end."""
    if cell_len(name) <= LONGEST:
        return name
    half = LONGEST // 2
    while cell_len(name[:half] + name[-half:]) >= LONGEST:
        half -= 1
    return f"{name[:half]}…{name[-half:]}"


def lay_out_closed(box: Box) -> None:
    """Lay out a box whose inside is not shown: its ports on both sides, with their names inside."""
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
    """Put the ports of a box on its edges."""
    for mark in box.marks:
        mark.x = 0 if mark.side == "in" else box.width
