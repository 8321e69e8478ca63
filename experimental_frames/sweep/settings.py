"""The settings of a sweep's design points: which keys change together, and which are held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from devs_robotics.experimental_frames.sweep.reading import CellValue, Row
from devs_robotics.experimental_frames.sweep.wording import plain

Setting = tuple[CellValue, ...]
"""Values of some keys, in their order."""


def setting(row: Row, keys: Iterable[str]) -> Setting:
    """The values that some keys have in a run."""
    return tuple(row[key] for key in keys)


def moved_together(rows: Sequence[Row], keys: Sequence[str]) -> list[tuple[str, ...]]:
    """The keys in bundles: keys of one bundle change together, so that the value of each tells those of the others.

    In the paper's noise sets both noises make one bundle; in a grid of all their values each is one of its own.
    Keys that never change are left out.
    """
    bundles: list[list[str]] = []
    for key in keys:
        if len({row[key] for row in rows}) < 2:
            continue
        for bundle in bundles:
            pairs = {setting(row, (bundle[0], key)) for row in rows}
            if len(pairs) == len({first for first, _ in pairs}) == len({second for _, second in pairs}):
                bundle.append(key)
                break
        else:
            bundles.append([key])
    return [tuple(bundle) for bundle in bundles]


def grouped(rows: Iterable[Row], keys: Sequence[str]) -> dict[Setting, list[Row]]:
    """The runs by the values of some keys, in the order of the table."""
    groups: dict[Setting, list[Row]] = {}
    for row in rows:
        groups.setdefault(setting(row, keys), []).append(row)
    return groups


def numeric(rows: Iterable[Row], keys: Iterable[str]) -> bool:
    """Whether each of the keys is a number in every run."""
    return all(isinstance(row[key], (int, float)) for row in rows for key in keys)


def value_text(value: CellValue, unit: str = "") -> str:
    """A setting's value for people, in its SI unit."""
    if isinstance(value, int | float):
        return f"{plain(value)} {unit}".rstrip()
    return "–" if value is None else value


def settings_text(values: Mapping[str, CellValue], units: Mapping[str, str]) -> str:
    """Settings with their values, as in "field.width = 8 m, noise.dnf = 0.2"."""
    return ", ".join(f"{key} = {value_text(value, units.get(key, ''))}" for key, value in values.items())


def key_label(key: str, units: Mapping[str, str]) -> str:
    """A key with its unit, for an axis or the head of a table."""
    return f"{key} ({units[key]})" if units.get(key) else key
