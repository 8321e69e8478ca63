"""Which column of a diagram each box stands in, so that most lines lead from left to right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

Edge = tuple[int, int]
"""From one box to another."""


def columns(kinds: Sequence[Hashable], edges: Sequence[Edge]) -> list[int]:
    """The column of each box, from 0 on.

    Boxes are first put in a row in which few edges lead back, by the heuristic of P. Eades, X. Lin and W. F. Smyth
    (A fast and effective heuristic for the feedback arc set problem, 1993); ties go to the box that was added first.
    Then each box stands one column behind the last of those that lead to it, edges that lead back aside. Boxes of one
    kind that lead to one another both ways share a column.

    Args:
        kinds: of each box
        edges: between boxes; what stands more than once weighs more
    """
    group = _groups(kinds, set(edges))
    weights = Counter((group[a], group[b]) for a, b in edges if group[a] != group[b])
    place = {box: number for number, box in enumerate(_row(sorted(set(group)), weights))}
    forward = sorted((edge for edge in weights if place[edge[0]] < place[edge[1]]), key=lambda edge: place[edge[0]])
    column = dict.fromkeys(place, 0)
    for a, b in forward:
        column[b] = max(column[b], column[a] + 1)
    _pull_right(column, forward, weights)
    return [column[box] for box in group]


def _groups(kinds: Sequence[Hashable], edges: set[Edge]) -> list[int]:
    """For each box the first of those with which it shares a column."""
    group = list(range(len(kinds)))
    for a, b in sorted(edges):
        if a < b and (b, a) in edges and kinds[a] == kinds[b]:
            first, other = sorted((group[a], group[b]))
            group = [first if box == other else box for box in group]
    return group


def _row(boxes: Iterable[int], weights: Counter[Edge]) -> list[int]:
    """All boxes in a row in which few edges lead back."""
    outs: Counter[int] = Counter()
    ins: Counter[int] = Counter()
    neighbours: dict[int, set[int]] = {box: set() for box in boxes}
    for (a, b), weight in weights.items():
        outs[a] += weight
        ins[b] += weight
        neighbours[a].add(b)
        neighbours[b].add(a)
    left: list[int] = []
    right: list[int] = []
    remaining = list(neighbours)
    while remaining:
        # a box without predecessors, else one without successors, else the one with most successors to spare
        box = min(remaining, key=lambda box: (ins[box] > 0, outs[box] > 0, ins[box] - outs[box]))
        (right if ins[box] and not outs[box] else left).append(box)
        remaining.remove(box)
        for other in neighbours[box]:
            ins[other] -= weights[box, other]
            outs[other] -= weights[other, box]
    return left + right[::-1]


def _pull_right(column: dict[int, int], forward: Sequence[Edge], weights: Counter[Edge]) -> None:
    """Move boxes with more lines to the right than to the left towards those that they lead to."""
    surplus: Counter[int] = Counter()
    following: dict[int, list[int]] = {}
    for a, b in forward:
        surplus[a] += weights[a, b]
        surplus[b] -= weights[a, b]
        following.setdefault(a, []).append(b)
    for box, others in reversed(following.items()):
        if surplus[box] > 0:
            column[box] = min(column[other] for other in others) - 1
