"""Runs a case study from a script or a notebook, without any file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from devs_robotics.scenarios.case import known_here
from devs_robotics.scenarios.case_study.case_study import CaseStudy
from devs_robotics.scenarios.case_study.harness import study_case
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.errors import CaseError
from devs_robotics.scenarios.running.means import Hooks, Means
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
    **tables: Any,
) -> CaseOutcome:
    """Run a case study in one of its stages.

    Args:
        study: with its settings
        stage: of the run
        duration: simulated time (s, or a text with a unit); None: as the case study says
        seed: of the random numbers; None: as the case study says
        means: how the run is made otherwise; its stage is `stage`
        tables: of a scenario, beside those of the case study, as ``field={"width": 4.0}``

    Raises:
        ScenarioError: settings are wrong, or disagree
        DevsRoboticsError: the run cannot begin
    """
    scenario = scenario_of(study, duration=duration, seed=seed, **tables)
    wanted = replace(means or Means(), stage=stage)
    wanted.check()
    _check_importable(type(study), wanted)
    outcome = run_scenario(scenario, wanted, Hooks(replay=True))
    assert isinstance(outcome, CaseOutcome)
    return outcome


def scenario_of(
    study: CaseStudy, *, duration: float | str | None = None, seed: int | None = None, **tables: Any
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
    own = {cls.table_name: {name: getattr(study, name) for name in cls.table.model_fields}}
    own |= {name: getattr(study, name).model_dump() for name in cls.tables}
    for name in tables:
        if name in own or name == "case":
            raise CaseError(f"run: {name} is given by the case study: write its settings as {cls.__name__}(...)")
    given = {name: _plain(table) for name, table in tables.items()}
    table = given.setdefault("run", {})
    if isinstance(table, dict):
        table.update({key: value for key, value in (("duration", duration), ("seed", seed)) if value is not None})
    scenario, problems = validate({**given, **own, "case": case.name})
    if scenario is None:
        raise ScenarioError(cls.__name__, problems)
    return scenario


def _plain(table: Any) -> Any:
    """A table as a file has it, whose keys are texts: robots' numbers, too."""
    return {str(key): value for key, value in table.items()} if isinstance(table, Mapping) else table


def _check_importable(cls: type[CaseStudy], means: Means) -> None:
    """Whether other processes can have the class, where some are to run its robots' models."""
    nodes = means.stage == "distributed" or means.nodes is not None
    if nodes and (cls.__module__ == "__main__" or "<locals>" in cls.__qualname__):
        raise CaseError(
            f"{cls.__name__} is known to this process only, and nodes are others: put it at the top of a module of its "
            "own, and import it from there"
        )
