"""Which levels readings have crossed, whoever reads them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from devs_robotics.core.robots.messages import Crossed

Values = tuple[float, ...]


def crossings(levels: Sequence[float], before: Values, now: Values) -> Iterator[Crossed]:
    """What a watch tells of readings that have changed: of each element the levels on its way, in their order.

    Args:
        levels: ascending; none: one message tells every change
        before, now: the readings; one that is at a level has reached it
    """
    if not levels:
        if before != now:
            yield Crossed(now)
        return
    for element, (old, new) in enumerate(zip(before, now, strict=True)):
        first, last = bisect_right(levels, old), bisect_right(levels, new)
        for index in range(first, last):
            yield Crossed(now, element, levels[index], True)
        for index in range(first - 1, last - 1, -1):
            yield Crossed(now, element, levels[index], False)
