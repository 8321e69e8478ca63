"""What is said of the points of a design that the checks of the scenario refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from devs_robotics.scenarios.settings.problems import Problem

MOST = 10
"""So many mistakes are told."""

HALVINGS = 12
"""So often a range is halved in search of where it must end, which is then told to three digits."""

Mistakes = Mapping[Problem, Sequence[int]]
"""The numbers of the points that have each."""

Texts = Sequence[str]
"""Of a point, the values of the keys in their order."""

Refused = Callable[[Texts, Problem], bool]
"""Whether a point would have a problem with the same keys."""


def of_combinations(mistakes: Mistakes, keys: Sequence[str], points: Sequence[Texts]) -> str:
    """Each mistake in a line, with the points that have it."""
    return "\n".join(islice(_lines(mistakes, keys, points), MOST))


def of_sample(
    option: str,
    mistakes: Mistakes,
    keys: Sequence[str],
    points: Sequence[Texts],
    bounds: Mapping[str, tuple[float, float]],
    refused: Refused,
) -> str:
    """Each kind of mistake in a line, and where the range of a key must end.

    Args:
        option: that was given
        mistakes: of the points
        keys: that are varied
        points: the values of the keys at each
        bounds: of each key's range; both are whole numbers where all are
        refused: tells of any further point
    """
    kinds: dict[tuple[str, ...], list[tuple[int, Problem]]] = {}
    for problem, numbers in mistakes.items():
        kinds.setdefault(problem.keys, []).extend((number, problem) for number in numbers)
    lines = []
    for about, found in islice(kinds.items(), MOST):
        number, problem = min(found, key=lambda each: each[0])
        guilty = [key for key in keys if key in about]
        line = f"{option}: {len(found)} of {len(points)} points are refused, such as {_point(number, keys, points)}"
        lines.append(f"{line}: {problem}{_narrower(guilty, keys, points[number], problem, bounds, refused)}")
    return "\n".join(lines)


def _lines(mistakes: Mistakes, keys: Sequence[str], points: Sequence[Texts]) -> Iterator[str]:
    for problem, numbers in mistakes.items():
        if len(numbers) == len(points) and not (keys and len(points) == 1):
            yield f"every point: {problem}"
            continue
        others = len(numbers) - 1
        also = f" and {others} other{'s' if others > 1 else ''}" if others else ""
        yield f"{_point(numbers[0], keys, points)}{also}: {problem}"


def _point(number: int, keys: Sequence[str], points: Sequence[Texts]) -> str:
    return f"point {number} ({', '.join(f'{key}={text}' for key, text in zip(keys, points[number], strict=True))})"


def _narrower(
    guilty: Sequence[str],
    keys: Sequence[str],
    point: Texts,
    problem: Problem,
    bounds: Mapping[str, tuple[float, float]],
    refused: Refused,
) -> str:
    """What to do about the ranges of the guilty keys; nothing if none of their values would do."""
    if len(guilty) != 1:
        return f"; narrow the ranges of {' and '.join(guilty)}" if guilty else ""
    (key,) = guilty
    place = list(keys).index(key)

    def fails(value: float) -> bool:
        return refused([*point[:place], repr(value), *point[place + 1 :]], problem)

    low, high = bounds[key]
    wrong = [fails(low), fails(high)]
    if all(wrong):
        return ""
    good, bad = (low, high) if wrong[1] else (high, low)
    if not any(wrong):  # somewhere between
        return f"; narrow the range of {key}"
    whole = isinstance(low, int) and isinstance(high, int)
    for _ in range(64 if whole else HALVINGS):
        middle = (good + bad) // 2 if whole else (good + bad) / 2.0
        if middle in (good, bad):
            break
        good, bad = (good, middle) if fails(middle) else (middle, bad)
    verb = "end" if wrong[1] else "begin"
    if whole:
        return f"; {verb} the range of {key} at {good}"
    return f"; {verb} the range of {key} {'below' if wrong[1] else 'above'} {(good + bad) / 2.0:.3g}"
