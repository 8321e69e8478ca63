"""The convoy's scenarios and runs, as what they are."""

from __future__ import annotations

from collections.abc import Iterable

from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.running import run as running
from devs_robotics.scenarios.running.means import FAST, NOBODY, Hooks, Means
from devs_robotics.scenarios.settings import loading
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import Setup


def load(name_or_path: str, settings: Iterable[str] = ()) -> ConvoyScenario:
    """Read and check a scenario of the convoy.

    Args:
        name_or_path: a shipped scenario's name, or a path
        settings: ``KEY=VALUE`` texts that override the file's keys

    Raises:
        ScenarioError: with every mistake in the file and the settings
        OptionError: it is of another case study
    """
    return of_convoy(loading.load(name_or_path, settings))


def of_convoy(scenario: Scenario) -> ConvoyScenario:
    """The same scenario.

    Raises:
        OptionError: it is of another case study
    """
    if not isinstance(scenario, ConvoyScenario):
        raise OptionError(f"this is for scenarios of the convoy, and not of {scenario.case}")
    return scenario


def experiment(setup: Setup[ConvoyScenario]) -> CaseExperiment:
    """The convoy under its experimental frame, with the activities of the setup's stage.

    Raises:
        DevsRoboticsError: somebody's class cannot be made
        PartError: a part of a frame cannot be made, or coupled to what there is in this stage
    """
    made = case_of(setup.scenario).experiment(setup)
    assert isinstance(made, CaseExperiment)
    return made


def run(scenario: ConvoyScenario, means: Means = FAST, hooks: Hooks = NOBODY) -> ConvoyOutcome:
    """Run a scenario of the convoy to its end, as `devs_robotics.scenarios.running.run` does any.

    Raises:
        DevsRoboticsError: the run cannot begin
    """
    outcome = running.run(scenario, means, hooks)
    assert isinstance(outcome, ConvoyOutcome)
    return outcome
