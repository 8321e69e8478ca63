"""A picture in which nothing lies on anything else, and each line leads where its connection does."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdevs.examples.devstone.devstone import HI, HO, LI, HOmod
from xdevs.examples.gpt.models import Efp, Gpt
from xdevs.models import Component

from devs_robotics.core.diagram.outline import outline
from devs_robotics.core.diagram.picture import picture
from devs_robotics.drawing import Block, Connection, Side, Terminal
from devs_robotics.drawing.boxes import HEADER, Box, DrawnWire
from devs_robotics.drawing.layout import layout
from devs_robotics.drawing.routing import Point
from tests.devs_robotics.core.diagram.random_models import Leaf, Other, Tree, build, deep, trees

Piece = tuple[Point, Point]


def laid_out(model: Component, *, everything: bool = False, depth: int | None = None) -> Box:
    return layout(picture(outline(model, everything=everything, depth=depth)))


def check(root: Box) -> None:
    """Everything that holds for any picture."""
    for box in root.walk():
        check_boxes(box)
        check_marks(box)
        for wire in box.wires:
            check_wire(box, wire)
        for first, second in combinations(box.wires, 2):
            assert not list(on_one_another(first, second)), (first, second)


def check_boxes(box: Box) -> None:
    for child in box.children:
        assert box.x < child.x
        assert child.x + child.width < box.x + box.width
        assert box.y + HEADER < child.y
        assert child.y + child.height < box.y + box.height
    for first, second in combinations(box.children, 2):
        beside = first.x + first.width < second.x or second.x + second.width < first.x
        assert beside or first.y + first.height < second.y or second.y + second.height < first.y


def check_marks(box: Box) -> None:
    for mark in box.marks:
        assert mark.x == (box.x if mark.side == "in" else box.x + box.width)
        assert box.y + HEADER < mark.y < box.y + box.height
    for first, second in combinations(box.marks, 2):
        assert first.side != second.side or abs(first.y - second.y) >= 20


def pieces(wire: DrawnWire) -> list[Piece]:
    return [piece for line in wire.route.lines for piece in pairwise(line) if piece[0] != piece[1]]


def check_wire(box: Box, wire: DrawnWire) -> None:
    drawn = pieces(wire)
    for (x, y), (other_x, other_y) in drawn:
        assert x == other_x or y == other_y
        assert box.x <= min(x, other_x)
        assert max(x, other_x) <= box.x + box.width
        assert box.y + HEADER < min(y, other_y)
        assert max(y, other_y) < box.y + box.height
        for child in box.children:
            assert not through(child, (x, y), (other_x, other_y))
    reached = reachable(drawn, (wire.source.x, wire.source.y))
    assert reached == set(drawn)
    for mark in wire.targets:
        assert mark is wire.source or any((mark.x, mark.y) in piece for piece in reached)


def through(box: Box, start: Point, end: Point) -> bool:
    """Whether a piece of a line leads through the inside of a box."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return left < box.x + box.width and right > box.x and top < box.y + box.height and bottom > box.y


def reachable(drawn: list[Piece], start: Point) -> set[Piece]:
    """The pieces that hang together with a point."""
    found = {piece for piece in drawn if touches(piece, (start, start))}
    new = set(found)
    while new:
        new = {piece for piece in drawn if piece not in found and any(touches(piece, other) for other in new)}
        found |= new
    return found


def touches(first: Piece, second: Piece) -> bool:
    return all(
        max(min(a[axis] for a in first), min(b[axis] for b in second))
        <= min(max(a[axis] for a in first), max(b[axis] for b in second))
        for axis in (0, 1)
    )


def on_one_another(first: DrawnWire, second: DrawnWire) -> Iterator[tuple[Piece, Piece]]:
    """Where two wires lie on one another, but for the last stretch before a port at which both end."""
    shared = {mark.y for mark in (first.source, *first.targets) if mark in (second.source, *second.targets)}
    for one in pieces(first):
        for other in pieces(second):
            for along, across in ((0, 1), (1, 0)):
                if one[0][across] == one[1][across] == other[0][across] == other[1][across]:
                    begins = max(min(a[along] for a in one), min(b[along] for b in other))
                    ends = min(max(a[along] for a in one), max(b[along] for b in other))
                    if begins < ends and not (along == 0 and one[0][1] in shared):
                        yield one, other


@given(trees, st.booleans(), st.none() | st.integers(1, 3))
def test_nothing_lies_on_anything_else(tree: Tree, everything: bool, depth: int | None) -> None:
    check(laid_out(build(tree), everything=everything, depth=depth))


@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        lambda: Gpt("gpt", 3, 4, 100),
        lambda: Efp("efp", 3, 4, 100),
        *(lambda kind=kind: kind("stone", 6, 4, 0, 0) for kind in (LI, HI, HO, HOmod)),
    ],
)
def test_known_models_are_drawn_without_overlaps(model: Callable[[], Component], everything: bool) -> None:
    check(laid_out(model(), everything=everything))


@given(trees)
def test_each_connection_is_one_wire(tree: Tree) -> None:
    for box in laid_out(build(tree), everything=True).walk():
        assert [wire.connection for wire in box.wires] == list(box.block.connections)
        for wire in box.wires:
            assert wire.source.terminal is wire.connection.source
            assert [mark.terminal for mark in wire.targets] == list(wire.connection.targets)


def test_blocks_that_stand_for_no_model_are_laid_out() -> None:
    def terminal(side: Side, name: str) -> Terminal:
        return Terminal(side, name, [name])

    def block(name: str, inner: list[Terminal], components: list[Block], connections: list[Connection]) -> Block:
        return Block(name, "a step", "step", bool(components), [name], 1, 0, inner, components, connections)

    water, cup, hot, poured = (
        terminal("in", "water"),
        terminal("out", "cup"),
        terminal("out", "hot"),
        terminal("in", "in"),
    )
    kettle_in, brewed = terminal("in", "cold"), terminal("out", "out")
    kettle, filtering = block("kettle", [kettle_in, hot], [], []), block("filter", [poured, brewed], [], [])
    connections = [Connection(water, [kettle_in], []), Connection(hot, [poured], []), Connection(brewed, [cup], [])]
    root = layout(block("coffee", [water, cup], [kettle, filtering], connections))
    check(root)
    first, second = root.children
    assert first.x + first.width < second.x


@given(trees)
def test_a_picture_is_the_same_each_time(tree: Tree) -> None:
    def places(root: Box) -> list[Any]:
        return [
            (box.x, box.y, [(mark.x, mark.y) for mark in box.marks], box.wires and lines(box)) for box in root.walk()
        ]

    def lines(box: Box) -> list[Any]:
        return [wire.route.lines for wire in box.wires]

    first, second = (laid_out(build(tree)) for _ in range(2))
    assert places(first) == places(second)


def test_a_model_deeper_than_functions_may_be_called_is_drawn() -> None:
    depth = sys.getrecursionlimit() + 1
    assert len(list(laid_out(deep(depth)).walk())) == depth + 1


def test_a_straight_chain_is_drawn_straight() -> None:
    root = laid_out(deep(5))
    assert {y for box in root.walk() for wire in box.wires for line in wire.route.lines for _, y in line} == {
        root.marks[0].y
    }


@pytest.mark.parametrize("seed", range(25))
def test_nothing_lies_on_anything_else_among_many_lines(seed: int) -> None:
    """Random models are seldom as tangled as these."""
    draw = random.Random(seed)
    leaves = [(draw.randint(0, 5), draw.randint(0, 5), None, draw.choice([Leaf, Other])) for _ in range(7)]
    choices = [(draw.randrange(1000), draw.randrange(1000)) for _ in range(40)]
    check(laid_out(build((3, 3, leaves, choices)), everything=seed % 4 > 0))
