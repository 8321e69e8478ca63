"""Takes apart what was told in one."""

from __future__ import annotations

import re
from itertools import product


def values(written: str) -> list[int]:
    """The numbers in ``1..3,7``."""
    bounds = [part.split("..") for part in written.split(",")]
    return [number for pair in bounds for number in range(int(pair[0]), int(pair[-1]) + 1)]


def filled(pattern: str, numbers: tuple[int, ...]) -> str:
    """A pattern with numbers in its holes, as wide as those that stand there."""
    for number in numbers:
        hole = re.search(r"{([^}]+)}", pattern)
        assert hole is not None
        first = re.split(r"[.,]", hole[1])[0]
        pattern = pattern.replace(hole[0], f"{number:0{len(first) if first[0] == '0' else 0}}", 1)
    return pattern


def taken_apart(text: str) -> list[str]:
    """The texts that a folded one stands for."""
    found = re.fullmatch(r"(.*?)(?:, (k = [\d.,]+|all pairs|all unequal pairs))?", text, re.DOTALL)
    assert found is not None
    pattern, rule = found[1], found[2] or ""
    if rule.startswith("k = "):
        steps = [int(step or 0) for step in re.findall(r"{k([+-]\d+)?}", pattern)]
        return [filled(pattern, tuple(k + step for step in steps)) for k in values(rule.removeprefix("k = "))]
    choices = product(*(values(hole) for hole in re.findall(r"{([^}]+)}", pattern)))
    return [filled(pattern, numbers) for numbers in choices if rule != "all unequal pairs" or len(set(numbers)) == 2]
