"""Stages without threads or waiting: the stand-ins' laboratory in this process, on a clock that a test drives."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics import Bridge, Lateness, Run, Simulator
from devs_robotics.core.observe import Observer
from devs_robotics.experimental_frames.convoy import ConvoyExperiment
from devs_robotics.hil.testing import InsideLab
from devs_robotics.scenarios.assembly import experiment
from devs_robotics.scenarios.geometry import resolve
from devs_robotics.scenarios.laboratory import laboratory_plan
from devs_robotics.scenarios.parts import parts
from devs_robotics.scenarios.schema import Scenario
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

    def __init__(self, scenario: Scenario, stage: Stage, model: ConvoyExperiment | None = None) -> None:
        self.scenario = resolve(scenario)
        plan = laboratory_plan(self.scenario, parts(self.scenario, stage), "mqtt://nowhere", 1.0)
        lab = self.lab = InsideLab(plan)
        self.laboratory, self.clock, self.links = lab.laboratory, lab.clock, lab.robot_ends
        self.model = experiment(self.scenario, stage) if model is None else model
        self.bridge = Bridge()
        for robot in self.model.system.robots:
            device = robot.equipment.device
            if device is not None:
                end, (outgoing, incoming) = lab.ends[robot.number], self.model.wires[robot.number]
                self.bridge.connect(
                    end.transport,
                    outgoing,
                    incoming,
                    send_on=end.send_on,
                    listen_on=end.listen_on,
                    last_words=device.last_words,
                )
        assert self.model.tracking is not None
        self.bridge.connect(lab.tracking.transport, None, self.model.tracking, listen_on=lab.tracking.listen_on)

    def run(self, observers: Sequence[tuple[Observer, Sequence[str]]] = ()) -> ConvoyExperiment:
        """Run to the verdict."""
        self.lab.start()
        with Simulator(self.model) as simulator:
            for observer, patterns in observers:
                simulator.attach(observer, *patterns)
            Run(simulator, self.clock, self.bridge, Lateness()).until(self.model.verdict)
        return self.model
