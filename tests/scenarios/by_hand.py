"""Stages without threads or waiting: the stand-ins' laboratory in this process, on a clock that a test drives."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics import Lateness, Run, Simulator
from devs_robotics.core.observe import Observer
from devs_robotics.experimental_frames.frame import CaseExperiment
from devs_robotics.scenarios.convoy.runs import experiment
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.running.means import Watched
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import Stage


class ByHand:
    """A run of a scenario in a stage with stand-ins, all in this thread.

    Args:
        scenario: to be run
        stage: of the run
        model: of the scenario in this stage; absent: with all frames

    Attributes:
        laboratory: of the stand-ins
        links: the stand-ins' ends of their links, by robot
        clock: for more to happen on the way
    """

    def __init__(self, scenario: ConvoyScenario, stage: Stage, model: CaseExperiment | None = None) -> None:
        self.setup = set_up(scenario, stage)
        self.model = experiment(self.setup) if model is None else model
        with RealRobots(self.setup, lab="inside") as robots:
            self.bridge = robots.bridge(self.model)
        assert robots.inside is not None
        self.laboratory, self.clock = robots.inside.laboratory, robots.inside.clock
        self.links = robots.inside.robot_ends

    def run(self, observers: Sequence[tuple[Observer, Watched]] = ()) -> CaseExperiment:
        """Run to the verdict."""
        with Simulator(self.model) as simulator:
            for observer, patterns in observers:
                simulator.attach(observer, *(patterns(self.model) if callable(patterns) else patterns))
            Run(simulator, self.clock, self.bridge, Lateness()).until(self.model.verdict)
        return self.model
