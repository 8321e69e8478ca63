"""A case study of anybody's as the harness knows every case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.core.user_code import user_code
from devs_robotics.experimental_frames.frame import (
    CaseExperiment,
    Experiment,
    Frame,
    Measurements,
    Metric,
    Result,
    metrics_of,
)
from devs_robotics.experimental_frames.frame.frame import measurements_of, tables_of
from devs_robotics.experimental_frames.frame.run_metrics import RUN_METRICS
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.experimental_frames.instruments.tracks import TRACKS_HEADER, Tracks, track_lines
from devs_robotics.models.environment import Field
from devs_robotics.models.robots import CaseSystem, Equipment, Robot, RobotKind, UsualBody, virtual_equipment
from devs_robotics.scenarios.case import Bundle, Case, RobotPlan, TeamPlan
from devs_robotics.scenarios.case_study.case_study import CaseStudy, problems_of, real_tables, schema_of, title_of
from devs_robotics.scenarios.case_study.outcome import APPROACHES, CaseOutcome, run_measures, run_metrics
from devs_robotics.scenarios.case_study.places import check_places
from devs_robotics.scenarios.errors import BeginError, CaseError
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import RealTable, SettingsTable
from devs_robotics.scenarios.setup.equipment import equipment_of
from devs_robotics.scenarios.setup.instruments import add_further, approaches
from devs_robotics.scenarios.setup.setup import Setup, shape_of

SIDE = 10.0
"""Width and height of a field whose scenario gives none (m)."""

DURATION = 60.0
"""Simulated time of a run whose scenario gives none (s)."""

SHORT = 1.0
"""Simulated time of a run that is over at once (s)."""

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.report.sections import Section
    from devs_robotics.experimental_frames.sweep import Subject
    from devs_robotics.scenarios.conformance import Examination, Examined

T = TypeVar("T")


class _Planned(msgspec.Struct, frozen=True):
    """What a call of `build` came to.

    Attributes:
        made_from: all of the scenario that it can depend on
        study: after it
        plan: of the robots
    """

    made_from: tuple[object, ...]
    study: CaseStudy
    plan: TeamPlan


class StudyCase(Case[Scenario, CaseOutcome]):
    """A case study's class, as the harness knows it.

    Args:
        study: its class
        name: by which scenarios name it
    """

    outcome = CaseOutcome

    def __init__(self, study: type[CaseStudy], name: str) -> None:
        self.study = study
        self.name = name
        self.scenario = schema_of(study, name)
        self.scenario.made_for = self
        self.may_differ = study.may_differ
        self.title = title_of(study).rstrip(".")
        self.team_key = f"{study.table_name}.robots"
        self.example = f"devs-robotics check {name} --keys"
        self._last: _Planned | None = None

    # settings

    def of(self, scenario: Scenario) -> CaseStudy:
        """The case study with the settings of a scenario."""
        own = getattr(scenario, self.study.table_name)
        settings = {name: getattr(own, name) for name in type(own).model_fields}
        settings |= {name: getattr(scenario, name).model_dump() for name in self.study.tables}
        try:
            return self.study(**settings)
        except TypeError as exc:
            raise CaseError(
                f"{self.study.__name__} cannot be made with its settings ({exc}): let its __init__ take **settings, "
                "and pass them on by super().__init__(**settings)"
            ) from exc

    def resolve(self, scenario: Scenario) -> Scenario:
        """By what the case study fills in, and else the field and the end of the run."""
        field, run = scenario.field, scenario.run
        if field.width is None or field.height is None:
            has_own = self.study.filled_in is not CaseStudy.filled_in
            own = self._calling("filled_in", self.of(scenario).filled_in) if has_own else {}
            width, height = own.get("field.width", SIDE), own.get("field.height", SIDE)
            field = field.model_copy(update={"width": field.width or width, "height": field.height or height})
        run = run.model_copy(update={"duration": run.duration or DURATION})
        return scenario.model_copy(update={"field": field, "run": run})

    def check(self, scenario: Scenario) -> Iterator[Problem]:
        """What the case study says, and whether its system can be built."""
        self._last = None  # whatever the class has come to be since
        try:
            found = list(problems_of(self.of(scenario)))
            yield from found
            if not found:
                resolved = self.resolve(scenario)
                yield from check_places(self.study.table_name, resolved, self.plan(resolved).robots)
        except DevsRoboticsError as exc:
            yield Problem((self.study.table_name,), str(exc))

    def check_made(self, scenario: Scenario) -> Iterator[Problem]:
        """Whether its frame can be made."""
        from devs_robotics.scenarios.setup.setup import set_up

        try:
            self.experiment(set_up(scenario.model_copy(update={"frame": type(scenario.frame)()})))
        except DevsRoboticsError as exc:
            yield Problem((self.study.table_name,), str(exc))

    def usual(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """As many robots, for as long."""
        own, run = settings.get(self.study.table_name, {}), settings.get("run", {})
        return {
            "case": self.name,
            self.study.table_name: {key: own[key] for key in ("robots",) if key in own},
            "run": {key: run[key] for key in ("seed", "duration") if key in run},
        }

    def bundles(self) -> Mapping[str, Mapping[str, Bundle]]:
        """Of the case study."""
        return self.study.bundles()

    def modules(self, scenario: Scenario) -> tuple[str, ...]:
        """The case study's own."""
        return (self.study.__module__,)

    # setup

    def plan(self, scenario: Scenario) -> TeamPlan:
        """What its method `build` makes."""
        return self._planned(scenario).plan

    def in_the_loop(self, scenario: Scenario) -> Mapping[int, RealTable]:
        """Those of the case study that there are."""
        robots = len(self.plan(scenario).robots)
        return {number: table for number, table in real_tables(self.study).items() if number <= robots}

    def stand_ins(self) -> Mapping[str, str]:
        """Those of the case study."""
        return self.study.stand_ins

    def laboratory(self, scenario: Scenario) -> dict[str, Any]:
        """What the case study says, as it is after it has gone to another process."""
        study = self._planned(scenario).study
        by_wire = msgspec.json.Decoder(dict[str, Any])
        return self._calling("laboratory", lambda: by_wire.decode(msgspec.json.encode(study.laboratory())))

    # runs

    def experiment(self, setup: Setup[Scenario]) -> Experiment:
        """What its methods `build` and `frame` make."""
        scenario = setup.scenario
        study = self.of(scenario)

        def equipped(robot: int, kind: RobotKind) -> Equipment:
            if robot > len(setup.robots) or kind.optics != setup.robots[robot - 1].optics:
                raise self._unsteady()
            return equipment_of(setup, robot)

        def modelled(robot: int) -> bool:
            return setup.stage != "real"

        system = self._built(study, scenario, equipped, modelled)
        if [robot.pose for robot in system.robots] != setup.poses:
            self._last = None
            raise self._unsteady()
        system.complete(corrected=scenario.tracking.corrects)
        assert scenario.run.duration is not None, "resolve fills it in"
        frame = Frame("frame", scenario.run.duration)
        model = CaseExperiment("experiment", system, frame)
        self._instruments(setup, model)
        self._calling("frame", lambda: study.frame(frame, system))
        model.parts.update(frame.parts)
        add_further(model, setup)
        return model

    def size(self, scenario: Scenario) -> float:
        """As the case study says, or by robots and time."""
        study = self.of(scenario)
        given = float(self._calling("size", study.size))
        duration = scenario.run.duration or DURATION
        return given if not isnan(given) else duration * float(getattr(study, "robots", 1) or 1)

    def short(self) -> Scenario:
        """With its defaults, over after a second."""
        scenario = self.resolve(self.scenario())
        return scenario.model_copy(update={"run": scenario.run.model_copy(update={"duration": SHORT})})

    def noise_free(self, scenario: Scenario) -> Scenario:
        """Without the noise that the case study makes itself, too."""
        study = self._calling("noise_free", self.of(scenario).noise_free)
        own = {name: getattr(study, name) for name in self.study.table.model_fields}
        tables: dict[str, SettingsTable] = {self.study.table_name: self.study.table(**own)}
        tables |= {name: getattr(study, name) for name in self.study.tables}
        return super().noise_free(scenario).model_copy(update=tables)

    # results

    def measured(self, model: Experiment, scenario: Scenario, end_s: float) -> dict[str, Any]:
        """Series, tracks, and how near bodies came to each other."""
        assert isinstance(model, CaseExperiment)
        return {"tables": tables_of(model.parts), "tracks": model.tracks, "approaches": model.approaches}

    def measurements(self, outcome: CaseOutcome) -> Mapping[str, Measurements]:
        """Tracks, and the series of the frame's parts."""
        tracks = Measurements(TRACKS_HEADER, lambda first: track_lines(outcome.tracks, first))
        return {"tracks.csv": tracks, **measurements_of(outcome.tables)}

    def columns(self, outcome: CaseOutcome) -> dict[str, Result]:
        """What every run is measured by, and the results of the frame's parts."""
        from devs_robotics.experimental_frames.sweep import columns_of

        values = columns_of(run_measures(outcome), outcome.frames)
        left_out = {each.name for each in RUN_METRICS} - {each.name for each in run_metrics(outcome.scenario)}
        return {name: value for name, value in values.items() if name not in left_out}

    def declared(self, scenario: Scenario) -> tuple[Metric, ...]:
        """What every run is measured by, and what the frame's parts declare, by the names of their columns."""
        from devs_robotics.scenarios.setup.setup import set_up

        parts = self.experiment(set_up(scenario)).parts.items()
        own = (
            replace(each, name=f"frames.{name}.{each.name}") for name, part in parts for each in metrics_of(type(part))
        )
        return (*run_metrics(scenario), *own)

    def subject(self, scenario: Scenario) -> Subject:
        """The parts' metrics, first of all."""
        from devs_robotics.experimental_frames.sweep import Subject
        from devs_robotics.experimental_frames.sweep.subject import Account

        metrics = self.declared(scenario)
        main = [each.name for each in metrics if each.name.startswith("frames.") and not each.words]
        account = Account(system=f"{self.study.__name__} ({self.title})")
        return Subject(metrics=metrics, team=self.team, main=tuple(main), cost="cpu_s", account=account)

    def events(self, outcome: CaseOutcome) -> Mapping[str, int]:
        """Pose changes."""
        return {"pose_changes": len(outcome.tracks.rows)}

    def summary(self, outcome: CaseOutcome) -> dict[str, Any]:
        """What every run is measured by."""
        values = self.columns(outcome)
        return {"metrics": {each.name: values[each.name] for each in run_metrics(outcome.scenario)}}

    def headline(self, outcome: CaseOutcome) -> str:
        """The case study, its robots, seed and stage."""
        scenario = outcome.scenario
        robots = len(outcome.tracks.poses)
        return (
            f"{self.study.__name__}: {robots} robot{'s' if robots != 1 else ''}, seed {scenario.run.seed}, "
            f"stage {outcome.stage}: {outcome.end_s:.1f} s simulated, {outcome.cpu_s:.2f} s CPU"
        )

    def lines(self, outcome: CaseOutcome) -> list[tuple[str, str, str]]:
        """How near bodies came to each other, where it was measured; the frame's parts speak for themselves."""
        values = self.columns(outcome)
        return [
            (each.title, each.text(float(values[each.name])), each.unit)
            for each in run_metrics(outcome.scenario)
            if each.name in APPROACHES and not isnan(float(values[each.name]))
        ]

    def report(self, summary: Mapping[str, Any], outcome: CaseOutcome) -> str:
        """Top view, series, metrics and settings."""
        from devs_robotics.scenarios.case_study.page import page

        return page(self, summary, outcome)

    def own_sections(self, outcome: CaseOutcome) -> list[Section]:
        """Of the case study, for the page of a run."""
        return self._calling("sections", lambda: list(self.of(outcome.scenario).sections(outcome)))

    # protocols

    def conform(self, scenario: Scenario, wanted: Examination) -> Examined:
        """By its own tables, if it has some; else by acceptors, bodies, guards and links."""
        from devs_robotics.scenarios.case_study.conforming import examine  # slow to load, and one command needs it

        own = self._calling("conform", lambda: self.of(scenario).conform(scenario, wanted))
        return examine(scenario, wanted) if own is None else own

    # making

    def _planned(self, scenario: Scenario) -> _Planned:
        """What `build` makes where all is virtual; the last one is kept, for a run asks several times."""
        scenario = self.resolve(scenario)
        own = [getattr(scenario, name) for name in (self.study.table_name, *self.study.tables)]
        made_from = (scenario.field, scenario.robot, scenario.run.seed, *own)
        if self._last is None or self._last.made_from != made_from:
            study = self.of(scenario)
            system = self._built(study, scenario, _virtual, lambda robot: True)
            robots = tuple(_plan_of(system, robot) for robot in system.robots)
            self._last = _Planned(made_from, study, TeamPlan(robots, self._cell(scenario)))
        return self._last

    def _built(
        self,
        study: CaseStudy,
        scenario: Scenario,
        equipped: Callable[[int, RobotKind], Equipment],
        modelled: Callable[[int], bool],
    ) -> CaseSystem:
        """The system as far as `build` makes it; what `build` keeps in the case study, `frame` finds there."""
        scenario = self.resolve(scenario)
        body = scenario.robot
        width, height = scenario.field.width, scenario.field.height
        assert width is not None, "resolve fills it in"
        assert height is not None
        field = Field(width, height, [shape_of(each) for each in scenario.field.obstacles], self._cell(scenario))
        robot = UsualBody(body.radius, body.speed, body.turn_rate, body.whisker_reach)
        system = CaseSystem("system", field, robot, scenario.run.seed, equipped, modelled)
        if self.study.build is CaseStudy.build:
            raise CaseError(f"{self.study.__name__} has no method build(self, system): write one that adds robots")
        self._calling("build", lambda: study.build(system))
        if not system.robots:
            raise CaseError(f"{self.study.__name__}.build adds no robot: call system.add_robot(pose, kind)")
        return system

    def _cell(self, scenario: Scenario) -> float:
        return max(0.25, 4.0 * scenario.robot.radius)

    def _instruments(self, setup: Setup[Scenario], model: CaseExperiment) -> None:
        """The generator of noise, the tracks, and how near bodies come to each other, where these are wanted."""
        scenario, frame, system = setup.scenario, model.frame, model.system
        noise = scenario.noise
        if noise.dnf or noise.anf:
            generator = MotionNoise("generator", len(system.robots), scenario.run.seed, noise.dnf, noise.anf)
            frame.add_component(generator)
            frame.couple(system.motion, generator.motion)
            frame.couple(generator.disturbance, system.disturbance)
        model.tracks = Tracks("tracks", setup.poses)
        frame.add_component(model.tracks)
        frame.couple(system.pose_change, model.tracks.pose_change)
        if scenario.frame.approaches:
            model.approaches = approaches(setup)
            frame.add_component(model.approaches)
            frame.couple(system.pose_change, model.approaches.pose_change)

    def _unsteady(self) -> CaseError:
        return CaseError(
            f"{self.study.__name__}.build makes other robots each time it is called: take random numbers from "
            "system.stream(...) or system.free_poses(...), which begin anew, and from nothing else"
        )

    def _calling(self, method: str, call: Callable[[], T]) -> T:
        """Call a method of the case study; whatever it raises is told as what it is."""
        with user_code(lambda why: BeginError(f"{self.study.__name__}.{method} failed: {why}")):
            return call()


def _plan_of(system: CaseSystem, robot: Robot) -> RobotPlan:
    kind = robot.kind
    pace = system.pace_of(kind)
    own = {each.name: each for each in robot.own}
    return RobotPlan(robot.pose, kind.optics, system.radius_of(kind), pace.speed, pace.turn_rate, kind.called, own)


def _virtual(robot: int, kind: RobotKind) -> Equipment:
    return virtual_equipment(robot, kind.optics)


_made: dict[tuple[type, str], StudyCase] = {}


def study_case(study: type[CaseStudy], name: str) -> StudyCase:
    """A case study's class as the harness knows it; one object per class and name."""
    if (study, name) not in _made:
        _made[study, name] = StudyCase(study, name)
    return _made[study, name]
