"""A case study as the harness knows it: the one door through which settings, runs, sweeps and commands reach it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.frame import Experiment, Measurements, Result
    from devs_robotics.experimental_frames.frame.metric import Metric
    from devs_robotics.experimental_frames.study.compared import Compared
    from devs_robotics.experimental_frames.sweep import Subject
    from devs_robotics.models.environment import Pose
    from devs_robotics.models.robots import Optics
    from devs_robotics.scenarios.comparison.watch import Watch
    from devs_robotics.scenarios.running.outcome import Outcome
    from devs_robotics.scenarios.settings.problems import Problem
    from devs_robotics.scenarios.settings.schema import Scenario
    from devs_robotics.scenarios.settings.tables import RealTable
    from devs_robotics.scenarios.setup.setup import Setup
    from devs_robotics.scenarios.stages import Stage

Bundle = tuple[tuple[str, ...], tuple[tuple[float, ...], ...]]
"""Keys that are varied together, and the values that they take together."""

CASES = {"convoy": "devs_robotics.scenarios.convoy.case"}
"""By name: the module whose ``CASE`` is the case study. It is imported when it is needed."""

DEFAULT = "convoy"
"""The case of a scenario that names none."""


class Case(ABC):
    """A case study. There is one object of it, which keeps nothing of any run.

    Attributes:
        team: what its robots are together, for people
        team_key: the dotted key that says how many they are
    """

    team: str = "team"
    team_key: str

    # settings

    @abstractmethod
    def resolve(self, scenario: Scenario) -> Scenario:
        """The same scenario with everything that was left open filled in, so that it runs alike ever after."""

    @abstractmethod
    def check(self, scenario: Scenario) -> Iterator[Problem]:
        """Every way in which keys disagree."""

    def check_made(self, scenario: Scenario) -> Iterator[Problem]:
        """What goes wrong where models are made. Only for a scenario in which nothing else is wrong."""
        yield from ()

    def usual(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Those of the settings of which the others' defaults depend: a team's size, for instance."""
        return {}

    def bundles(self) -> Mapping[str, Mapping[str, Bundle]]:
        """Named sets of values for several keys of a table together, by the table and their name."""
        return {}

    def modules(self, scenario: Scenario) -> Iterable[str]:
        """The modules of the classes that a scenario names."""
        return ()

    # setup

    @abstractmethod
    def robots(self, scenario: Scenario) -> int:
        """How many robots there are."""

    def called(self, robot: int) -> str:
        """What a robot is, for people."""
        return "a robot"

    @abstractmethod
    def poses(self, scenario: Scenario) -> Sequence[Pose]:
        """Where the robots stand at first, robot 1 first."""

    @abstractmethod
    def optics(self, scenario: Scenario, robot: int) -> Optics:
        """What the range sensors of a robot can do."""

    @abstractmethod
    def cell(self, scenario: Scenario) -> float:
        """Of the grid in which the field looks bodies up (m)."""

    def in_the_loop(self, scenario: Scenario) -> Mapping[int, RealTable]:
        """The real robots of the stage `loop`, where a scenario names none."""
        return {}

    # runs

    @abstractmethod
    def experiment(self, setup: Setup) -> Experiment:
        """The system under its frames, with the activities of the setup's stage.

        Raises:
            DevsRoboticsError: somebody's class cannot be made
            PartError: a part of a frame cannot be made, or coupled to what there is in this stage
        """

    @abstractmethod
    def size(self, scenario: Scenario) -> float:
        """What a run costs, in a unit of the case's own."""

    @abstractmethod
    def short(self) -> Scenario:
        """A scenario that is over at once, and needs all that others need."""

    # results

    @abstractmethod
    def measured(self, model: Experiment, scenario: Scenario, end_s: float) -> dict[str, Any]:
        """What the frames have measured: the outcome's fields that are the case's own.

        Args:
            model: after the run
            scenario: of the run
            end_s: simulated time at the end (s)
        """

    @abstractmethod
    def measurements(self, outcome: Outcome) -> Mapping[str, Measurements]:
        """The tables of a run, by the names of their files."""

    @abstractmethod
    def columns(self, outcome: Outcome) -> dict[str, Result]:
        """The run's row of a sweep's table: its metrics by column."""

    @abstractmethod
    def summary(self, outcome: Outcome) -> dict[str, Any]:
        """What the case has to say in ``summary.json``."""

    @abstractmethod
    def headline(self, outcome: Outcome) -> str:
        """What was run, for people, in a line."""

    @abstractmethod
    def lines(self, outcome: Outcome) -> list[tuple[str, str, str]]:
        """Title, value and unit of what people are shown at the end of a run."""

    def verdict(self, outcome: Outcome) -> list[str]:
        """Further lines, with what is concluded from these."""
        return []

    @abstractmethod
    def report(self, summary: Mapping[str, Any], outcome: Outcome) -> str:
        """The page of a run."""

    # sweeps

    @abstractmethod
    def declared(self, scenario: Scenario) -> Sequence[Metric]:
        """The metrics that `columns` gives of a run, as they are declared, in the order of a sweep's table.

        Args:
            scenario: with nothing left open
        """

    def subject(self, scenario: Scenario) -> Subject:
        """What a sweep and its report are told.

        Args:
            scenario: with nothing left open, before anything is varied
        """
        from devs_robotics.experimental_frames.sweep import Subject  # slow to load

        return Subject(metrics=tuple(self.declared(scenario)), team=self.team, size=self.team_key)

    # studies

    def compared(self, scenario: Scenario) -> Compared:
        """What a study compares from stage to stage.

        Args:
            scenario: with nothing left open
        """
        from devs_robotics.experimental_frames.study.compared import everything  # slow to load

        return everything(self.subject(scenario))

    def watch(self, scenario: Scenario, stage: Stage) -> Watch:
        """What a study sees of a run: its metrics, and what the case observes besides.

        Args:
            scenario: with nothing left open
            stage: of the run
        """
        from devs_robotics.scenarios.comparison.watch import MetricsWatch  # slow to load

        return MetricsWatch(self, self.compared(scenario).metrics)


def case_of(scenario: Scenario) -> Case:
    """The case study that a scenario is of."""
    return case_named(DEFAULT)


@cache
def case_named(name: str) -> Case:
    """A case study by its name, one of `CASES`."""
    case = import_module(CASES[name]).CASE
    assert isinstance(case, Case)
    return case


def resolve(scenario: Scenario) -> Scenario:
    """The same scenario with everything that was left open filled in, so that it runs alike ever after."""
    return case_of(scenario).resolve(scenario)
