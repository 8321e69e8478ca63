"""The result files of a run."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

from devs_robotics import DevsRoboticsError, Lateness
from devs_robotics.core.files import write_atomically
from devs_robotics.experimental_frames.frame import Measurements
from devs_robotics.experimental_frames.instruments.localisation.tables import LOCALISATION_HEADER, localisation_lines
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.summary import summary as summary_of

SOMETIMES = ("lateness.csv", "localisation.csv")
"""Result files that not every stage has."""

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
    summary, timing = summary_of(outcome), outcome.timing
    localisation = outcome.localisation
    texts: dict[str, Text] = {
        "summary.json": lambda: json.dumps(without_nan(summary), indent=2, allow_nan=False) + "\n",
        **{name: partial(_measured, table) for name, table in case_of(outcome.scenario).measurements(outcome).items()},
    }
    if timing is not None:
        texts["lateness.csv"] = lambda: _csv(LATENESS_HEADER, lateness_lines(timing))
    if localisation is not None:
        texts["localisation.csv"] = lambda: _csv(LOCALISATION_HEADER, localisation_lines(localisation))
    texts["report.html"] = lambda: case_of(outcome.scenario).report(summary, outcome)
    paths = write_texts(folder, texts)
    for name in SOMETIMES:
        if name not in texts:
            (folder / name).unlink(missing_ok=True)
    return paths


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
    return f"--out: {path} cannot be written ({exc.strerror}): free or choose another place"


def _measured(table: Measurements) -> Iterator[str]:
    return _csv(table.header, table.lines(0))


def _csv(header: str, lines: Iterable[str]) -> Iterator[str]:
    """A table line by line: as a whole it may be too long for memory."""
    yield f"{header}\n"
    for line in lines:
        yield f"{line}\n"


def without_nan(value: Any) -> Any:
    """JSON has no NaN and no infinity: a number that does not exist is null."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
