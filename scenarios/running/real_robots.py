"""The real robots of a run: who plays them, and how they are reached."""

from __future__ import annotations

import logging
from collections.abc import Callable, Container
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from devs_robotics import Bridge, Coupled, Port
from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.hil.addresses import masked, shown
from devs_robotics.scenarios.errors import BeginError
from devs_robotics.scenarios.running.outcome import NONE, RobotReport
from devs_robotics.scenarios.running.standstill import HOPELESS, why_it_stands
from devs_robotics.scenarios.setup.laboratory import laboratory_plan
from devs_robotics.scenarios.setup.roles import Role
from devs_robotics.scenarios.setup.setup import Setup
from devs_robotics.scenarios.stages import Lab

if TYPE_CHECKING:
    from devs_robotics.hil.lab.launch import LabProcess
    from devs_robotics.hil.testing import InsideLab
    from devs_robotics.hil.transports.connections import Connections, Endpoint

_logger = logging.getLogger(__name__)


class RealRobots:
    """While it is entered, every real robot of a stage can be reached; stand-ins play those without an address.

    Args:
        setup: of the run
        broker: gives the MQTT address of the broker for stand-ins; called only where it is needed
        tell: gets sentences for people: what was started by itself
        awaited: robots that nodes from elsewhere bring, with their devices
        lab: where the stand-ins live

    Attributes:
        addresses: where each is
        inside: the laboratory inside the run, if there is one

    Raises:
        DevsRoboticsError: a robot that is no stand-in cannot live at the rate or has an address that cannot be used
            here, or one is awaited whose stand-in could be reached here only
    """

    def __init__(
        self,
        setup: Setup[Any],
        broker: Callable[[], str] = str,
        tell: Callable[[str], None] = lambda note: None,
        awaited: Container[int] = (),
        lab: Lab = "process",
    ) -> None:
        self._setup = setup
        self._rate = setup.scenario.clock.rate
        self._standing: set[int] = set()
        """Robots that were told to stand still."""
        self._broker = broker
        self.addresses: dict[int, str] = {}
        self.inside: InsideLab | None = None
        self._lab = lab
        self._tell = tell
        self._tracking: str | None = setup.scenario.tracking.address
        self._stack = ExitStack()
        self._connections: Connections | None = None
        self._ends: dict[int, Endpoint] = {}
        self._process: LabProcess | None = None
        for number, role in setup.real.items():
            self._check(number, role, number in awaited)

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
        return {number: shown(self.addresses[number]) for number in self._setup.stand_ins}

    def bridge(self, experiment: Experiment, away: Container[int] = ()) -> Bridge:
        """A bridge between the experiment's boundary ports and the robots, but for those whose models are `away`."""
        bridge = Bridge()
        for robot in experiment.system.robots:
            device = robot.equipment.device
            if device is not None and robot.number not in away:
                device.address = shown(self.addresses[robot.number])
                end = self._end(robot.number, self.addresses[robot.number])
                end.join(bridge, experiment.wires[robot.number], device)
        tracking = self._tracking_end(experiment)
        if experiment.tracking is not None and tracking is not None:
            bridge.connect(tracking.transport, None, experiment.tracking, listen_on=tracking.listen_on)
        return bridge

    def reports(self, experiment: Experiment) -> dict[int, RobotReport]:
        """What is to be said of each real robot after a run."""
        found = {}
        for robot in experiment.system.robots:
            device, guard = robot.equipment.device, robot.equipment.guard
            if device is not None:
                role, parts = self._setup.real[robot.number], robot.equipment
                found[robot.number] = RobotReport(
                    played_by="a stand-in" if role.is_stand_in else masked(device.address),
                    protocol=role.robot.protocol,
                    motor=role.kinds.motor
                    if _is_asked(robot, parts.motor.drive.ask, parts.motor.override.ask)
                    else NONE,
                    infrared=role.kinds.infrared if _is_asked(robot, parts.infrared.ranging.ask) else NONE,
                    whiskers=role.kinds.whiskers if _is_asked(robot, parts.whiskers.touch.ask) else NONE,
                    dropped=dict(sorted(device.dropped.items())),
                    refused=robot.refused,
                    equipment=role.kinds.own,
                    standstill="" if guard is None else why_it_stands(robot.number, guard),
                )
        return found

    def unfound(self, experiment: Experiment, away: Container[int] = ()) -> str:
        """That a robot which is no stand-in was never found, a sentence about the first one; empty: all were.

        Args:
            experiment: that is over
            away: robots whose models are elsewhere, which is where that is known
        """
        devices = (robot.equipment.device for robot in experiment.system.robots if robot.number not in away)
        asked = (each for each in devices if each is not None and not self._setup.real[each.robot].is_stand_in)
        return next((each.unfound for each in asked if each.unfound), "")

    def tell_of_standstills(self, experiment: Experiment) -> None:
        """Tell of each robot once that its guard refuses move after move, as soon as that is seen."""
        for robot in experiment.system.robots:
            guard = robot.equipment.guard
            if guard is not None and guard.in_vain >= HOPELESS and robot.number not in self._standing:
                self._standing.add(robot.number)
                self._tell(why_it_stands(robot.number, guard))

    def dropped(self, experiment: Experiment, bridge: Bridge) -> dict[str, int]:
        """Packets that were of use to nobody, by what was wrong, but for those of robots."""
        tracker = experiment.tracker
        found = {} if tracker is None else {f"of the tracking system: {why}": n for why, n in tracker.dropped.items()}
        if bridge.dropped:
            found["more than the simulation could keep up with"] = bridge.dropped
        return dict(sorted(found.items()))

    def _check(self, number: int, role: Role, awaited: bool) -> None:
        """See what can be seen of a robot before anything is started for it."""
        address = role.robot.address
        refuse_unlivable(number, address, self._rate, self._lab)
        if address is None:
            from devs_robotics.hil.protocols import protocol_for  # slow to load, and most runs have no real robots

            if awaited and protocol_for(role.robot.protocol).stand_in != "broker":
                raise BeginError(
                    f"--await {number}: robot {number} has no address, and its stand-in, which speaks "
                    f"{role.robot.protocol}, can be reached on this computer only: give real.{number}.address to the "
                    f"host and to the node, or leave {number} out of --await"
                )
            return
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

    def _tracking_end(self, experiment: Experiment) -> Endpoint | None:
        """Where fixes come from, if there is a tracking system."""
        if self.inside is not None:
            return self.inside.tracking
        if self._tracking is None or experiment.tracker is None:
            return None
        from devs_robotics.scenarios.setup.tracking import ros2_fixes  # slow to load, and most runs have no real robots

        reader = ros2_fixes(self._setup, experiment.tracker.fix_of)
        connections = self._connected()
        return connections.topic(self._tracking) if reader is None else connections.fixes(self._tracking, reader.topics)

    def _start(self, stack: ExitStack) -> None:
        self.addresses = {number: role.robot.address for number, role in self._setup.real.items() if role.robot.address}
        stand_ins = self._setup.stand_ins
        if not stand_ins:
            return
        if self._lab == "inside":
            self._start_inside()
        else:
            self._start_process(stack)
        self._tell(f"no address is given for {numbered(stand_ins)}: stand-ins play, which need no certificate")

    def _start_process(self, stack: ExitStack) -> None:
        from devs_robotics.hil.lab.launch import LabProcess

        plan = laboratory_plan(self._setup, self._broker(), self._rate)
        self._tracking = self._tracking or plan.tracking
        self._process = stack.enter_context(LabProcess(plan))
        self.addresses.update(self._process.addresses)
        for number, address in sorted(self._process.addresses.items()):
            _logger.debug("the stand-in of robot %d is at %s", number, masked(address))

    @property
    def trouble(self) -> str:
        """Why the laboratory has ended before the run; empty while it has not."""
        if self._process is None or not self._process.wait(0.0):
            return ""
        said = self._process.said
        return f"the laboratory has ended by itself{f': {said}' if said else ''}"

    def _start_inside(self) -> None:
        from devs_robotics.hil.testing import InsideLab

        if self._tracking is not None:
            raise BeginError(
                "--lab inside: the laboratory has a tracking system of its own, so leave out tracking.address"
            )
        self.inside = InsideLab(laboratory_plan(self._setup, "mqtt://inside", 1.0))
        self.addresses = dict.fromkeys(self._setup.stand_ins, "a stand-in")
        self.inside.start()


def refuse_unlivable(number: int, address: str | None, rate: float, lab: Lab) -> None:
    """Raises BeginError for a robot that is no stand-in, where it could not live whatever is connected.

    Args:
        number: of the robot
        address: of it; None: it is a stand-in
        rate: simulated seconds per real second
        lab: where stand-ins live
    """
    if address is None:
        return
    if lab == "inside":
        raise BeginError(
            f"--lab inside: robot {number} is at {masked(address)}, and not in the laboratory: leave this out, or "
            f"real.{number}.address"
        )
    if rate != 1.0:
        raise BeginError(
            f"robot {number} is real ({masked(address)}) and cannot live at the rate {rate:g}: "
            f"leave out --rate and clock.rate, or real.{number}.address for a stand-in"
        )


def _is_asked(robot: Coupled, *ports: Port[Any]) -> bool:
    """Whether a part of a robot asks another one by some port; what nobody asks, such a robot does without."""
    return any(port in targets for targets in robot.ic.values() for port in ports)
