"""What a block diagram shows: blocks within blocks, terminals on their edges, and connections."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

Side = Literal["in", "out"]
"""Inputs stand on the left edge of their block, outputs on the right."""


class Terminal(Struct, eq=False):
    """Where connections begin and end: a place on the edge of a block.

    Attributes:
        side: which edge
        name: written inside the block
        details: lines that are shown when one points at it
        loose: whether it is marked, since it should be connected and is not
        note: said about the connections that end here, or empty
    """

    side: Side
    name: str
    details: Sequence[str]
    loose: bool = False
    note: str = ""


class Connection(Struct, eq=False):
    """One line, with branches, from a terminal to others.

    In a block's `connections` the terminals are those of its components and its own.

    Attributes:
        source: where it begins
        targets: where it ends
        details: lines that are shown when one points at it
        faulty: whether it is marked, since it cannot work
    """

    source: Terminal
    targets: Sequence[Terminal]
    details: Sequence[str]
    faulty: bool = False


class Block(Struct, eq=False):
    """A block, or several that are shown as one.

    Attributes:
        name: its title
        caption: what it is, written below
        kind: equal for blocks that are the same kind of thing
        composite: whether it is made of blocks, shown or not
        details: lines that are shown when one points at it
        count: for how many blocks it stands
        hidden: how many components it has that are not shown
        terminals: its own
        components: the blocks within
        connections: between components, and from and to its own terminals
    """

    name: str
    caption: str
    kind: Hashable
    composite: bool
    details: Sequence[str]
    count: int
    hidden: int
    terminals: Sequence[Terminal]
    components: Sequence[Block]
    connections: Sequence[Connection]

    def walk(self) -> Iterator[Block]:
        """This block and all within, depth first, in order."""
        pending = [self]
        while pending:
            block = pending.pop()
            yield block
            pending.extend(reversed(block.components))
