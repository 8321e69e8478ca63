"""Texts that differ by numbers only, told in one: ``robot{2..30}``, ``robot{k}.said → robot{k+1}.heard, k = 1..29``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations, pairwise

from msgspec import Struct

_NUMBER = re.compile("[0-9]{1,18}")
"""Longest number that is taken for one: 18 digits."""

_MOST_IN_STEP = 4
"""Largest count of numbers in one text that are tried as going up in step."""

Numbers = tuple[int, ...]
Template = tuple[tuple[str, ...], tuple[int, ...]]
"""The texts around the numbers, and the widths of those that are padded with zeros."""


class Folded(Struct, frozen=True):
    """One text that stands for some of the given ones.

    Attributes:
        text: with ``{2..30}``, or with ``{k}``, ``{k+1}`` and the range of k, in place of the numbers that differ
        members: which of the given texts it stands for, ascending
    """

    text: str
    members: tuple[int, ...]


def fold(texts: Sequence[str], fewest: int) -> list[Folded]:
    """Tell texts in as few as possible; each belongs to exactly one result, and the results stand in their order.

    Args:
        texts: for instance names of siblings, or couplings
        fewest: how many texts are told in one at least
    """
    alike: dict[Template, list[int]] = {}
    numbers: list[Numbers] = []
    for index, text in enumerate(texts):
        template, found = split(text)
        alike.setdefault(template, []).append(index)
        numbers.append(found)
    results: list[Folded] = []
    for template, members in alike.items():
        vectors = {index: numbers[index] for index in members}
        if len(members) >= fewest and (whole := _all_pairs(template, vectors)) is not None:
            results.append(Folded(whole, tuple(members)))
            continue
        runs = _runs(vectors, fewest) if len(members) >= fewest else []
        for positions, run in runs:
            text = _in_step(template, positions, [vectors.pop(index) for index in run])
            results.append(Folded(text, tuple(run)))
        results += [Folded(texts[index], (index,)) for index in vectors]
    return sorted(results, key=lambda folded: folded.members)


def told(names: Sequence[str]) -> str:
    """Names in one phrase: ``robot3 … robot30`` when they follow one another, else ``robot{3,5..9}, avoid``."""
    if len(names) > 2:
        template, last = split(names[0])
        for name in names[1:]:
            template_here, here = split(name)
            steps = [b - a for a, b in zip(last, here, strict=False) if b != a]
            if template_here != template or steps != [1]:
                break
            last = here
        else:
            return f"{names[0]} … {names[-1]}"
    return ", ".join(folded.text for folded in fold(names, fewest=3))


def split(text: str) -> tuple[Template, Numbers]:
    """A text without its numbers, and the numbers."""
    found = _NUMBER.findall(text)
    widths = tuple(len(digits) if digits[0] == "0" and len(digits) > 1 else 0 for digits in found)
    return (tuple(_NUMBER.split(text)), widths), tuple(map(int, found))


def ranges(numbers: Iterable[int], width: int = 0) -> str:
    """Whole numbers in a few characters: ``1..5,7``."""
    ordered = sorted(set(numbers))
    breaks = [0, *(index + 1 for index, (a, b) in enumerate(pairwise(ordered)) if b != a + 1), len(ordered)]
    parts: list[str] = []
    for start, end in pairwise(breaks):
        first, last = (f"{number:0{width}}" for number in (ordered[start], ordered[end - 1]))
        parts.append(first if end - start == 1 else f"{first},{last}" if end - start == 2 else f"{first}..{last}")
    return ",".join(parts)


def _filled(template: Template, fillings: Iterable[str]) -> str:
    parts, _ = template
    return "".join(part + filling for part, filling in zip(parts, [*fillings, ""], strict=True))


def _all_pairs(template: Template, vectors: dict[int, Numbers]) -> str | None:
    """The text for all pairs of two numbers, or for all pairs of unequal ones, if that is what these are."""
    some = next(iter(vectors.values()))
    varying = _varying(vectors)
    if len(varying) != 2 or len(set(vectors.values())) < len(vectors):
        return None
    first, second = ({vector[position] for vector in vectors.values()} for position in varying)
    unequal = all(vector[varying[0]] != vector[varying[1]] for vector in vectors.values())
    if min(len(first), len(second)) < 2 or len(vectors) < 4:
        return None
    if len(vectors) == len(first) * len(second):
        which = "all pairs"
    elif unequal and len(vectors) == len(first) * len(second) - len(first & second):
        which = "all unequal pairs"
    else:
        return None
    fillings = [f"{number:0{width}}" for number, width in zip(some, template[1], strict=True)]
    for position, values in zip(varying, (first, second), strict=True):
        fillings[position] = f"{{{ranges(values, template[1][position])}}}"
    return f"{_filled(template, fillings)}, {which}"


def _varying(vectors: dict[int, Numbers]) -> list[int]:
    columns = zip(*vectors.values(), strict=True)
    return [position for position, column in enumerate(columns) if len(set(column)) > 1]


def _runs(vectors: dict[int, Numbers], fewest: int) -> list[tuple[tuple[int, ...], list[int]]]:
    """Sets of vectors that are equal but for some positions, which go up in step; the largest first.

    Returns the positions and the members of each set; what belongs to none has no company of `fewest`.
    """
    varying = _varying(vectors)
    steps = [some for size in range(1, _MOST_IN_STEP + 1) for some in combinations(varying, size)]
    candidates: dict[tuple[int, Numbers], dict[int, int]] = {}
    for index, vector in vectors.items():
        for rank, positions in enumerate(steps):
            base = vector[positions[0]]
            key = tuple(number - base if position in positions else number for position, number in enumerate(vector))
            candidates.setdefault((rank, key), {}).setdefault(base, index)
    heap = [(-len(found), rank, key, list(found.values())) for (rank, key), found in candidates.items()]
    heapify(heap)
    taken: set[int] = set()
    runs = []
    while heap:
        size, rank, key, members = heappop(heap)
        left = [index for index in members if index not in taken]
        if len(left) < max(fewest, 2):
            continue
        if len(left) < -size:
            heappush(heap, (-len(left), rank, key, left))
            continue
        taken.update(left)
        runs.append((steps[rank], sorted(left)))
    return runs


def _in_step(template: Template, positions: tuple[int, ...], vectors: list[Numbers]) -> str:
    """The text for vectors whose numbers at `positions` go up in step."""
    some, widths = vectors[0], template[1]
    base = some[positions[0]]
    values = ranges((vector[positions[0]] for vector in vectors), widths[positions[0]])
    fillings = [f"{number:0{width}}" for number, width in zip(some, widths, strict=True)]
    if len(positions) == 1:
        fillings[positions[0]] = f"{{{values}}}"
        return _filled(template, fillings)
    for position in positions:
        difference = some[position] - base
        fillings[position] = f"{{k{difference:+}}}" if difference else "{k}"
    return f"{_filled(template, fillings)}, k = {values}"
