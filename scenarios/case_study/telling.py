"""What is told of a case study's runs, sweeps and studies: hooks of a case study, each with a default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from devs_robotics.experimental_frames.frame import CaseExperiment, Measurements, Metric, measured_by
from devs_robotics.experimental_frames.frame.frame import measurements_of
from devs_robotics.experimental_frames.instruments.tracks import TRACKS_HEADER, track_lines
from devs_robotics.scenarios.case_study.outcome import (
    APPROACHES,
    CaseOutcome,
    run_measures,
    run_metrics,
)
from devs_robotics.scenarios.settings.schema import Scenario

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.report.sections import Section
    from devs_robotics.experimental_frames.study.compared import Compared
    from devs_robotics.experimental_frames.sweep import Subject
    from devs_robotics.models.robots import CaseSystem
    from devs_robotics.scenarios.comparison.run_observations import RunWatch
    from devs_robotics.scenarios.stages import Stage
    from devs_robotics.view.marks import Shown
    from devs_robotics.view.scene import Mark


class Transient(Struct, frozen=True):
    """The beginning of a run, which means leave out.

    Attributes:
        amount: how much it is
        unit: of that: ``s`` of simulated time, or what the case study counts, such as ``round``
        keys: of the scenario from which it follows, dotted
    """

    amount: float
    unit: str = "s"
    keys: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """In a sentence."""
        if not self.amount:
            return "No transient was left out."
        if self.amount == 1 and self.unit != "s":
            return f"The first {self.unit} was left out as the transient."
        unit = self.unit if self.unit == "s" else f"{self.unit}s"
        return f"The first {self.amount:g} {unit} were left out as the transient."


class Telling:
    """What is told of a case study's runs, sweeps and studies.

    An `outcome` is of the case study's `outcome_class`.

    Attributes:
        scenario: whose settings these are; in all but `check` and `filled_in` with nothing left open
        outcome_class: of its runs: `CaseOutcome`, or a class with further fields, which `measured` gives
        called: what its robots are together, for people
        tracked: whether it is kept where its robots go, for ``tracks.csv`` and pictures
    """

    scenario: Scenario
    outcome_class: ClassVar[type[CaseOutcome]] = CaseOutcome
    called: ClassVar[str] = "team"
    tracked: ClassVar[bool] = True

    # what is to be seen

    def marks(self, system: CaseSystem) -> Iterable[tuple[str, Mark] | Shown]:
        """What is to be seen beside robots, obstacles, lamps and floors, where a run is shown; by default nothing.

        It is called after `build`, and only where a run is recorded or watched.

        Returns:
            marks that are there from the beginning, each with a name of its own; and `Shown`, by which messages of a
            port make marks, change them, and take them away
        """
        return ()

    def published(self) -> Mapping[str, float]:
        """What others have published for these settings, to be drawn into plots over time: by default nothing.

        Returns:
            values by the columns of tables over time, in their units
        """
        return {}

    # runs

    def measured(self, experiment: CaseExperiment, end_s: float) -> Mapping[str, Any]:
        """Further fields of the outcome, once the run is over at a simulated time (s); by default none."""
        return {}

    def metrics(self) -> Sequence[Metric]:
        """What every run is measured by, beside the parts of its frame: the results of `measures`."""
        return run_metrics(self.scenario)

    def measures(self, outcome: Any) -> Any:
        """An object whose methods with ``@metric`` give the values of `metrics`."""
        return run_measures(outcome)

    def measurements(self, outcome: Any) -> Mapping[str, Measurements]:
        """The tables of a run, by the names of their files: by default tracks, and the series of the frame's parts."""
        tables = measurements_of(outcome.tables)
        tracks = {"tracks.csv": Measurements(TRACKS_HEADER, partial(track_lines, outcome.tracks))}
        return {**tracks, **tables} if self.tracked else tables

    def events(self, outcome: Any) -> Mapping[str, int]:
        """What was counted of a run, beside steps and transitions: by default pose changes."""
        return {"pose_changes": len(outcome.tracks.rows)} if self.tracked else {}

    def summary(self, outcome: Any) -> Mapping[str, Any]:
        """What ``summary.json`` has of the case study: by default the values of `metrics`."""
        values = measured_by(self.measures(outcome))
        return {"metrics": {each.name: values[each.name] for each in self.metrics()}}

    def headline(self, outcome: Any) -> str:
        """What was run, in a line: by default the case study, its robots, seed and stage."""
        robots = len(outcome.tracks.poses)
        return (
            f"{type(self).__name__}: {robots} robot{'s' if robots != 1 else ''}, seed {outcome.scenario.run.seed}, "
            f"stage {outcome.stage}: {outcome.end_s:.1f} s simulated, {outcome.cpu_s:.2f} s CPU"
        )

    def lines(self, outcome: Any) -> list[tuple[str, str, str]]:
        """Title, value and unit of what people are shown: by default how near bodies came to each other.

        The results of the frame's parts come after them.
        """
        values = measured_by(self.measures(outcome))
        return [
            (each.title, each.text(float(values[each.name])), each.unit)
            for each in self.metrics()
            if each.name in APPROACHES and not isnan(float(values[each.name]))
        ]

    def verdict(self, outcome: Any) -> list[str]:
        """Further lines, with what is concluded from these; by default none."""
        return []

    def sections(self, outcome: CaseOutcome) -> Iterable[Section]:
        """Sections of its own for the report of a run, after those that every report has; by default none."""
        return ()

    def report(self, summary: Mapping[str, Any], outcome: Any) -> str | None:
        """A page of its own for a run; None: the usual one, with `sections`."""
        return None

    # sweeps and studies

    def transient(self) -> Transient:
        """The beginning of a run that its means leave out; by default nothing."""
        return Transient(0.0)

    def subject(self, usual: Subject) -> Subject:
        """What a sweep and its report are told: by default what they are told of every case study."""
        return usual

    def compared(self, usual: Compared) -> Compared:
        """What a study compares from stage to stage: by default all metrics."""
        return usual

    def watch(self, stage: Stage) -> RunWatch | None:
        """What a study sees of a run; None: the metrics that are compared."""
        return None
