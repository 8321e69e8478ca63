"""Queues for tests, with experiments that need no scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from devs_robotics.scenarios.queueing.certifying import GateRuns
from devs_robotics.scenarios.queueing.experiment_queue import ExperimentQueue
from devs_robotics.scenarios.queueing.experiments import NewExperiment, QueuedExperiment, Recipe
from devs_robotics.scenarios.queueing.worker import ArenaMeans, WorkerHooks, work_off


def new(**more: Any) -> NewExperiment:
    """An experiment that is never run."""
    recipe = Recipe(scenario="{}", folder="/", here="/", sources={})
    return NewExperiment(**{"source": "x", "settings": (), "recipe": recipe, "sha256": "0" * 64, "seed": 1, **more})


def over(queue: ExperimentQueue, experiment: QueuedExperiment, reason: str = "done") -> None:
    """Have an experiment be finished, with results."""
    queue.results.begin(experiment.number)
    queue.results.finish(queue.ended_now(experiment, "finished", "accepted", reason))
    queue.end(experiment, "finished", "accepted", reason)


def told(queue: Path, arena: str = "arena", **means: Any) -> list[str]:
    """What a worker tells that works until nothing is left."""
    lines: list[str] = []
    hooks = WorkerHooks(lambda: False, lines.append, lambda experiment: True)
    with ExperimentQueue(queue) as there:
        for each in work_off(there, ArenaMeans(arena=arena, **{"judging": GateRuns((1, 2)), **means}), hooks):
            lines.append(f"{each.number} {each.state}: {each.reason}")
    return lines
