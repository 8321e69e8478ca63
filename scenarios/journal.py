"""What is measured while a run on the wall clock goes on, so that nothing is lost with the process."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path

from experimental_frames.convoy import Formation
from experimental_frames.convoy.tables import ROUNDS_HEADER, SERIES_HEADER, round_lines, series_lines
from scenarios.loading import fingerprint
from scenarios.results import OutputError, unwritable
from scenarios.schema import Scenario
from scenarios.stages import Stage

PERIOD = 0.5
"""Time between two looks at what is new (s)."""


class Journal:
    """Keeps ``rounds.csv`` and ``series.csv`` up to date during a run, and a ``summary.json`` that says that it runs.

    Args:
        folder: there already; the files are overwritten, and again by the final ones
        scenario: with nothing left open
        stage: of the run

    Raises:
        OutputError: a file cannot be written
    """

    def __init__(self, folder: Path, scenario: Scenario, stage: Stage) -> None:
        self._rounds = _Table(folder / "rounds.csv", ROUNDS_HEADER)
        self._series = _Table(folder / "series.csv", SERIES_HEADER)
        self._due = 0.0
        begun = {
            "scenario": scenario.model_dump(mode="json"),
            "scenario_sha256": fingerprint(scenario),
            "seed": scenario.run.seed,
            "stage": stage,
            "outcome": "running",
        }
        _write(folder / "summary.json", "w", json.dumps(begun, indent=2) + "\n")

    def update(self, formation: Formation) -> None:
        """Write what is new, if it is time to."""
        now = time.monotonic()
        if now >= self._due:
            self._due = now + PERIOD
            self._rounds.add(round_lines(formation, self._rounds.lines))
            self._series.add(series_lines(formation, self._series.lines))


class _Table:
    def __init__(self, path: Path, header: str) -> None:
        self.path = path
        self.lines = 0
        _write(path, "w", header + "\n")

    def add(self, lines: Iterable[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        if text:
            _write(self.path, "a", text)
            self.lines += text.count("\n")


def _write(path: Path, mode: str, text: str) -> None:
    try:
        with path.open(mode, encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as exc:
        raise OutputError(unwritable(path, exc)) from exc
