"""Runs a case study from a script or a notebook, without any file."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from devs_robotics.scenarios.case import known_here
from devs_robotics.scenarios.case_study.case_study import CaseStudy
from devs_robotics.scenarios.case_study.harness import study_case
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.running.means import Means
from devs_robotics.scenarios.running.run import run as run_scenario
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.stages import Stage


def run(
    study: CaseStudy,
    stage: Stage = "fast",
    *,
    duration: float | str | None = None,
    seed: int | None = None,
    means: Means | None = None,
    **tables: dict[str, Any],
) -> CaseOutcome:
    """Run a case study in one of its stages.

    Args:
        study: with its settings
        stage: of the run
        duration: simulated time (s, or a text with a unit); None: as the case study says
        seed: of the random numbers; None: as the case study says
        means: how the run is made otherwise; its stage is `stage`
        tables: further tables of a scenario, as ``field={"width": 4.0}``

    Raises:
        ScenarioError: settings are wrong, or disagree
        DevsRoboticsError: the run cannot begin
    """
    scenario = scenario_of(study, duration=duration, seed=seed, **tables)
    outcome = run_scenario(scenario, replace(means or Means(), stage=stage))
    assert isinstance(outcome, CaseOutcome)
    return outcome


def scenario_of(
    study: CaseStudy, *, duration: float | str | None = None, seed: int | None = None, **tables: dict[str, Any]
) -> Scenario:
    """A scenario of a case study, as `run` runs it; it takes what that takes.

    Raises:
        ScenarioError: settings are wrong, or disagree
    """
    if not isinstance(study, CaseStudy):
        raise CaseError(f"run takes a case study, as run(Wandering(robots=3)), not {study!r}")
    cls = type(study)
    case = study_case(cls, f"{cls.__module__}:{cls.__qualname__}")
    known_here[case.name] = case
    own = {name: getattr(study, name) for name in cls.table.model_fields}
    own_tables = {name: getattr(study, name).model_dump() for name in cls.tables}
    given = {name: dict(table) for name, table in tables.items()}
    run_table = given.setdefault("run", {})
    run_table |= {} if duration is None else {"duration": duration}
    run_table |= {} if seed is None else {"seed": seed}
    scenario, problems = validate({**own_tables, **given, "case": case.name, cls.table_name: own})
    if scenario is None:
        raise ScenarioError(cls.__name__, problems)
    return scenario
