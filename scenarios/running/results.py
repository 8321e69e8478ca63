"""The result files of a run."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from math import isfinite, nan
from pathlib import Path
from typing import Any

from devs_robotics import DevsRoboticsError, Lateness
from devs_robotics.core.extras import available, load, sentence
from devs_robotics.core.files import write_atomically
from devs_robotics.experimental_frames.frame import Measurements
from devs_robotics.experimental_frames.instruments.localisation import LOCALISATION_HEADER, localisation_lines
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.summary import summary as summary_of

SOMETIMES = ("lateness.csv", "localisation.csv")
"""Result files that not every stage has."""

OPTION = "--out: "
"""By which somebody has named the place of result files."""

REPORT = "report.html"
"""The page about a run; there is none where `no_report` says why."""

Text = Callable[[], str | Iterable[str]]
"""Makes the text of a file, whole or in pieces."""


class OutputError(DevsRoboticsError):
    """Result files cannot be written."""


def prepare(folder: Path) -> None:
    """Make the folder and make sure that files can be put there, before anybody waits for a run.

    Raises:
        OutputError: they cannot
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as exc:
        raise OutputError(unwritable(folder, exc)) from exc


def write(folder: Path, outcome: AnyOutcome) -> list[Path]:
    """Write all result files of a run, and remove those that an earlier run left and this one has none of.

    Returns:
        their paths

    Raises:
        OutputError: a file cannot be written; those before it are whole
    """
    summary = summary_of(outcome)
    texts: dict[str, Text] = {
        "summary.json": lambda: json.dumps(without_nan(summary), indent=2, allow_nan=False) + "\n",
        **{name: partial(_csv, table) for name, table in tables_of(outcome).items()},
    }
    if not no_report():
        texts[REPORT] = lambda: case_of(outcome.scenario).report(summary, outcome)
    paths = write_texts(folder, texts)
    for name in (*SOMETIMES, REPORT):
        if name not in texts:
            (folder / name).unlink(missing_ok=True)
    return paths


def no_report() -> str:
    """Why there are no reports, and what brings them; an empty text where there are."""
    return "" if available("matplotlib") else sentence("a report needs", "matplotlib")


def tables_of(outcome: AnyOutcome) -> dict[str, Measurements]:
    """The tables of a run, by the names of their files."""
    timing, localisation = outcome.timing, outcome.localisation
    found = dict(case_of(outcome.scenario).measurements(outcome))
    if timing is not None:
        found["lateness.csv"] = Measurements(LATENESS_HEADER, lambda first: lateness_lines(timing, first))
    if localisation is not None:
        found["localisation.csv"] = Measurements(
            LOCALISATION_HEADER, lambda first: localisation_lines(localisation, first)
        )
    return found


def data_frame(outcome: AnyOutcome, name: str) -> Any:
    """A table of a run as a pandas data frame.

    Args:
        outcome: of the run
        name: of the table's file, without its ``.csv``

    Raises:
        OutputError: the run has no such table, or pandas is not installed
    """
    tables = tables_of(outcome)
    if f"{name}.csv" not in tables:
        there = ", ".join(sorted(file.removesuffix(".csv") for file in tables))
        raise OutputError(f"this run has no table {name!r}: there are {there}")
    pandas: Any = load("pandas", "tables as data frames need", OutputError)
    table = tables[f"{name}.csv"]
    header = table.header.split(",")
    columns = zip(*(line.split(",") for line in table.lines(0)), strict=True)
    numbers = dict(zip(header, map(_numbers, columns), strict=False))
    return pandas.DataFrame(numbers, columns=header, dtype=None if numbers else float)


def _numbers(texts: Sequence[str]) -> list[int] | list[float]:
    """A column of a table; NaN where nothing is."""
    try:
        return [int(text) for text in texts]
    except ValueError:
        return [float(text or nan) for text in texts]


def same(outcome: AnyOutcome, other: AnyOutcome) -> bool:
    """Whether two outcomes say the same in all their result files, but for the time that they took on this machine."""
    if _timeless(summary_of(outcome)) != _timeless(summary_of(other)):
        return False
    ours, theirs = tables_of(outcome), tables_of(other)
    return ours.keys() == theirs.keys() and all(
        line == its for name in ours for line, its in zip_longest(_csv(ours[name]), _csv(theirs[name]))
    )


def _timeless(value: Any) -> Any:
    """A summary without what differs from run to run on one machine."""
    if isinstance(value, dict):
        return {key: _timeless(item) for key, item in value.items() if not key.startswith(("cpu_", "wall_"))}
    return without_nan(value)


LATENESS_HEADER = "time_s,lateness_s"


def lateness_lines(timing: Lateness, first: int = 0) -> Iterator[str]:
    """How late each event was handled, from number `first` on; both are simulated seconds."""
    for times, values in zip(timing.times.blocks(first), timing.values.blocks(first), strict=True):
        for time, late in zip(times.tolist(), values.tolist(), strict=True):
            yield f"{time!r},{late!r}"


def write_texts(folder: Path, texts: Mapping[str, Text]) -> list[Path]:
    """Write files, each whole or not at all, made one after the other; returns their paths.

    Raises:
        OutputError: a file cannot be written; those before it are whole
    """
    paths = []
    for name, text in texts.items():
        path = folder / name
        try:
            write_atomically(path, text())
        except OSError as exc:
            raise OutputError(unwritable(path, exc)) from exc
        paths.append(path)
    return paths


def unwritable(path: Path, exc: OSError) -> str:
    """What to say of a file that cannot be written."""
    why = exc.strerror or "not all of its files"  # as shutil says, which lists them
    return f"{OPTION}{path} cannot be written ({why}): free or choose another place"


def without_option(said: str) -> str:
    """The same sentence where nobody has named the place by ``--out``."""
    return said.removeprefix(OPTION)


def _csv(table: Measurements) -> Iterator[str]:
    """A table line by line: as a whole it may be too long for memory."""
    yield f"{table.header}\n"
    for line in table.lines(0):
        yield f"{line}\n"


def without_nan(value: Any) -> Any:
    """JSON has no NaN and no infinity: a number that does not exist is null."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
