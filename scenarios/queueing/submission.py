"""From a scenario to an experiment in a queue, and back, in another process and in another folder."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from devs_robotics.core.own_files import is_own
from devs_robotics.core.user_code import staying_here
from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.case_study.finding import case_beside
from devs_robotics.scenarios.certifying.gate import hardware
from devs_robotics.scenarios.queueing.certifying import CERTIFIED
from devs_robotics.scenarios.queueing.experiments import (
    DAMAGED,
    DEATHS,
    NewExperiment,
    QueueError,
    Recipe,
    RecipeError,
    named,
)
from devs_robotics.scenarios.running.real_robots import refuse_unlivable
from devs_robotics.scenarios.settings.loading import fingerprint, load, restored
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Lab, Stage
from devs_robotics.scenarios.sweeps.software import modules_of, software

PROJECT = __name__.partition(".")[0]


class ExperimentWish(Struct, frozen=True, kw_only=True):
    """How an experiment is to be run; see `NewExperiment`."""

    stage: Stage = "fast"
    rate: float | None = None
    lab: Lab = "process"
    name: str | None = None
    wanted_arena: str | None = None
    priority: int = 0
    deaths_allowed: int = DEATHS


def submitted(source: str, settings: Sequence[str], wish: ExperimentWish) -> NewExperiment:
    """A scenario as an experiment that may be added to a queue.

    Args:
        source: of the scenario, as `load` takes it
        settings: ``KEY=VALUE`` texts
        wish: how it is to be run

    Raises:
        DevsRoboticsError: something is wrong with it
    """
    if wish.name is not None:
        named("--name", wish.name)
        if wish.name.isdigit():
            raise QueueError(f"--name {wish.name}: a name of digits only would be taken for a number: add a letter")
    if wish.wanted_arena is not None:
        named("--arena", wish.wanted_arena)
    scenario = resolve(load(source, settings))
    path = Path(source)
    recipe = Recipe(
        scenario=scenario.model_dump_json(round_trip=True),
        folder=str((path if path.is_file() else Path.cwd() / "x").absolute().parent),
        here=str(Path.cwd()),
        sources=own_sources(scenario),
    )
    return NewExperiment(
        source=str(path.absolute()) if path.is_file() else source,
        settings=tuple(settings),
        recipe=recipe,
        sha256=fingerprint(scenario),
        seed=scenario.run.seed,
        real_robots=_moves_real_robots(scenario, wish),
        **{name: getattr(wish, name) for name in wish.__struct_fields__},
    )


def _moves_real_robots(scenario: Scenario, wish: ExperimentWish) -> bool:
    """Whether it does; raises BeginError where they could not live in this way."""
    if wish.stage not in CERTIFIED:
        return False
    setup = set_up(scenario, wish.stage, 1.0 if wish.lab == "inside" else wish.rate)
    for number, role in setup.real.items():
        refuse_unlivable(number, role.robot.address, setup.scenario.clock.rate, wish.lab)
    return bool(hardware(setup))


@contextmanager
def prepared(recipe: Recipe) -> Iterator[Scenario]:
    """The scenario of an experiment, in its folder, with its modules; afterwards all is as it was before.

    Modules of users' own are forgotten afterwards, so that the next experiment has them as their files are then.

    Raises:
        RecipeError: a folder has gone, or modules are no longer those that the experiment was added with
        DevsRoboticsError: the scenario cannot be had
    """
    path, modules = list(sys.path), set(sys.modules)
    with staying_here():
        try:
            for folder in (recipe.folder, recipe.here):
                if not Path(folder).is_dir():
                    raise RecipeError(f"the folder {folder}, in which it was added, is not there: put it back")
            os.chdir(recipe.here)
            scenario = _restored(recipe)
            now = own_sources(scenario)
            for name in sorted(recipe.sources.keys() | now.keys()):
                if recipe.sources.get(name) != now.get(name):
                    raise RecipeError(
                        f"the file of {name} is not as it was when this was added: put it back and retry, or add the "
                        "experiment anew"
                    )
            yield scenario
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - modules:
                if _is_somebodys(name):
                    del sys.modules[name]


def own_sources(scenario: Scenario) -> dict[str, str]:
    """Hashes of the modules of users' own that a scenario takes, by their names."""
    found = software(modules_of([scenario])).sources
    return {name: sha for name, sha in found.items() if name.partition(".")[0] != PROJECT}


def _restored(recipe: Recipe) -> Scenario:
    try:
        case = json.loads(recipe.scenario)["case"]
        if ":" in case:
            case_beside(case, Path(recipe.folder))
        return restored(recipe.scenario)
    except (KeyError, TypeError, ValueError, RecursionError) as exc:  # pydantic's, of what is damaged, too
        raise RecipeError(DAMAGED) from exc


def _is_somebodys(module: str) -> bool:
    """Whether a module is neither of Python, nor installed, nor of this project."""
    file = getattr(sys.modules[module], "__file__", None)
    return file is not None and module.partition(".")[0] != PROJECT and is_own(Path(file))
