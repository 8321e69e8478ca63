"""What a case study of anybody's says of its runs, sweeps and studies, as the harness asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from devs_robotics.core.user_code import user_code
from devs_robotics.experimental_frames.frame import (
    CaseExperiment,
    Experiment,
    Measurements,
    Metric,
    Result,
    metrics_of,
    metrics_of_parts,
)
from devs_robotics.experimental_frames.frame.frame import tables_of
from devs_robotics.scenarios.case import Case
from devs_robotics.scenarios.case_study.case_study import CaseStudy, schema_of, title_of
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.errors import BeginError, CaseError
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage

if TYPE_CHECKING:
    from devs_robotics.experimental_frames.instruments.safety import Allowance
    from devs_robotics.experimental_frames.report.sections import Section
    from devs_robotics.experimental_frames.study.compared import Compared
    from devs_robotics.experimental_frames.sweep import Subject
    from devs_robotics.scenarios.comparison.run_observations import RunWatch
    from devs_robotics.scenarios.conformance import Examination, Examined

T = TypeVar("T")


class ToldCase(Case[Scenario, CaseOutcome]):
    """A case study's class, as far as it says something of what was run.

    Args:
        study: its class
        name: by which scenarios name it
    """

    def __init__(self, study: type[CaseStudy], name: str) -> None:
        self.study = study
        self.name = name
        self.scenario = schema_of(study, name)
        self.scenario.made_for = self
        self.outcome = study.outcome_class
        self.team = study.called
        self.may_differ = study.may_differ
        self.followed = study.followed
        self.title = title_of(study).rstrip(".")
        sized = [key for key, table in study.tables.items() if "robots" in table.model_fields]
        own = "robots" in study.table.model_fields or len(sized) != 1
        self.team_key = f"{study.table_name if own else sized[0]}.robots"
        self.example = f"devs-robotics check {name} --keys"

    # results

    def measured(self, model: Experiment, scenario: Scenario, end_s: float) -> dict[str, Any]:
        """Series, tracks, how near bodies came to each other, and what the case study adds."""
        assert isinstance(model, CaseExperiment)
        own = self._calling("measured", lambda: self.of(scenario).measured(model, end_s))
        return {"tables": tables_of(model.parts), "tracks": model.tracks, "approaches": model.approached(end_s), **own}

    def measurements(self, outcome: CaseOutcome) -> Mapping[str, Measurements]:
        """As the case study says."""
        found: Mapping[str, Measurements] = self._told("measurements", outcome)
        return found

    def columns(self, outcome: CaseOutcome) -> dict[str, Result]:
        """What every run is measured by, and the results of the frame's parts."""
        from devs_robotics.experimental_frames.sweep import columns_of

        measures, study = self._told("measures", outcome), self.of(outcome.scenario)
        values = columns_of(measures, outcome.frames)
        left_out = {each.name for each in metrics_of(type(measures))} - {each.name for each in study.metrics()}
        return {name: value for name, value in values.items() if name not in left_out}

    def declared(self, scenario: Scenario) -> tuple[Metric, ...]:
        """What every run is measured by, and what the frame's parts declare, by the names of their columns."""
        from devs_robotics.scenarios.setup.setup import set_up

        return (*self.of(scenario).metrics(), *metrics_of_parts(self.experiment(set_up(scenario)).parts))

    def subject(self, scenario: Scenario) -> Subject:
        """The parts' metrics, first of all; and what the case study makes of that."""
        from devs_robotics.experimental_frames.sweep import Subject
        from devs_robotics.experimental_frames.sweep.subject import Account, Condition

        study = self.of(scenario)
        transient = self._calling("transient", study.transient)
        left_out = (Condition(transient.keys, transient.said),) if transient.amount or transient.keys else ()
        metrics = self.declared(scenario)
        main = [each.name for each in metrics if each.name.startswith("frames.") and not each.words]
        account = Account(system=f"{self.study.__name__} ({self.title})", conditions=left_out)
        usual = Subject(metrics=metrics, team=self.team, main=tuple(main), cost="cpu_s", account=account)
        return self._calling("subject", lambda: study.subject(usual))

    def events(self, outcome: CaseOutcome) -> Mapping[str, int]:
        """As the case study says."""
        found: Mapping[str, int] = self._told("events", outcome)
        return found

    def summary(self, outcome: CaseOutcome) -> dict[str, Any]:
        """As the case study says."""
        return dict(self._told("summary", outcome))

    def headline(self, outcome: CaseOutcome) -> str:
        """As the case study says."""
        return str(self._told("headline", outcome))

    def lines(self, outcome: CaseOutcome) -> list[tuple[str, str, str]]:
        """As the case study says."""
        return list(self._told("lines", outcome))

    def verdict(self, outcome: CaseOutcome) -> list[str]:
        """As the case study says."""
        return list(self._told("verdict", outcome))

    def report(self, summary: Mapping[str, Any], outcome: CaseOutcome) -> str:
        """A page of the case study's own; else top view, series, metrics and settings."""
        from devs_robotics.scenarios.case_study.page import page

        own = self._calling("report", lambda: self.of(outcome.scenario).report(summary, outcome))
        return page(self, summary, outcome) if own is None else own

    def own_sections(self, outcome: CaseOutcome) -> list[Section]:
        """Of the case study, for the page of a run."""
        return list(self._told("sections", outcome))

    def _told(self, hook: str, outcome: CaseOutcome) -> Any:
        """What a method of the case study says of a run."""
        return self._calling(hook, lambda: getattr(self.of(outcome.scenario), hook)(outcome))

    # studies

    def compared(self, scenario: Scenario) -> Compared:
        """All metrics, or what the case study makes of that."""
        usual = super().compared(scenario)
        return self._calling("compared", lambda: self.of(scenario).compared(usual))

    def watch(self, scenario: Scenario, stage: Stage) -> RunWatch:
        """The metrics that are compared, or what the case study observes besides."""
        own = self._calling("watch", lambda: self.of(scenario).watch(stage))
        return super().watch(scenario, stage) if own is None else own

    # the safety gate

    def allowances(self) -> tuple[Allowance, ...]:
        """Those of the case study."""
        return tuple(self.study.allows)

    # protocols

    def conform(self, scenario: Scenario, wanted: Examination) -> Examined:
        """By its own tables, if it has some; else by acceptors, bodies, guards and links."""
        from devs_robotics.scenarios.case_study.conforming import examine  # slow to load, and one command needs it

        own = self._calling("conform", lambda: self.of(scenario).conform(scenario, wanted))
        return examine(scenario, wanted) if own is None else own

    # calls

    def of(self, scenario: Scenario) -> CaseStudy:
        """The case study with the settings of a scenario."""
        own = getattr(scenario, self.study.table_name)
        settings = {name: getattr(own, name) for name in type(own).model_fields}
        settings |= {name: getattr(scenario, name).model_dump() for name in self.study.tables}
        try:
            study = self.study(**settings)
        except TypeError as exc:
            raise CaseError(
                f"{self.study.__name__} cannot be made with its settings ({exc}): let its __init__ take **settings, "
                "and pass them on by super().__init__(**settings)"
            ) from exc
        study.scenario = scenario
        return study

    def _calling(self, method: str, call: Callable[[], T]) -> T:
        """Call a method of the case study; whatever it raises is told as what it is."""
        with user_code(lambda why: BeginError(f"{self.study.__name__}.{method} failed: {why}")):
            return call()
