"""What is measured while a run on the wall clock goes on, so that nothing is lost with the process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from devs_robotics import Lateness
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.experimental_frames.instruments.localisation import LOCALISATION_HEADER, localisation_lines
from devs_robotics.scenarios.running.results import LATENESS_HEADER, OutputError, lateness_lines, unwritable
from devs_robotics.scenarios.settings.loading import fingerprint
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage

PERIOD = 0.5
"""Time between two looks at what is new (s)."""


class Journal:
    """Keeps the tables of a run up to date while it goes on, and a ``summary.json`` that says that it does.

    It begins with the first `update`: a run that cannot begin leaves what an earlier one wrote.

    Args:
        folder: there already; the files are overwritten, and again by the final ones
        scenario: with nothing left open
        stage: of the run
    """

    def __init__(self, folder: Path, scenario: Scenario, stage: Stage) -> None:
        self._folder = folder.absolute()  # a model may go to another one
        self._scenario = scenario
        self._stage = stage
        self._lines: dict[str, int] = {}
        """How many lines of each table are written."""
        self._due = 0.0

    def update(self, experiment: Experiment, lateness: Lateness | None) -> None:
        """Write what is new, if it is time to.

        Raises:
            OutputError: a file cannot be written
        """
        now = time.monotonic()
        if now < self._due:
            return
        if not self._lines:
            self._begin()
        self._due = now + PERIOD
        for name, table in experiment.measurements().items():
            self._add(name, table.header, table.lines)
        localisation = experiment.localisation
        if localisation is not None:
            self._add("localisation.csv", LOCALISATION_HEADER, lambda first: localisation_lines(localisation, first))
        if lateness is not None:
            self._add("lateness.csv", LATENESS_HEADER, lambda first: lateness_lines(lateness, first))

    def _begin(self) -> None:
        begun = {
            "scenario": self._scenario.model_dump(mode="json"),
            "scenario_sha256": fingerprint(self._scenario),
            "seed": self._scenario.run.seed,
            "stage": self._stage,
            "outcome": "running",
        }
        self._write("summary.json", "w", json.dumps(begun, indent=2) + "\n")

    def _add(self, name: str, header: str, lines_from: Callable[[int], Iterable[str]]) -> None:
        """Append the lines of a table that are new."""
        if name not in self._lines:
            self._write(name, "w", header + "\n")
            self._lines[name] = 0
        text = "".join(f"{line}\n" for line in lines_from(self._lines[name]))
        if text:
            self._write(name, "a", text)
            self._lines[name] += text.count("\n")

    def _write(self, name: str, mode: str, text: str) -> None:
        path = self._folder / name
        try:
            with path.open(mode, encoding="utf-8", newline="") as file:
                file.write(text)
        except OSError as exc:
            raise OutputError(unwritable(path, exc)) from exc
