"""What stands in the columns of one block, and the nets between it.

Between column c and column c + 1 lies channel c. A net is all lines that begin at one terminal; where it passes a
column it has a place of its own there, like a box without height.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from devs_robotics.drawing.channels import Trunk, crossings


class Pin(Struct, eq=False):
    """Where nets end at an item: a terminal, or one side of a place where a net passes.

    Attributes:
        item: the item
        offset: below the item's top (px)
        channel: the channel that it looks into
        nets: the nets that end here, by number
    """

    item: Item
    offset: int
    channel: int
    nets: list[int] = []

    @property
    def y(self) -> int:
        """Where it is (px)."""
        return self.item.y + self.offset


class Item(Struct, eq=False):
    """Something that stands in a column: a box, a terminal of the outer box, or a place where a net passes.

    Attributes:
        column: which; the first and the last are the walls of the outer box
        kind: box, terminal in the wall, or place to pass
        height: (px)
        above: room that it needs above its top (px)
        free: whether its pins may change places
        rank: among the boxes, as they were added
        left: its pins on the left
        right: its pins on the right
        y: its top (px)
        x: its left edge (px)
        width: (px)
    """

    column: int
    kind: Literal["box", "wall", "pass"]
    height: int = 0
    above: int = 0
    free: bool = False
    rank: int = 0
    left: list[Pin] = []
    right: list[Pin] = []
    y: int = 0
    x: int = 0
    width: int = 0


Net = dict[int, list[Pin]]
"""By channel: the pins that it connects there."""


class Arrangement:
    """The items of one block in their columns, from top to bottom, and the nets between them.

    Args:
        columns: walls first and last
        nets: for each net the pins that it connects; places to pass are added
    """

    def __init__(self, columns: Sequence[list[Item]], nets: Sequence[Sequence[Pin]]) -> None:
        self.columns = columns
        self.nets = [self._net(number, pins) for number, pins in enumerate(nets)]

    def _net(self, number: int, pins: Sequence[Pin]) -> Net:
        first, last = min(pin.channel for pin in pins), max(pin.channel for pin in pins)
        net: Net = {channel: [] for channel in range(first, last + 1)}
        for pin in pins:
            pin.nets.append(number)
            net[pin.channel].append(pin)
        for column in range(first + 1, last + 1):
            item = Item(column, "pass")
            item.left, item.right = [Pin(item, 0, column - 1, [number])], [Pin(item, 0, column, [number])]
            net[column - 1] += item.left
            net[column] += item.right
            self.columns[column].append(item)
        return net

    @property
    def channels(self) -> range:
        """The numbers of all channels."""
        return range(len(self.columns) - 1)

    def trunks(self, channel: int) -> list[Trunk]:
        """The nets in a channel, without slots."""
        found = []
        for number, net in enumerate(self.nets):
            pins = net.get(channel, ())
            if pins:
                left = sorted({pin.y for pin in pins if pin.item.column == channel})
                right = sorted({pin.y for pin in pins if pin.item.column != channel})
                found.append(Trunk(number, left, right))
        return found

    def crossings(self, channels: Iterable[int]) -> int:
        """How often nets cross in some channels, if each pair does so as seldom as it can."""
        total = 0
        for channel in channels:
            nets = self.trunks(channel)
            for number, net in enumerate(nets):
                total += sum(min(crossings(net, other), crossings(other, net)) for other in nets[:number])
        return total

    def ends(self, pin: Pin) -> list[int]:
        """For each net of a pin, where its other pins in the channel are, in the middle (px)."""
        ends = []
        for number in pin.nets:
            others = sorted(other.y for other in self.nets[number][pin.channel] if other is not pin)
            if others:
                ends.append(others[(len(others) - 1) // 2])
        return ends

    def wishes(self, pins: Iterable[Pin]) -> list[int]:
        """The tops of an item with these pins at which one of its nets is straight (px)."""
        return [y - pin.offset for pin in pins for y in self.ends(pin)]
