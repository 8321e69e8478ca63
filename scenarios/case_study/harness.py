"""A case study of anybody's as the harness knows every case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf, isnan
from typing import Any

import msgspec
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.core.garbage import collector_paused
from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.frame import CaseExperiment, Experiment, Frame
from devs_robotics.experimental_frames.instruments.tracks import Tracks
from devs_robotics.models.robots import (
    CaseSystem,
    Equipment,
    NotInArraysError,
    PopulationChoice,
    RobotKind,
    UsualBody,
    virtual_equipment,
)
from devs_robotics.scenarios.case import Bundle, TeamPlan
from devs_robotics.scenarios.case_study.case_study import CaseStudy, problems_of
from devs_robotics.scenarios.case_study.planned import Planned, plans_of
from devs_robotics.scenarios.case_study.real import real_table, real_tables
from devs_robotics.scenarios.case_study.start_poses import check_places
from devs_robotics.scenarios.case_study.told import ToldCase
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import RealTable, SettingsTable
from devs_robotics.scenarios.setup.equipment import equipment_of
from devs_robotics.scenarios.setup.instruments import add_further, approaches, judge, watch_of_motions
from devs_robotics.scenarios.setup.roles import completed
from devs_robotics.scenarios.setup.setup import Setup, field_of
from devs_robotics.view.marks import Shown
from devs_robotics.view.scene import Mark

DURATION = 60.0
"""Simulated time of a run whose scenario gives none (s)."""

USUAL = {"field.width": 10.0, "field.height": 10.0, "run.duration": DURATION}
"""What holds for keys that neither a scenario nor its case study gives a value."""


MANY = 10_000
"""From so many robots on, alike and in arrays on a grid, one stands for all, and the run cannot be looked at."""


class StudyCase(ToldCase):
    """A case study's class, as the harness knows it."""

    _last: Planned | None = None

    # settings

    def resolve(self, scenario: Scenario) -> Scenario:
        """By what the case study fills in, and else the field and the end of the run; and what real robots are."""
        if scenario.real and self.study.when_real:
            real = {number: completed(robot, self.when_real()) for number, robot in scenario.real.items()}
            scenario = scenario.model_copy(update={"real": real})
        own: Mapping[str, Any] = {}
        if self.study.filled_in is not CaseStudy.filled_in:
            own = self._calling("filled_in", self.of(scenario).filled_in)
        found = {**USUAL, **own}
        return self._with(scenario, {key: found[key] for key in found if self._is_open(scenario, key)})

    def check(self, scenario: Scenario) -> Iterator[Problem]:
        """What the case study says, and whether its system can be built."""
        self._last = None  # whatever the class has come to be since
        try:
            study = self.of(scenario)
            found = list(problems_of(study))
            yield from found
            if not found:
                by, resolved = study.placed_by, self.resolve(scenario)
                place = f"{study.table_name}.{by}" if by and getattr(study, by) is not None else study.table_name
                yield from check_places(place, resolved, self.plan(resolved).robots)
        except DevsRoboticsError as exc:
            yield Problem((self.study.table_name,), str(exc))

    def check_made(self, scenario: Scenario) -> Iterator[Problem]:
        """Whether its frame can be made."""
        from devs_robotics.scenarios.setup.setup import set_up

        try:
            setup = set_up(scenario)
            without = setup.scenario.frame.model_copy(update={"parts": {}, "approaches": False})
            self._made(replace(setup, scenario=setup.scenario.model_copy(update={"frame": without})))
        except DevsRoboticsError as exc:
            yield Problem((self.study.table_name,), str(exc))

    def notes(self, scenario: Scenario) -> Iterator[str]:
        """Arithmetic of its teams' twins that may give other bits elsewhere."""
        from devs_robotics.core.population import twin_of
        from devs_robotics.core.population.arithmetic import inexact_in

        twins = {
            twin: None
            for team in self._planned_system(self.of(self.resolve(scenario))).teams
            if team.first is not None
            for model in team.first.decisions
            if (twin := twin_of(type(model))) is not None
        }
        for twin in twins:
            yield from map(str, inexact_in(twin))

    def usual(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """As many robots, for as long."""
        own, run = settings.get(self.study.table_name, {}), settings.get("run", {})
        return {
            "case": self.name,
            self.study.table_name: {key: own[key] for key in self.study.shaping if key in own},
            "run": {key: run[key] for key in type(self.scenario().run).model_fields if key in run},
        }

    def bundles(self) -> Mapping[str, Mapping[str, Bundle]]:
        """Of the case study."""
        return self.study.bundles()

    def modules(self, scenario: Scenario) -> tuple[str, ...]:
        """The case study's own, and those that its settings name."""
        return (self.study.__module__, *self._calling("modules", lambda: tuple(self.of(scenario).modules())))

    # setup

    def plan(self, scenario: Scenario) -> TeamPlan:
        """What its method `build` makes."""
        return self._planned(scenario).plan

    def in_the_loop(self, scenario: Scenario) -> Mapping[int, RealTable]:
        """Those of the case study that there are, which must be one at least, if it names some."""
        robots, named, usual = len(self.plan(scenario).robots), real_tables(self.of(scenario)), self.when_real()
        there = {number: completed(table, usual) for number, table in named.items() if number <= robots}
        if named and not there:
            raise CaseError(
                f"{self.study.__name__}.in_the_loop makes {numbered(named)} real, and there are robots 1 to {robots}: "
                f"name one that there is in a table such as [real.{robots}]"
            )
        return there

    def when_real(self) -> RealTable:
        """As the case study says."""
        return real_table(self.study)

    def stand_ins(self) -> Mapping[str, str]:
        """Those of the case study."""
        return self.study.stand_ins

    def laboratory(self, scenario: Scenario) -> dict[str, Any]:
        """What the case study says, as it is after it has gone to another process."""
        study = self._planned(scenario).study
        by_wire = msgspec.json.Decoder(dict[str, Any])
        return self._calling("laboratory", lambda: by_wire.decode(msgspec.json.encode(study.laboratory())))

    # runs

    @collector_paused()
    def experiment(self, setup: Setup[Scenario]) -> CaseExperiment:
        """What its methods `build` and `frame` make."""
        self._last = None  # the next run may find other files, say, from which robots are built
        return self._made(setup)

    def system(self, setup: Setup[Scenario], study: CaseStudy | None = None) -> CaseSystem:
        """What its method `build` makes, with the environment, and without any frame.

        Args:
            setup: of the run
            study: with the settings of its scenario, if it is there already
        """

        def equipped(robot: int, kind: RobotKind) -> Equipment:
            if robot > len(setup.robots) or kind.optics != setup.robots[robot - 1].optics:
                raise self._unsteady()
            return equipment_of(setup, robot)

        def modelled(robot: int) -> bool:
            return setup.stage != "real"

        chosen = self._population(setup)
        study, many = study or self.of(setup.scenario), 1 if setup.rows_only else MANY
        try:
            return self._completed(setup, self._built(study, equipped, modelled, chosen, one_for_all=many), chosen)
        except NotInArraysError:
            if chosen != "auto":
                raise
            return self._completed(setup, self._built(study, equipped, modelled), "models")

    def _completed(self, setup: Setup[Scenario], system: CaseSystem, chosen: PopulationChoice) -> CaseSystem:
        """The same with its environment."""
        if system.poses != setup.poses:
            self._last = None
            raise self._unsteady()
        if chosen == "arrays" and not system.teams:
            raise CaseError(
                f'run.population = "arrays" is of teams, and {self.study.__name__}.build adds none: take "models", or '
                "let it call system.add_team(...)"
            )
        system.complete(corrected=setup.scenario.tracking.corrects)
        return system

    def marks(self, model: Experiment) -> list[tuple[str, Mark] | Shown]:
        """What the case study declares."""
        study = model.study if isinstance(model, CaseExperiment) else None
        if study is None or type(study).marks is CaseStudy.marks:
            return []
        return self._calling("marks", lambda: list(study.marks(model.system)))

    def published(self, scenario: Scenario) -> dict[str, float]:
        """What the case study knows."""
        if self.study.published is CaseStudy.published:
            return {}
        study = self.of(scenario)
        return self._calling("published", lambda: dict(study.published()))

    def size(self, scenario: Scenario) -> float:
        """As the case study says, or by robots and time."""
        study = self.of(scenario)
        given = float(self._calling("size", study.size))
        duration = scenario.run.duration or DURATION
        return given if not isnan(given) else duration * float(getattr(study, "robots", 1) or 1)

    def short(self) -> Scenario:
        """With its defaults, but for what makes it short."""
        return self.resolve(self._with(self.scenario(), self.study.short))

    def noise_free(self, scenario: Scenario) -> Scenario:
        """Without the noise that the case study makes itself, too."""
        study = self._calling("noise_free", self.of(scenario).noise_free)
        own = {name: getattr(study, name) for name in self.study.table.model_fields}
        tables: dict[str, SettingsTable] = {self.study.table_name: self.study.table(**own)}
        tables |= {name: getattr(study, name) for name in self.study.tables}
        return super().noise_free(scenario).model_copy(update=tables)

    # making

    def _made(self, setup: Setup[Scenario]) -> CaseExperiment:
        study = self.of(setup.scenario)
        system = self.system(setup, study)
        duration = setup.scenario.run.duration
        acceptor = self._calling("acceptor", lambda: study.acceptor(inf if duration is None else duration))
        model = CaseExperiment("experiment", system, Frame("frame", acceptor))
        model.study = study
        self._instruments(setup, study, model)
        self._calling("frame", lambda: study.frame(model.frame, system))
        model.parts.update(model.frame.parts)
        add_further(model, setup)
        return model

    def _planned(self, scenario: Scenario) -> Planned:
        """What `build` makes where all is virtual; the last one is kept, for a run asks several times."""
        scenario = self.resolve(scenario)
        if self._last is None or self._last.scenario != scenario:
            study = self.of(scenario)
            system = self._planned_system(study)
            robots = tuple(plans_of(system))
            self._last = Planned(scenario, study, TeamPlan(robots, self._cell(scenario), system.field.things))
        return self._last

    def _planned_system(self, study: CaseStudy) -> CaseSystem:
        """What `build` makes where all is virtual, and nothing is simulated."""
        return self._built(study, _virtual, lambda robot: True, planned_only=True)

    def _built(
        self,
        study: CaseStudy,
        equipped: Callable[[int, RobotKind], Equipment],
        modelled: Callable[[int], bool],
        population: PopulationChoice = "models",
        *,
        one_for_all: int = 1,
        planned_only: bool = False,
    ) -> CaseSystem:
        """The system as far as `build` makes it; what `build` keeps in the case study, `frame` finds there."""
        scenario = study.scenario
        body = scenario.robot
        width, height = scenario.field.width, scenario.field.height
        assert width is not None, "resolve fills it in"
        assert height is not None
        field = field_of(scenario.field, width, height, self._cell(scenario))
        robot = UsualBody(body.radius, body.speed, body.turn_rate, body.whisker_reach)
        system = CaseSystem("system", field, robot, scenario.run.seed, equipped, modelled)
        system.strategy, system.population = scenario.sensing.strategy, population
        system.planned_only, system.one_for_all = planned_only, one_for_all
        system.grid, system.tells_poses = scenario.sensing.grid, True
        if self.study.build is CaseStudy.build:
            raise CaseError(f"{self.study.__name__} has no method build(self, system): write one that adds robots")
        self._calling("build", lambda: study.build(system))
        if not system.poses:
            raise CaseError(f"{self.study.__name__}.build adds no robot: call system.add_robot(pose, kind)")
        return system

    def _population(self, setup: Setup[Scenario]) -> PopulationChoice:
        """How teams are simulated in a stage; `auto` takes ordinary models where a population cannot be.

        Raises:
            CaseError: arrays are wanted, and cannot be
        """
        wanted = setup.scenario.run.population
        if setup.scenario.sensing.strategy == "grid" and setup.stage not in ("fast", "realtime"):
            raise CaseError(
                f'sensing.strategy = "grid" is of simulations in one process, and the stage is {setup.stage}: take '
                'another one there, such as "auto"'
            )
        if setup.stage in ("fast", "realtime") or wanted == "models":
            return wanted
        if wanted == "auto":
            return "models"
        raise CaseError(
            f'run.population = "arrays" is of simulations in one process, and the stage is {setup.stage}: take '
            '"models" or "auto" there, which makes the same decisions'
        )

    def _with(self, scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
        """The same scenario with other values, by dotted keys."""
        tables: dict[str, dict[str, Any]] = {}
        for key, value in values.items():
            table, _, name = key.partition(".")
            tables.setdefault(table, {})[name] = value
        changed = {table: getattr(scenario, table).model_copy(update=given) for table, given in tables.items()}
        return scenario.model_copy(update=changed) if changed else scenario

    def _is_open(self, scenario: Scenario, key: str) -> bool:
        """Whether a scenario leaves a key open."""
        table, _, name = key.partition(".")
        if name not in getattr(type(getattr(scenario, table, None)), "model_fields", {}):
            raise CaseError(f"{self.study.__name__}.filled_in: there is no key {key!r}: take one of check --keys")
        return getattr(getattr(scenario, table), name) is None

    def _cell(self, scenario: Scenario) -> float:
        return max(0.25, 4.0 * scenario.robot.radius)

    def _instruments(self, setup: Setup[Scenario], study: CaseStudy, model: CaseExperiment) -> None:
        """The generator of noise, the tracks, and how near bodies come to each other, where these are wanted."""
        scenario, frame, system = setup.scenario, model.frame, model.system
        generator = self._calling("generator", lambda: study.generator(len(setup.robots)))
        if generator is not None:
            frame.add_component(generator)
            frame.couple(system.motion, generator.motion)
            frame.couple(generator.disturbance, system.disturbance)
        model.tracks = Tracks("tracks", setup.poses)
        if study.tracked and not (setup.rows_only and _needs_no_tracks(type(study))):
            frame.add_component(model.tracks)
            frame.couple(system.pose_change, model.tracks.pose_change)
        if scenario.frame.approaches and system.moves_between_poses:
            model.approaches = watch_of_motions("approaches", model, setup, study.allows)
        elif scenario.frame.approaches:
            model.approaches = approaches(setup)
            frame.add_component(model.approaches)
            frame.couple(system.pose_change, model.approaches.pose_change)
        if setup.judged:
            judge(model, setup, study.allows)

    def _unsteady(self) -> CaseError:
        return CaseError(
            f"{self.study.__name__}.build makes other robots each time it is called: take random numbers from "
            "system.stream(...) or system.free_poses(...), which begin anew, and from nothing else"
        )


def _needs_no_tracks(study: type[CaseStudy]) -> bool:
    """Whether the rows of sweeps have nothing that comes of tracks: the study measures no more than usual."""
    return study.measures is CaseStudy.measures and study.measured is CaseStudy.measured


def _virtual(robot: int, kind: RobotKind) -> Equipment:
    return virtual_equipment(robot, kind.optics)


_made: dict[tuple[type, str], StudyCase] = {}


def study_case(study: type[CaseStudy], name: str) -> StudyCase:
    """A case study's class as the harness knows it; one object per class and name."""
    if (study, name) not in _made:
        _made[study, name] = StudyCase(study, name)
    return _made[study, name]
