"""Robots, and what else has numbers, in words."""

from __future__ import annotations

from collections.abc import Iterable


def numbered(numbers: Iterable[int | str], what: str = "robot") -> str:
    """Robots, or what else has numbers, for people: ``robot 2``, ``robots 2, 3``, ``robots 2-4, 7``."""
    ordered = sorted({int(number) for number in numbers})
    spans: list[list[int]] = []
    for number in ordered:
        if spans and spans[-1][-1] == number - 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    words = [f"{span[0]}-{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans]
    return f"{what if len(ordered) == 1 else f'{what}s'} {', '.join(words)}"
