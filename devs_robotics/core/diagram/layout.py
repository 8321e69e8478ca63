"""Where everything in a picture of a model stands: nested boxes, ports on their edges, and lines between them.

Each coupled model is laid out by itself, from the inside out: its components in columns, most lines from left to right,
lines that lead back through gaps between boxes, and all lines horizontal or vertical.
"""

from __future__ import annotations

from typing import Any

from xdevs.models import Port

from devs_robotics.core.diagram.arrangement import Arrangement, Item, Pin
from devs_robotics.core.diagram.boxes import HEADER, Box, Mark, Wire, lay_out_closed, new_box, place_marks
from devs_robotics.core.diagram.channels import GRID, Trunk, arranged
from devs_robotics.core.diagram.columns import columns
from devs_robotics.core.diagram.notes import End, note
from devs_robotics.core.diagram.ordering import order
from devs_robotics.core.diagram.outline import Block, Link
from devs_robotics.core.diagram.placing import place
from devs_robotics.core.diagram.routes import Route, routes

TRACK = 10
"""Distance between the vertical lines in a channel (px)."""

MARGIN = 20
"""Distance between what stands in a box and the box, and between boxes and the nearest vertical line (px)."""


def layout(root: Block) -> Box:
    """Lay out a model; its box begins at (0, 0), and all coordinates count from there."""
    boxes: dict[int, Box] = {}
    for block in reversed(list(root.walk())):
        box = boxes[id(block)] = new_box(block, [boxes.pop(id(child)) for child in block.children])
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
        self.stands = columns([type(child.block.model) for child in box.children], edges)
        self.last = max(self.stands) + 2
        """The number of the last column: the right wall; the left wall is column 0."""
        self.columns: list[list[Item]] = [[] for _ in range(self.last + 1)]
        self.boxes: list[tuple[Box, Item]] = []
        self.pins: dict[Mark, Pin] = {}

    def lay_out(self) -> None:
        """Give the box its size, and everything in it its place in the box."""
        self._align_widths()
        self._fill_columns()
        nets = [[self.pins[mark] for mark in dict.fromkeys((wire.source, *wire.targets))] for wire in self.box.wires]
        arrangement = Arrangement(self.columns, nets)
        order(arrangement)
        place(arrangement, HEADER + MARGIN)
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

    def _add_pin(self, item: Item, mark: Mark, offset: int) -> None:
        """A pin for a port: inputs of boxes and outputs of the outer model look to the left."""
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
                trunk.x = x + MARGIN + trunk.slot * TRACK
            x += 2 * MARGIN + TRACK * max((trunk.slot for trunk in channel), default=0)
            x += notes.get(number, 0)
            width = max((item.width for item in column), default=0)
            for item in column:
                item.width = item.width if item.kind == "box" else width
                item.x = x + (width - item.width) // 2
            x += width
            bottom = max([bottom, *(item.y + item.height for item in column)])
        box.width = max(x + box.label_width("out"), box.header_width)
        box.height = max([bottom, *(item.y for item in self.columns[0])]) + MARGIN
        for item in self.columns[self.last]:
            item.x = box.width
        place_marks(box)
        for child, item in self.boxes:
            child.x, child.y = item.x, item.y
        for mark, pin in self.pins.items():
            mark.y = pin.y if pin.item.kind == "wall" else pin.offset


def _wires(box: Box) -> list[Wire]:
    """The couplings of a box's model, in one wire all that begins at one shown port."""
    ends: dict[tuple[int, str, str], Mark] = {}
    for owner in (box, *box.children):
        for model in owner.block.models:
            for mark in owner.marks:
                ends.update(((id(model), mark.side, port.name), mark) for port in mark.view.ports)
    wires: dict[Mark, Wire] = {}
    meant: dict[tuple[Mark, Mark], list[Link]] = {}
    for link in box.block.links:
        source = _end(ends, link.source, "in" if link.source.parent is box.block.model else "out")
        target = _end(ends, link.target, "out" if link.target.parent is box.block.model else "in")
        if source is None or target is None:  # no longer there; a line would lead nowhere
            continue
        wires.setdefault(source, Wire(source, [], [], Route())).links.append(link)
        meant.setdefault((source, target), []).append(link)
    models = {mark: child.block.models for child in box.children for mark in child.marks}
    for (source, target), links in meant.items():
        wires[source].targets.append(target)
        first, last = (End(models.get(mark, (box.block.model,)), mark.view.ports) for mark in (source, target))
        if (target.side == "in") == (target in models):  # else it is no coupling of DEVS
            target.notes += filter(None, [note(first, last, links)])
    return list(wires.values())


def _end(ends: dict[tuple[int, str, str], Mark], port: Port[Any], side: str) -> Mark | None:
    """Where a coupling ends in the picture; xdevs lets one begin at an input, and end at an output, too."""
    other = "in" if side == "out" else "out"
    return ends.get((id(port.parent), side, port.name)) or ends.get((id(port.parent), other, port.name))


def _count_from_the_root(root: Box) -> None:
    """Make coordinates that count from the box around into such that count from the root's box."""
    for box in root.walk():
        for mark in box.marks:
            mark.x, mark.y = mark.x + box.x, mark.y + box.y
        for child in box.children:
            child.x, child.y = child.x + box.x, child.y + box.y
        for wire in box.wires:
            wire.route.lines = [[(x + box.x, y + box.y) for x, y in line] for line in wire.route.lines]
            wire.route.dots = [(x + box.x, y + box.y) for x, y in wire.route.dots]
