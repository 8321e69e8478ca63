"""The real robots of a run: who plays them, and how they are reached."""

from __future__ import annotations

from collections.abc import Callable, Container
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Self

from devs_robotics import Bridge, DevsRoboticsError
from devs_robotics.experimental_frames.convoy import ConvoyExperiment
from devs_robotics.hil.addresses import masked, shown
from devs_robotics.scenarios.laboratory import laboratory_plan
from devs_robotics.scenarios.outcome import RobotReport
from devs_robotics.scenarios.parts import Part, parts
from devs_robotics.scenarios.schema import Scenario
from devs_robotics.scenarios.stages import Lab, Stage

if TYPE_CHECKING:
    from devs_robotics.hil.testing import InsideLab
    from devs_robotics.hil.transports.connections import Connections, Endpoint


class RealRobots:
    """While it is entered, every real robot of a stage can be reached; stand-ins play those without an address.

    Args:
        scenario: with nothing left open
        stage: says which robots are real
        rate: simulated seconds per real second
        broker: gives the MQTT address of the broker for stand-ins; called only where it is needed
        tell: gets sentences for people: what was started by itself
        awaited: robots that nodes from elsewhere bring, with their devices
        lab: where the stand-ins live

    Attributes:
        parts: the real robots
        addresses: where each is
        inside: the laboratory inside the run, if there is one

    Raises:
        DevsRoboticsError: a robot that is no stand-in cannot live at the rate or has an address that cannot be used
            here, or one is awaited whose stand-in could be reached here only
    """

    def __init__(
        self,
        scenario: Scenario,
        stage: Stage,
        rate: float,
        broker: Callable[[], str],
        tell: Callable[[str], None],
        awaited: Container[int] = (),
        lab: Lab = "process",
    ) -> None:
        self.scenario = scenario
        self.parts = parts(scenario, stage)
        self.rate = rate
        self._broker = broker
        self.addresses: dict[int, str] = {}
        self.inside: InsideLab | None = None
        self._lab = lab
        self._tell = tell
        self._tracking: str | None = scenario.tracking.address
        self._stack = ExitStack()
        self._connections: Connections | None = None
        self._ends: dict[int, Endpoint] = {}
        for number, part in self.parts.items():
            self._check(number, part, number in awaited)

    def __enter__(self) -> Self:
        with ExitStack() as stack:  # what was started ends if the rest cannot start
            self._start(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def stand_ins(self) -> dict[int, str]:
        """Where the stand-ins are, without passwords: for nodes, which have their own way to the broker."""
        return {number: shown(self.addresses[number]) for number, part in self.parts.items() if part.is_stand_in}

    def bridge(self, experiment: ConvoyExperiment, away: Container[int] = ()) -> Bridge:
        """A bridge between the experiment's boundary ports and the robots, but for those whose models are `away`."""
        from devs_robotics.hil.addresses import parse_mqtt

        bridge = Bridge()
        for robot in experiment.system.robots:
            device = robot.equipment.device
            if device is not None and robot.number not in away:
                device.address = shown(self.addresses[robot.number])
                outgoing, incoming = experiment.wires[robot.number]
                end = self._end(robot.number, self.addresses[robot.number])
                bridge.connect(
                    end.transport,
                    outgoing,
                    incoming,
                    send_on=end.send_on,
                    listen_on=end.listen_on,
                    last_words=device.last_words,
                )
        if experiment.tracking is not None and self.inside is not None:
            bridge.connect(
                self.inside.tracking.transport, None, experiment.tracking, listen_on=self.inside.tracking.listen_on
            )
        elif experiment.tracking is not None and self._tracking is not None:
            broker, topic = self._connected().broker(self._tracking), parse_mqtt(self._tracking).prefix
            bridge.connect(broker, None, experiment.tracking, listen_on=topic)
        return bridge

    def reports(self, experiment: ConvoyExperiment) -> dict[int, RobotReport]:
        """What is to be said of each real robot after a run."""
        found = {}
        for robot in experiment.system.robots:
            part, device, guard = self.parts.get(robot.number), robot.equipment.device, robot.equipment.guard
            if part is not None and device is not None:
                found[robot.number] = RobotReport(
                    played_by="a stand-in" if part.is_stand_in else masked(device.address),
                    protocol=part.robot.protocol,
                    motor=part.kinds.motor,
                    infrared=part.kinds.infrared,
                    whiskers=part.kinds.whiskers,
                    dropped=dict(sorted(device.dropped.items())),
                    refused=0 if guard is None else guard.refused,
                )
        return found

    def dropped(self, experiment: ConvoyExperiment, bridge: Bridge) -> dict[str, int]:
        """Packets that were of use to nobody, by what was wrong, but for those of robots."""
        tracker = experiment.tracker
        found = {} if tracker is None else {f"of the tracking system: {why}": n for why, n in tracker.dropped.items()}
        if bridge.dropped:
            found["more than the simulation could keep up with"] = bridge.dropped
        return dict(sorted(found.items()))

    def _check(self, number: int, part: Part, awaited: bool) -> None:
        """See what can be seen of a robot before anything is started for it."""
        address = part.robot.address
        if address is not None and self._lab == "inside":
            raise DevsRoboticsError(
                f"--lab inside: robot {number} is at {masked(address)}, and not in the laboratory: leave this out, or "
                f"real.{number}.address"
            )
        if address is None:
            from devs_robotics.hil.protocols import protocol_for  # slow to load, and most runs have no real robots

            if awaited and protocol_for(part.robot.protocol).stand_in != "broker":
                raise DevsRoboticsError(
                    f"--await {number}: robot {number} has no address, and its stand-in, which speaks "
                    f"{part.robot.protocol}, can be reached on this computer only: give real.{number}.address to the "
                    f"host and to the node, or leave {number} out of --await"
                )
            return
        if self.rate != 1.0:
            raise DevsRoboticsError(
                f"robot {number} is real ({masked(address)}) and cannot live at the rate {self.rate:g}: "
                f"leave out --rate and clock.rate, or real.{number}.address for a stand-in"
            )
        if not awaited:
            self._end(number, address)

    def _connected(self) -> Connections:
        from devs_robotics.hil.transports.connections import (
            Connections,  # slow to load, and most runs have no real robots
        )

        self._connections = self._connections or Connections()
        return self._connections

    def _end(self, number: int, address: str) -> Endpoint:
        if self.inside is not None:
            return self.inside.ends[number]
        if number not in self._ends:
            self._ends[number] = self._connected().at(address)
        return self._ends[number]

    def _start(self, stack: ExitStack) -> None:
        stand_ins = {number: part for number, part in self.parts.items() if part.is_stand_in}
        self.addresses = {number: part.robot.address for number, part in self.parts.items() if part.robot.address}
        if not stand_ins:
            return
        if self._lab == "inside":
            self._start_inside(stand_ins)
        else:
            self._start_process(stand_ins, stack)
        who = "robot" if len(stand_ins) == 1 else "robots"
        self._tell(f"no address is given for {who} {', '.join(map(str, sorted(stand_ins)))}: stand-ins play")

    def _start_process(self, stand_ins: dict[int, Part], stack: ExitStack) -> None:
        from devs_robotics.hil.lab.launch import LabProcess

        plan = laboratory_plan(self.scenario, stand_ins, self._broker(), self.rate)
        self._tracking = self._tracking or plan.tracking
        lab = stack.enter_context(LabProcess(plan))
        self.addresses.update(lab.addresses)

    def _start_inside(self, stand_ins: dict[int, Part]) -> None:
        from devs_robotics.hil.testing import InsideLab

        if self._tracking is not None:
            raise DevsRoboticsError(
                "--lab inside: the laboratory has a tracking system of its own, so leave out tracking.address"
            )
        self.inside = InsideLab(laboratory_plan(self.scenario, stand_ins, "mqtt://inside", 1.0))
        self.addresses = dict.fromkeys(stand_ins, "a stand-in")
        self.inside.start()
