"""A block diagram as SVG, with nothing that a browser would have to fetch or run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from devs_robotics.drawing.blocks import Block
from devs_robotics.drawing.boxes import Box, TerminalMark
from devs_robotics.drawing.layout import layout
from devs_robotics.drawing.routing import crossings

AROUND = 16
"""Room around the picture (px)."""

STACK = 4
"""How far each of the two sheets behind a box for several blocks sticks out (px)."""

BEND = 5.0
"""Radius of the bends of lines (px)."""

GAP = 4
"""So far on both sides of a line that crosses it a line is left out (px)."""

COLOURS = ("#1f6fb2", "#b3541e", "#2e7d32", "#8e44ad", "#00838f", "#ad1457", "#6d5f00", "#455a64")
"""Of lines; those that lead to one box differ where they can."""

SVG_STYLE = """
text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace; fill: #37414b; }
.title { font-size: 13px; font-weight: 600; fill: #10181f; }
.class { fill: #66727d; }
.coupled { fill: #f4f7fb; stroke: #7b8a99; }
.coupled.even { fill: #ffffff; }
.atomic { fill: #fff8e8; stroke: #8c7a4f; }
.wire path { fill: none; stroke-width: 1.4; }
.wire .halo { stroke: #f4f7fb; stroke-width: 5; }
.wire.even .halo { stroke: #ffffff; }
.wire:hover path:not(.halo) { stroke-width: 3.2; }
.fault path:not(.halo) { stroke-dasharray: 5 3; }
.port { fill: #37414b; stroke: #37414b; }
.port.loose { fill: #ffffff; stroke: #d84315; }
.note { font-style: italic; fill: #66727d; }
text.loose { fill: #d84315; }
"""

_Place = tuple[float, float]
"""(x, y) (px)."""


def block_diagram(block: Block) -> str:
    """A picture of a block: nested boxes, terminals on their edges, connections as lines; details where one points.

    Names and captions must be such as can stand in XML.
    """
    root = layout(block)
    picture = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
    ET.SubElement(picture, "title").text = f"{root.title}: {root.subtitle}"
    ET.SubElement(picture, "style").text = SVG_STYLE
    ground = ET.SubElement(picture, "rect", {**_at(-AROUND, -AROUND), "fill": "#ffffff"})
    boxes = list(root.walk())
    for box in boxes:
        _add_box(picture, box)
    for box in boxes:
        _add_wires(picture, box)
    for box in boxes:
        for mark in box.marks:
            _add_mark(picture, box, mark)
    right, bottom = _add_legend(picture, boxes, root.height)
    size = _size(max(root.width, right) + 2 * AROUND, bottom + 2 * AROUND)
    ground.attrib.update(size)
    picture.attrib.update({**size, "viewBox": f"{-AROUND:g} {-AROUND:g} {size['width']} {size['height']}"})
    ET.indent(picture, "")
    return ET.tostring(picture, encoding="unicode") + "\n"


def _add_box(picture: ET.Element, box: Box) -> None:
    group = _titled(picture, box.block.details)
    shade = "coupled" + _shade(box) if box.block.composite else "atomic"
    for sheet in (2, 1, 0) if box.stacked else (0,):
        place = _at(box.x + sheet * STACK, box.y - sheet * STACK)
        ET.SubElement(group, "rect", {**place, **_size(box.width, box.height), "rx": "3", "class": shade})
    ET.SubElement(group, "text", {**_at(box.x + 12, box.y + 18), "class": "title"}).text = box.title
    ET.SubElement(group, "text", {**_at(box.x + 12, box.y + 33), "class": "class"}).text = box.subtitle


def _shade(box: Box) -> str:
    return " even" if box.level % 2 == 0 else ""


def _add_wires(picture: ET.Element, box: Box) -> None:
    gaps = crossings([wire.route for wire in box.wires], GAP)
    colours = _colours(box)
    for wire, over in zip(box.wires, gaps, strict=True):
        group = _titled(picture, wire.connection.details)
        group.set("class", "wire" + _shade(box) + (" fault" if wire.connection.faulty else ""))
        group.set("stroke", colours[wire.source])
        if over:
            ET.SubElement(group, "path", {"d": _path(over), "class": "halo"})
        ET.SubElement(group, "path", {"d": _path(wire.route.lines)})
        for x, y in wire.route.dots:
            dot = {"cx": _number(x), "cy": _number(y), "r": "2.6", "fill": colours[wire.source], "stroke": "none"}
            ET.SubElement(group, "circle", dot)


def _colours(box: Box) -> dict[TerminalMark, str]:
    """A colour for the wire from each terminal, one that is seldom used yet at the boxes to which the wire leads."""
    owners = {mark: number for number, child in enumerate(box.children) for mark in child.marks}
    used: list[Counter[str]] = [Counter() for _ in box.children]
    colours: dict[TerminalMark, str] = {}
    for number, wire in enumerate(sorted(box.wires, key=lambda wire: (wire.source.x, wire.source.y))):
        touched = [used[owners[mark]] for mark in (wire.source, *wire.targets) if mark in owners]
        turn = number % len(COLOURS)
        colour = min(COLOURS[turn:] + COLOURS[:turn], key=lambda colour: sum(count[colour] for count in touched))
        colours[wire.source] = colour
        for count in touched:
            count[colour] += 1
    return colours


def _path(lines: Iterable[Sequence[_Place]]) -> str:
    """Lines with their bends rounded."""
    parts = []
    for line in lines:
        parts.append(f"M{_point(line[0])}")
        for before, corner, after in zip(line, line[1:], line[2:], strict=False):
            start, end = _towards(corner, before), _towards(corner, after)
            parts.append(f"L{_point(start)} Q{_point(corner)} {_point(end)}")
        parts.append(f"L{_point(line[-1])}")
    return " ".join(parts)


def _towards(corner: _Place, other: _Place) -> _Place:
    """Where the bend at a corner begins, on the way to the next one."""
    length = abs(other[0] - corner[0]) + abs(other[1] - corner[1])
    part = min(BEND / length, 0.5) if length else 0.0
    return corner[0] + (other[0] - corner[0]) * part, corner[1] + (other[1] - corner[1]) * part


def _add_mark(picture: ET.Element, box: Box, mark: TerminalMark) -> None:
    """A triangle on the edge of a box that points where values go, and the terminal's name inside the box."""
    inwards = mark.side == "in"
    group = _titled(picture, mark.terminal.details)
    loose = " loose" if mark.terminal.loose else ""
    _add_triangle(group, mark.x, mark.y, loose)
    # where lines go on inside the box, names stand above them
    name = {**_at(mark.x + (8 if inwards else -8), mark.y + (-4 if box.children else 4)), "class": loose.strip()}
    ET.SubElement(group, "text", {**name, "text-anchor": "start" if inwards else "end"}).text = mark.label
    if mark.terminal.note:  # before the line ends: left of the box, or left of the name inside
        note = {**_at(mark.x - 8 - (0 if inwards else mark.label_width), mark.y - 4), "class": "note"}
        ET.SubElement(group, "text", {**note, "text-anchor": "end"}).text = mark.terminal.note


def _add_triangle(parent: ET.Element, x: float, y: float, loose: str) -> None:
    ET.SubElement(parent, "path", {"d": f"M{_point((x - 4, y - 4.5))} l8.5 4.5 l-8.5 4.5 Z", "class": f"port{loose}"})


def _add_legend(picture: ET.Element, boxes: Iterable[Box], bottom: int) -> tuple[int, int]:
    """What the signs of mistakes mean, where there are any; returns where that ends on the right and below."""
    loose = any(mark.terminal.loose for box in boxes for mark in box.marks)
    fault = any(wire.connection.faulty for box in boxes for wire in box.wires)
    x, y = 8, bottom + 16
    if loose:
        _add_triangle(picture, x, y, " loose")
        ET.SubElement(picture, "text", {**_at(x + 10, y + 4), "class": "loose"}).text = "nothing coupled"
        x += 140
    if fault:
        dashes = ET.SubElement(picture, "g", {"class": "wire fault", "stroke": COLOURS[-1]})
        ET.SubElement(dashes, "path", {"d": _path([[(x, y), (x + 24, y)]])})
        ET.SubElement(picture, "text", _at(x + 30, y + 4)).text = "cannot carry values"
        x += 180
    return (x, y + 4) if loose or fault else (0, bottom)


def _titled(parent: ET.Element, lines: Iterable[str]) -> ET.Element:
    """A group that tells more when one points at it."""
    group = ET.SubElement(parent, "g")
    ET.SubElement(group, "title").text = "\n".join(lines)
    return group


def _at(x: float, y: float) -> dict[str, str]:
    return {"x": _number(x), "y": _number(y)}


def _size(width: float, height: float) -> dict[str, str]:
    return {"width": _number(width), "height": _number(height)}


def _point(point: _Place) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
