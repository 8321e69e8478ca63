"""Where everything in a block diagram stands: nested boxes, terminals on their edges, and lines between them.

Each block is laid out by itself, from the inside out: its components in columns, most lines from left to right,
lines that lead back through gaps between boxes, and all lines horizontal or vertical.
"""

from __future__ import annotations

from devs_robotics.drawing.arrangement import Arrangement, Item, Pin
from devs_robotics.drawing.blocks import Block
from devs_robotics.drawing.boxes import HEADER, Box, DrawnWire, TerminalMark, lay_out_closed, new_box, place_marks
from devs_robotics.drawing.channels import GRID, Trunk, arranged
from devs_robotics.drawing.columns import columns
from devs_robotics.drawing.ordering import order
from devs_robotics.drawing.placing import place
from devs_robotics.drawing.routing import NetRoute, routes

TRACK = 10
"""Distance between the vertical lines in a channel (px)."""

BOX_MARGIN = 20
"""Distance between what stands in a box and the box, and between boxes and the nearest vertical line (px)."""


def layout(root: Block) -> Box:
    """Lay out a block; its box begins at (0, 0), and all coordinates count from there."""
    boxes: dict[int, Box] = {}
    for block in reversed(list(root.walk())):
        box = boxes[id(block)] = new_box(block, [boxes.pop(id(component)) for component in block.components])
        if box.children:
            _Inside(box).lay_out()
        else:
            lay_out_closed(box)
    box = boxes[id(root)]
    _count_from_the_root(box)
    return box


class _Inside:
    """Lays out a box with its components in it, which are laid out already."""

    def __init__(self, box: Box) -> None:
        self.box = box
        box.wires = _wires(box)
        owner = {mark: number for number, child in enumerate(box.children) for mark in child.marks}
        ends = [(owner.get(wire.source), owner.get(mark)) for wire in box.wires for mark in wire.targets]
        edges = [(a, b) for a, b in ends if a is not None and b is not None and a != b]
        self.stands = columns([child.block.kind for child in box.children], edges)
        self.last = max(self.stands) + 2
        """The number of the last column: the right wall; the left wall is column 0."""
        self.columns: list[list[Item]] = [[] for _ in range(self.last + 1)]
        self.boxes: list[tuple[Box, Item]] = []
        self.pins: dict[TerminalMark, Pin] = {}

    def lay_out(self) -> None:
        """Give the box its size, and everything in it its place in the box."""
        self._align_widths()
        self._fill_columns()
        nets = [[self.pins[mark] for mark in dict.fromkeys((wire.source, *wire.targets))] for wire in self.box.wires]
        arrangement = Arrangement(self.columns, nets)
        order(arrangement)
        place(arrangement, HEADER + BOX_MARGIN)
        channels = [arranged(arrangement.trunks(channel)) for channel in arrangement.channels]
        self._place_items(channels)
        for wire, route in zip(self.box.wires, routes(arrangement, channels), strict=True):
            wire.route = route

    def _align_widths(self) -> None:
        """Make closed boxes in one column equally wide."""
        closed = [
            (child, column) for child, column in zip(self.box.children, self.stands, strict=True) if not child.children
        ]
        widths: dict[int, int] = {}
        for child, column in closed:
            widths[column] = max(widths.get(column, 0), child.width)
        for child, column in closed:
            child.width = widths[column]
            place_marks(child)

    def _fill_columns(self) -> None:
        for mark in self.box.marks:
            item = Item(0 if mark.side == "in" else self.last, "wall")
            self._add_pin(item, mark, 0)
            self.columns[item.column].append(item)
        for child, column in zip(self.box.children, self.stands, strict=True):
            item = Item(column + 1, "box", child.height, GRID if child.stacked else 0, free=not child.children)
            item.width = child.width
            item.rank = len(self.boxes)
            for mark in child.marks:
                self._add_pin(item, mark, mark.y)
            self.columns[item.column].append(item)
            self.boxes.append((child, item))

    def _add_pin(self, item: Item, mark: TerminalMark, offset: int) -> None:
        """A pin for a terminal: inputs of boxes and outputs of the outer box look to the left."""
        looks_left = (mark.side == "in") == (item.kind == "box")
        pin = self.pins[mark] = Pin(item, offset, item.column - 1 if looks_left else item.column)
        (item.left if looks_left else item.right).append(pin)

    def _place_items(self, channels: list[list[Trunk]]) -> None:
        """From left to right: a channel, a column, a channel, ..."""
        box, bottom = self.box, 0
        x = box.label_width("in")
        notes: dict[int, int] = {}
        for child, item in self.boxes:
            notes[item.column] = max(notes.get(item.column, 0), child.note_width)
        for number, (column, channel) in enumerate(zip(self.columns[1:], channels, strict=True), 1):
            for trunk in channel:
                trunk.x = x + BOX_MARGIN + trunk.slot * TRACK
            x += 2 * BOX_MARGIN + TRACK * max((trunk.slot for trunk in channel), default=0)
            x += notes.get(number, 0)
            width = max((item.width for item in column), default=0)
            for item in column:
                item.width = item.width if item.kind == "box" else width
                item.x = x + (width - item.width) // 2
            x += width
            bottom = max([bottom, *(item.y + item.height for item in column)])
        box.width = max(x + box.label_width("out"), box.header_width)
        box.height = max([bottom, *(item.y for item in self.columns[0])]) + BOX_MARGIN
        for item in self.columns[self.last]:
            item.x = box.width
        place_marks(box)
        for child, item in self.boxes:
            child.x, child.y = item.x, item.y
        for mark, pin in self.pins.items():
            mark.y = pin.y if pin.item.kind == "wall" else pin.offset


def _wires(box: Box) -> list[DrawnWire]:
    """The connections of a box, between the marks of their terminals."""
    marks = {mark.terminal: mark for owner in (box, *box.children) for mark in owner.marks}
    return [
        DrawnWire(connection, marks[connection.source], [marks[target] for target in connection.targets], NetRoute())
        for connection in box.block.connections
    ]


def _count_from_the_root(root: Box) -> None:
    """Make coordinates that count from the box around into such that count from the root's box."""
    for box in root.walk():
        for mark in box.marks:
            mark.x, mark.y = mark.x + box.x, mark.y + box.y
        for child in box.children:
            child.x, child.y, child.level = child.x + box.x, child.y + box.y, box.level + 1
        for wire in box.wires:
            wire.route.lines = [[(x + box.x, y + box.y) for x, y in line] for line in wire.route.lines]
            wire.route.dots = [(x + box.x, y + box.y) for x, y in wire.route.dots]
