"""Stages without threads or waiting: the stand-ins' laboratory in this process, on a clock that a test drives."""

from __future__ import annotations

from collections.abc import Sequence

from devs_robotics import Arrival, Bridge, HandClock, Lateness, Loopback, Packet, Run, Simulator
from devs_robotics.core.observe import Observer
from devs_robotics.experimental_frames.convoy import Experiment
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.outside import Tracking
from devs_robotics.scenarios.assembly import experiment
from devs_robotics.scenarios.geometry import resolve
from devs_robotics.scenarios.laboratory import laboratory_plan
from devs_robotics.scenarios.parts import parts
from devs_robotics.scenarios.schema import Scenario
from devs_robotics.scenarios.stages import Stage


class LabClock(HandClock):
    """A clock by which a laboratory lives too: while the host waits, the laboratory goes on."""

    def __init__(self, laboratory: Laboratory) -> None:
        super().__init__()
        self.laboratory = laboratory

    def wait(self, until: float) -> None:
        laboratory = self.laboratory
        while not self._woken and laboratory.next_time <= until:
            self._now = max(self._now, laboratory.next_time)
            laboratory.advance(self._now)
        super().wait(until)


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

    def __init__(self, scenario: Scenario, stage: Stage, model: Experiment | None = None) -> None:
        self.scenario = resolve(scenario)
        plan = laboratory_plan(self.scenario, parts(self.scenario, stage), "mqtt://nowhere", 1.0)
        self.laboratory = Laboratory(plan)
        self.clock = LabClock(self.laboratory)
        self.model = experiment(self.scenario, stage) if model is None else model
        self.links: dict[int, Loopback] = {}
        self.bridge = Bridge()
        for robot in self.model.system.robots:
            device = robot.equipment.device
            if device is not None:
                outgoing, incoming = self.model.wires[robot.number]
                here = self._link(robot.number)
                self.bridge.connect(
                    here, outgoing, incoming, send_on="command", listen_on="report", last_words=device.last_words
                )

        self._connect_tracking()

    def run(self, observers: Sequence[tuple[Observer, Sequence[str]]] = ()) -> Experiment:
        """Run to the verdict."""
        self.laboratory.start()
        with Simulator(self.model) as simulator:
            for observer, patterns in observers:
                simulator.attach(observer, *patterns)
            Run(simulator, self.clock, self.bridge, Lateness()).until(self.model.verdict)
        return self.model

    def _connect_tracking(self) -> None:
        here, there = Loopback.pair()
        assert self.model.tracking is not None
        self.bridge.connect(here, None, self.model.tracking, listen_on="tracking")
        there.open(lambda arrival: None)
        Tracking(self.laboratory, lambda data: there.send("tracking", data))

    def _link(self, number: int) -> Loopback:
        """A link to a stand-in; returns the host's end."""
        here, there = Loopback.pair()
        core = self.laboratory.robots[number]

        def arrived(arrival: Arrival) -> None:
            self.laboratory.advance(self.clock.now())
            if isinstance(arrival.content, Packet):
                core.receive(arrival.content.data)
            elif not arrival.content.up:
                core.link_lost()

        there.listen("command")
        there.open(arrived)
        core.send = lambda data: there.send("report", data)
        self.links[number] = there
        return here
