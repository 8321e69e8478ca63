"""The result files of a run."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from devs_robotics import DevsRoboticsError, Lateness
from devs_robotics.files import write_atomically
from experimental_frames.convoy.tables import rounds_csv, series_csv
from experimental_frames.localisation.tables import localisation_csv
from scenarios.outcome import Outcome

SOMETIMES = ("lateness.csv", "localisation.csv")
"""Result files that not every stage has."""


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


def write(folder: Path, outcome: Outcome) -> list[Path]:
    """Write all result files of a run, and remove those that an earlier run left and this one has none of.

    Returns:
        their paths

    Raises:
        OutputError: a file cannot be written; those before it are whole
    """
    from experimental_frames.report.page import report_html  # slow to load, and a sweep's workers write none

    summary, timing, localisation = outcome.summary(), outcome.timing, outcome.localisation
    texts: dict[str, Callable[[], str]] = {
        "summary.json": lambda: json.dumps(without_nan(summary), indent=2, allow_nan=False) + "\n",
        "rounds.csv": lambda: rounds_csv(outcome.formation),
        "series.csv": lambda: series_csv(outcome.formation),
    }
    if timing is not None:
        texts["lateness.csv"] = lambda: lateness_csv(timing)
    if localisation is not None:
        texts["localisation.csv"] = lambda: localisation_csv(localisation)
    texts["report.html"] = lambda: report_html(summary, outcome.formation, timing=timing, localisation=localisation)
    paths = write_texts(folder, texts)
    for name in SOMETIMES:
        if name not in texts:
            (folder / name).unlink(missing_ok=True)
    return paths


LATENESS_HEADER = "time_s,lateness_s"


def lateness_lines(timing: Lateness, first: int = 0) -> Iterator[str]:
    """How late each event was handled, from number `first` on; both are simulated seconds."""
    for time, late in zip(timing.times[first:], timing.values[first:], strict=True):
        yield f"{time!r},{late!r}"


def lateness_csv(timing: Lateness) -> str:
    """How late all events were handled."""
    return "\n".join([LATENESS_HEADER, *lateness_lines(timing)]) + "\n"


def write_texts(folder: Path, texts: Mapping[str, Callable[[], str]]) -> list[Path]:
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


def without_nan(value: Any) -> Any:
    """JSON has no NaN and no infinity: a number that does not exist is null."""
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
