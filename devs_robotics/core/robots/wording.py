"""Robots in words."""

from __future__ import annotations

from collections.abc import Iterable


def numbered(robots: Iterable[int | str]) -> str:
    """Robots by number, for people: ``robot 2``, ``robots 2, 3``, ``robots 2-4, 7``."""
    ordered = sorted({int(robot) for robot in robots})
    spans: list[list[int]] = []
    for robot in ordered:
        if spans and spans[-1][-1] == robot - 1:
            spans[-1].append(robot)
        else:
            spans.append([robot])
    words = [f"{span[0]}-{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans]
    return f"{'robot' if len(ordered) == 1 else 'robots'} {', '.join(words)}"
