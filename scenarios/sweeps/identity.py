"""Whether two descriptions are of one sweep, and in what they differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Plain = Mapping[str, Any]


def difference(there: Plain, here: Plain) -> str:
    """The first thing in which a sweep on disk is another one than that which is wanted; empty where it is the same.

    More replicates are no difference: the runs that are there are runs of the larger sweep, too.

    Args:
        there, here: what ``design.json`` says, or would say
    """
    return difference_in([key for key, _, _ in _IDENTITY], there, here)


def difference_in(keys: Iterable[str], there: Plain, here: Plain) -> str:
    """The first difference in what some keys say: what there is, and what is wanted here; empty where there is none.

    Args:
        keys: some of ``settings``, ``design``, ``versions`` and ``sources``
        there, here: both descriptions
    """
    wanted = set(keys)
    for key, what, differences in _IDENTITY:
        if key not in wanted:
            continue
        old, new = there.get(key), here[key]
        if not isinstance(old, Mapping):
            return f"{what} (its {key} are not told)"
        told = next(differences(old, new), None)
        if told is not None:
            return f"{what} ({told})"
    return ""


def more_replicates(there: Plain, here: Plain) -> bool:
    """Whether a sweep is wanted with more replicates than that on disk has, which is the same one otherwise."""
    return bool(there["design"] != here["design"])


def _in_table(there: Plain, here: Plain) -> Iterator[str]:
    yield from (_two(key, old, new) for key, old, new in _leaves("", there, here))


def _in_design(there: Plain, here: Plain) -> Iterator[str]:
    old, new = dict(there), dict(here)
    old_points, new_points = old.pop("points", None), new.pop("points")
    replicates = old.get("replicates")
    if isinstance(replicates, int) and replicates < new["replicates"]:
        new["replicates"] = replicates
    yield from (_two(_WORDS.get(key, key), before, now) for key, before, now in _leaves("", old, new))
    if old_points == new_points:
        return
    for number, (before, now) in enumerate(zip(old_points or [], new_points, strict=False)):
        for key, value, other in zip(new["keys"], before, now, strict=False):
            if value != other:
                yield f"at point {number} {_two(key, value, other)}"
    yield f"it has {len(old_points or [])} points, and {len(new_points)} are wanted"


_WORDS = {
    "kind": "the kind",
    "keys": "what is varied",
    "bounds": "the ranges",
    "samples": "--samples",
    "replicates": "--replicates",
    "first_seed": "--seed",
}
"""What users call the keys of a design."""


def _in_sources(there: Plain, here: Plain) -> Iterator[str]:
    for name in sorted({*there, *here}):
        if there.get(name) != here.get(name):
            yield f"the files of {name} are not those that its runs were made with"


def _two(name: str, there: Any, here: Any) -> str:
    old, new = ("nothing" if value is None else json.dumps(value) for value in (there, here))
    return f"{name} is {old} there, and {new} is wanted"


def _leaves(prefix: str, there: Plain, here: Plain) -> Iterator[tuple[str, Any, Any]]:
    """Dotted keys at which two tables differ, with both values; None where there is none."""
    for key in dict.fromkeys([*here, *there]):
        old, new = there.get(key), here.get(key)
        if isinstance(old or new, Mapping) and isinstance(new or old, Mapping):
            yield from _leaves(f"{prefix}{key}.", old or {}, new or {})
        elif old != new:
            yield f"{prefix}{key}", old, new


_IDENTITY: tuple[tuple[str, str, Callable[[Plain, Plain], Iterator[str]]], ...] = (
    ("settings", "another scenario", _in_table),
    ("design", "another design", _in_design),
    ("versions", "other versions of the software", _in_table),
    ("sources", "another software", _in_sources),
)
"""What makes two sweeps the same, and what to say where they are not."""
