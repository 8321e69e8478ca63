"""A case study as the harness knows it: the one door through which settings, runs, sweeps and commands reach it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

from devs_robotics.models.environment import Pose
from devs_robotics.models.environment.things import Things
from devs_robotics.models.robots import Optics, OwnEquipment
from devs_robotics.scenarios.errors import CaseError

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.frame import Experiment, Measurements, Result
    from devs_robotics.experimental_frames.frame.metric import Metric
    from devs_robotics.experimental_frames.instruments.safety import Allowance
    from devs_robotics.experimental_frames.study.compared import Compared
    from devs_robotics.experimental_frames.sweep import Subject
    from devs_robotics.scenarios.comparison.run_observations import RunWatch
    from devs_robotics.scenarios.conformance import Examination, Examined
    from devs_robotics.scenarios.running.outcome import Outcome
    from devs_robotics.scenarios.settings.problems import Problem
    from devs_robotics.scenarios.settings.schema import Scenario
    from devs_robotics.scenarios.settings.tables import RealTable
    from devs_robotics.scenarios.setup.setup import Setup
    from devs_robotics.scenarios.stages import Stage
    from devs_robotics.view.marks import Shown
    from devs_robotics.view.scene import Mark

Bundle = tuple[tuple[str, ...], tuple[tuple[float, ...], ...]]
"""Keys that are varied together, and the values that they take together."""

HERE = Path(__file__).parent
"""Each case study that ships has a folder here, with its module ``case`` and its scenario files."""

DEFAULT = "convoy"
"""The case of a scenario that names none."""

S = TypeVar("S", bound="Scenario")
O = TypeVar("O", bound="Outcome[Any]")  # noqa: E741


class RobotPlan(Struct, frozen=True):
    """One robot of a scenario, before there is any model.

    Attributes:
        pose: where it stands at first
        optics: what its range sensors can do
        radius: of its body (m)
        speed, turn_rate: of its motor (m/s, rad/s)
        called: what it is, for people
        own: equipment of its own, by names
    """

    pose: Pose
    optics: Optics
    radius: float
    speed: float
    turn_rate: float
    called: str = "a robot"
    own: Mapping[str, OwnEquipment] = {}


class TeamPlan(Struct, frozen=True):
    """The robots of a scenario, the grid of their field, and what else there is for sensors.

    Attributes:
        robots: robot 1 first
        cell: side of a cell of the index in which the field looks bodies up (m)
        things: lamps, the floor, and so on
    """

    robots: tuple[RobotPlan, ...]
    cell: float
    things: Things


class Case(ABC, Generic[S, O]):
    """A case study. There is one object of it, which keeps nothing of any run, but perhaps its last plan.

    Attributes:
        scenario: its scenarios' class, with the tables and keys of its own
        outcome: its outcomes' class
        title: what it is, for people, where a scenario says nothing
        team: what its robots are together, for people
        team_key: the dotted key that says how many they are
        example: name of a file that shows every key, for people
        may_differ: tables and dotted keys in which host and nodes may differ, since robots' models do not depend on
            them; of `frame`, the parts never may
        followed: number of the robot that pictures mark; 0: none
    """

    scenario: type[S]
    outcome: type[O]
    title: str = ""
    team: str = "team"
    team_key: str
    example: str
    may_differ: tuple[str, ...] = ("run", "frame", "clock")
    followed: int = 0

    # settings

    @abstractmethod
    def resolve(self, scenario: S) -> S:
        """The same scenario with everything that was left open filled in, so that it runs alike ever after."""

    @abstractmethod
    def check(self, scenario: S) -> Iterator[Problem]:
        """Every way in which keys disagree."""

    @abstractmethod
    def check_made(self, scenario: S) -> Iterator[Problem]:
        """What goes wrong where models are made. Only for a scenario in which nothing else is wrong."""

    def notes(self, scenario: S) -> Iterable[str]:
        """What is no mistake, and yet to be known, a sentence each; by default nothing. Only where nothing is wrong."""
        return ()

    @abstractmethod
    def usual(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Those of the settings of which the others' defaults depend: a team's size, for instance."""

    @abstractmethod
    def bundles(self) -> Mapping[str, Mapping[str, Bundle]]:
        """Named sets of values for several keys of a table together, by the table and their name."""

    @abstractmethod
    def modules(self, scenario: S) -> Iterable[str]:
        """The modules of the classes that a scenario names."""

    # setup

    @abstractmethod
    def plan(self, scenario: S) -> TeamPlan:
        """The robots of a scenario in which nothing is left open."""

    @abstractmethod
    def in_the_loop(self, scenario: S) -> Mapping[int, RealTable]:
        """The real robots of the stage `loop`, where a scenario names none."""

    @abstractmethod
    def when_real(self) -> RealTable:
        """What real robots are where neither a scenario nor `in_the_loop` says it."""

    @abstractmethod
    def stand_ins(self) -> Mapping[str, str]:
        """What plays equipment of robots' own in the laboratory: ``module:Class``, by its names."""

    @abstractmethod
    def laboratory(self, scenario: S) -> dict[str, Any]:
        """Plain data for what plays equipment of robots' own in the laboratory."""

    # runs

    @abstractmethod
    def experiment(self, setup: Setup[S]) -> Experiment:
        """The system under its frames, with the activities of the setup's stage.

        Raises:
            DevsRoboticsError: somebody's class cannot be made
            PartError: a part of a frame cannot be made, or coupled to what there is in this stage
        """

    def marks(self, model: Experiment) -> Sequence[tuple[str, Mark] | Shown]:
        """What the case wants to be seen beside robots and obstacles; by default nothing.

        Args:
            model: of a run that has not begun
        """
        return ()

    def published(self, scenario: S) -> Mapping[str, float]:
        """What others have published for a scenario, by the columns of tables over time, in their units; by default
        nothing is known."""
        return {}

    @abstractmethod
    def size(self, scenario: S) -> float:
        """What a run costs, in a unit of the case's own."""

    @abstractmethod
    def short(self) -> S:
        """A scenario that is over at once, and needs all that others need."""

    # results

    @abstractmethod
    def measured(self, model: Experiment, scenario: S, end_s: float) -> dict[str, Any]:
        """What the frames have measured: the outcome's fields that are the case's own.

        Args:
            model: after the run
            scenario: of the run
            end_s: simulated time at the end (s)
        """

    @abstractmethod
    def measurements(self, outcome: O) -> Mapping[str, Measurements]:
        """The tables of a run, by the names of their files."""

    @abstractmethod
    def columns(self, outcome: O) -> dict[str, Result]:
        """The run's row of a sweep's table: its metrics by column."""

    @abstractmethod
    def events(self, outcome: O) -> Mapping[str, int]:
        """What was counted of a run, beside steps and transitions, for ``summary.json``."""

    @abstractmethod
    def summary(self, outcome: O) -> dict[str, Any]:
        """What the case has to say in ``summary.json``."""

    @abstractmethod
    def headline(self, outcome: O) -> str:
        """What was run, for people, in a line."""

    @abstractmethod
    def lines(self, outcome: O) -> list[tuple[str, str, str]]:
        """Title, value and unit of what people are shown at the end of a run."""

    @abstractmethod
    def verdict(self, outcome: O) -> list[str]:
        """Further lines, with what is concluded from these."""

    @abstractmethod
    def report(self, summary: Mapping[str, Any], outcome: O) -> str:
        """The page of a run."""

    # sweeps

    @abstractmethod
    def declared(self, scenario: S) -> Sequence[Metric]:
        """The metrics that `columns` gives of a run, as they are declared, in the order of a sweep's table.

        Args:
            scenario: with nothing left open
        """

    @abstractmethod
    def subject(self, scenario: S) -> Subject:
        """What a sweep and its report are told.

        Args:
            scenario: with nothing left open, before anything is varied
        """

    # studies

    def compared(self, scenario: S) -> Compared:
        """What a study compares from stage to stage.

        Args:
            scenario: with nothing left open
        """
        from devs_robotics.experimental_frames.study.compared import everything  # slow to load

        return everything(self.subject(scenario))

    def watch(self, scenario: S, stage: Stage) -> RunWatch:
        """What a study sees of a run: its metrics, and what the case observes besides.

        Args:
            scenario: with nothing left open
            stage: of the run
        """
        from devs_robotics.scenarios.comparison.run_observations import MetricsWatch  # slow to load

        return MetricsWatch(self, self.compared(scenario).metrics)

    # the safety gate

    def allowances(self) -> tuple[Allowance, ...]:
        """What its robots do on purpose, though the safety gate would call it a violation; by default nothing."""
        return ()

    # proofs

    def noise_free(self, scenario: S) -> S:
        """The same scenario without anything that chance decides, for proofs of model continuity.

        By default no noise in the models, and every real robot played by a stand-in that does exactly what it is told.
        """
        real = {number: robot.model_copy(update={"address": None}) for number, robot in scenario.real.items()}
        return scenario.model_copy(
            update={
                "noise": scenario.noise.model_copy(update={"dnf": 0.0, "anf": 0.0}),
                "real": real,
                "tracking": scenario.tracking.model_copy(update={"address": None}),
                "stand_in": scenario.stand_in.model_copy(update={"perfect": True}),
            }
        )

    # protocols

    @abstractmethod
    def conform(self, scenario: S, wanted: Examination) -> Examined:
        """Hold the robots of a scenario against their protocol.

        Raises:
            KeyboardInterrupt: the user has interrupted it
            DevsRoboticsError: the case has no protocol, or the level cannot begin
        """


AnyCase = Case[Any, Any]
"""A case study, whichever it is."""


known_here: dict[str, AnyCase] = {}
"""By their full names: case studies whose classes were given to this process as objects, in a notebook for instance."""


def case_of(scenario: Scenario) -> AnyCase:
    """The case study that a scenario is of."""
    case: AnyCase | None = scenario.made_for  # two modules of one name may each have had a class of one name
    return case_named(scenario.case) if case is None else case


def case_named(name: str) -> AnyCase:
    """A case study by its name: ``module:Class``, one that ships, or one that an installed package brings.

    Raises:
        CaseError: there is none of this name
    """
    if name in known_here:
        return known_here[name]
    if ":" in name:
        from devs_robotics.scenarios.case_study.finding import study_class
        from devs_robotics.scenarios.case_study.harness import study_case

        return study_case(study_class(name), name)
    return _known(name)


@cache
def _known(name: str) -> AnyCase:
    if name.isidentifier() and (HERE / name / "case.py").is_file():
        case = import_module(f"{__package__}.{name}.case").CASE
        assert isinstance(case, Case)
        return case
    from devs_robotics.scenarios.case_study.finding import brought, brought_class, shipped_class
    from devs_robotics.scenarios.case_study.harness import study_case

    study = shipped_class(name)
    points = brought()
    if study is None and name in points:
        study = brought_class(points[name])
    if study is None:
        known = sorted({*shipped_cases(), *points})
        near = get_close_matches(name.casefold(), known, 1, 0.6)
        hint = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(known)}"
        own = f'{"One" if near else "one"} of your own is case = "module:Class", in a file beside the scenario\'s'
        raise CaseError(f"there is no case study {name!r}: {hint}{' ' if near else '; '}{own}")
    return study_case(study, name)


def shipped_cases() -> tuple[str, ...]:
    """The names of the case studies that come with the project: a folder each, or a file."""
    folders = {path.parent.name for path in HERE.glob("*/case.py")}
    files = {path.stem for path in HERE.glob("*.toml") if path.with_suffix(".py").is_file()}
    return tuple(sorted(folders | files))


def resolve(scenario: S) -> S:
    """The same scenario with everything that was left open filled in, so that it runs alike ever after."""
    resolved: S = case_of(scenario).resolve(scenario)
    return resolved


def noise_free(scenario: S) -> S:
    """The same scenario without anything that chance decides, for proofs of model continuity."""
    found: S = case_of(scenario).noise_free(scenario)
    return found


def robots_of(scenario: Scenario) -> Sequence[RobotPlan]:
    """The robots of a scenario, robot 1 first."""
    case = case_of(scenario)
    return case.plan(case.resolve(scenario)).robots
