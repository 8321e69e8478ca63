"""Rehearses a scenario in the stage `fast` before real robots move."""

from __future__ import annotations

from collections.abc import Callable, Container

from devs_robotics import DevsRoboticsError, ModelError, Run, Simulator
from devs_robotics.experimental_frames.convoy import ConvoyExperiment
from devs_robotics.experimental_frames.frame import first_of
from devs_robotics.experimental_frames.instruments.approach import Approach, Approaches
from devs_robotics.scenarios.convoy.assembly import approaches, experiment
from devs_robotics.scenarios.settings.loading import fingerprint
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.roles import parts
from devs_robotics.scenarios.stages import Stage


class RehearsalError(DevsRoboticsError):
    """A scenario has not passed in the stage `fast`, so that no real robot may move."""


def moves_hardware(scenario: Scenario, stage: Stage, awaited: Container[int] = ()) -> bool:
    """Whether a run moves robots that are no stand-ins, or may do so: only a node that is `awaited` knows its own."""
    return any(not part.is_stand_in or number in awaited for number, part in parts(scenario, stage).items())


def rehearse(scenario: Scenario, interrupted: Callable[[], bool] = lambda: False) -> Approach:
    """Run a scenario in the stage `fast`; returns how near any of its robots came to anything.

    Args:
        scenario: with nothing left open
        interrupted: asked now and then whether to give up

    Raises:
        KeyboardInterrupt: it was interrupted
        RehearsalError: the run was not accepted, or a robot came closer to something than `safety.approach`, as it
            also does where the environment stops it
    """
    model = experiment(scenario)
    observer = _observe(model, scenario)
    rejection = _run(model, interrupted)
    trouble = observer.verdict() or rejection  # the first is the worse, and often the cause of the other
    if trouble:
        raise RehearsalError(
            f"real robots may not move: in the stage fast this scenario (sha {fingerprint(scenario)[:12]}) does not "
            f"pass, because {trouble}; change it, or take the risk with --accept-risk"
        )
    return min(observer.nearest, key=lambda approach: approach.distance)


def _observe(model: ConvoyExperiment, scenario: Scenario) -> Approaches:
    if model.frame.approaches is not None:
        return model.frame.approaches
    observer = approaches(scenario)
    model.add_component(observer)
    model.add_coupling(model.system.pose_change, observer.pose_change)
    return observer


def _run(model: ConvoyExperiment, interrupted: Callable[[], bool]) -> str:
    """Run to the end; returns why the run does not count, or nothing."""
    with Simulator(model) as simulator:
        try:
            Run(simulator).until(model.verdict, interrupted=interrupted)
        except ModelError as exc:
            return str(exc)
    if model.verdict:
        verdict = first_of(model.verdict.values)
        return "" if verdict.accepted else verdict.reason
    if interrupted():
        raise KeyboardInterrupt
    return "no robot has anything left to do: each waits for another"
