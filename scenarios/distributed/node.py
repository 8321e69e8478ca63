"""A node of a distributed run: runs the models of some robots where they are."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import Bridge, DevsRoboticsError, Lateness, ModelError, Run, Simulator, __version__
from devs_robotics.core.distribution import AgreedClock, ControlLine, Node, Partition, Session, blame
from devs_robotics.core.distribution.control import HOST, Announcement, FinalReport, Plan
from devs_robotics.core.realtime.epoch import unix_epoch
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.hil.addresses import Address, MqttAddress, masked, parse, parse_mqtt
from devs_robotics.hil.transports.connections import Connections
from devs_robotics.hil.transports.mqtt import Mqtt
from devs_robotics.scenarios.case import case_of, robots_of
from devs_robotics.scenarios.distributed.sharing import divide, likeness
from devs_robotics.scenarios.errors import NodeError
from devs_robotics.scenarios.running.interrupt import pausing
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up
from devs_robotics.scenarios.stages import STAGES, Stage

PROCESS_TIMEOUT = 5.0
"""Another process that has not been heard of for so long (s) is lost."""

SILENCE = 0.4
"""While the host has not been heard of for so long (s), robots stand still: within half a second, as those do that hear
no heartbeat."""

LINKS = 1.0
"""So long may the start wait for links (s)."""

FAREWELL = 2.0
"""So long a node tries to say its last word (s)."""

Tell = Callable[[str], None]
Interrupted = Callable[[], bool]


class NodeOutcome(Struct, frozen=True):
    """How a node's part in a run ended.

    Attributes:
        ended: what became of the run, by the host's word; or for this node: ``failed`` for a fault of a model or of the
            scenario, ``broken off`` for a lost host or node, ``interrupted``
        reason: why
    """

    ended: str
    reason: str


def default_name() -> str:
    """A name for this node that no other has: ``HOSTNAME-PID``."""
    return f"{re.sub('[^A-Za-z0-9_-]', '-', socket.gethostname())[:40]}-{os.getpid()}"


def run_node(
    scenario: Scenario,
    robots: tuple[int, ...],
    broker: MqttAddress | str,
    name: str,
    *,
    tell: Tell = lambda note: None,
    interrupted: Interrupted = lambda: False,
    at_host: bool = False,
) -> NodeOutcome:
    """Wait for a host that wants these robots, run their models for it, and end with it.

    Args:
        scenario: which the host must have too, but for `run`, `clock`, and `frame` without its parts
        robots: numbers
        broker: MQTT address
        name: of this node
        tell: gets sentences for people
        interrupted: asked now and then whether to end early
        at_host: the node is on the host's computer, where it can reach every stand-in

    Raises:
        DevsRoboticsError: the scenario has no such robot, or the broker's address is wrong
    """
    there_are = len(robots_of(scenario))
    for robot in robots:
        if robot > there_are:
            raise NodeError(f"--robot {robot}: the scenario has {there_are} robots: give one of these numbers")
    party = Node(name, robots, __version__, likeness(scenario), epoch=unix_epoch())
    with ControlLine(Mqtt(broker), party) as line:
        run = _NodeRun(scenario, broker, party, line, tell, interrupted, at_host)
        try:
            run.until_the_end()
        except DevsRoboticsError as exc:
            run.failure, run.of_model = str(exc), isinstance(exc, ModelError)
        run.say_farewell()
    return run.outcome()


class _NodeRun:
    """One run of a node, step by step."""

    def __init__(
        self,
        scenario: Scenario,
        broker: MqttAddress | str,
        party: Node,
        line: ControlLine,
        tell: Tell,
        interrupted: Interrupted,
        at_host: bool,
    ) -> None:
        self.scenario = scenario
        self.broker = broker
        self.party = party
        self.line = line
        self.tell = tell
        self.interrupted = interrupted
        self.at_host = at_host
        self.failure = ""
        self.of_model = False
        """Whether a model is to be blamed for it."""
        self.lost = ""
        """Which other process is."""
        self.held_up = 0.0
        self.steps = 0
        self.lateness = Lateness()
        self.part: Partition | None = None
        self._told: set[str] = set()
        self._holds = False

    def until_the_end(self) -> None:
        """From the first announcement to the end."""
        self.line.until(lambda: self._tell_of_waiting() or self.party.phase == "planned", inf, self.interrupted)
        announcement, plan = self.party.announcement, self.party.plan
        if announcement is None or plan is None or self._is_over():
            return
        self.tell(f"run {announcement.run}: stage {announcement.stage}, rate {announcement.rate:g}")
        setup = set_up(self.scenario, _stage(announcement))
        model = case_of(setup.scenario).experiment(setup)
        session = Session(announcement.run, self.party.name, announcement.rate, patience=PROCESS_TIMEOUT)
        self.part = divide(model, plan.robots, session)
        bridge = self._bridge(model, self.part, announcement, plan)
        with Simulator(self.part.root) as simulator:
            self.party.ready()
            self.line.until(lambda: self.party.phase == "starting" or self._is_over(), inf)
            if self.party.phase == "starting":
                clock = AgreedClock(announcement.rate, self.party.start)
                run = Run(simulator, clock, bridge, self.lateness, LINKS, self.tell)

                def is_over() -> bool:
                    self._mind_silence(bridge, session, clock.now())
                    return self._is_over()

                try:
                    with pausing(run.pause):
                        run.until(self.part.fault, interrupted=is_over)
                finally:
                    self.steps, self.held_up = simulator.steps, run.held_up
                if self.part.fault:
                    self.lost = self.part.fault.get().reason

    def say_farewell(self) -> None:
        """Report, and hear the host's final message if it still has one."""
        party = self.party
        if party.announcement is None or party.failure:
            return
        timing, part = self.lateness.distribution(), self.part
        failed = self.failure or self.lost or ("it was interrupted" if self.interrupted() else "")
        party.report(
            FinalReport(
                run=party.announcement.run,
                node=party.name,
                failed="" if party.phase == "over" else failed[:2000],
                steps=self.steps,
                lateness_p99=timing.p99 if timing.events else -1.0,
                lateness_max=timing.maximum if timing.events else -1.0,
                dropped={} if part is None else dropped(part),
                of_model=self.of_model,
            )
        )
        self.line.until(lambda: party.phase == "over", FAREWELL)
        self.line.step()

    def outcome(self) -> NodeOutcome:
        """How it ended."""
        end = self.party.end
        if self.failure:
            return NodeOutcome("failed", self.failure)
        if end is not None:
            return NodeOutcome(end.ended, end.reason)
        if self.lost or self.party.failure:
            return NodeOutcome("broken off", blame(self.lost or self.party.failure, self.held_up, PROCESS_TIMEOUT))
        return NodeOutcome("interrupted", "the user interrupted the node")

    def _is_over(self) -> bool:
        self.line.watch()
        return self.party.phase == "over" or bool(self.party.failure) or self.interrupted()

    def _mind_silence(self, bridge: Bridge, session: Session, now: float) -> None:
        """Have the robots stand still while the host is silent."""
        assert self.part is not None
        silent = self.part.peers[HOST].silence(now) > SILENCE * session.rate
        if silent == self._holds:
            return
        self._holds = silent
        reason = f"the host has not been heard of for {SILENCE:g} s"
        if not silent:
            bridge.release(reason)
        elif bridge.hold(reason):
            self.tell(f"{reason}: the robots here stand still until it is")

    def _tell_of_waiting(self) -> bool:
        for trouble in (self.line.trouble, *self.party.refused):
            if trouble and trouble not in self._told:
                self._told.add(trouble)
                self.tell(f"waiting: {trouble}")
        return False

    def _bridge(self, model: Experiment, part: Partition, announcement: Announcement, plan: Plan) -> Bridge:
        """Between this part and the other processes, and the devices of its robots."""
        bridge, connections = Bridge(), Connections()
        part.connect(bridge, Mqtt(self.broker))
        for robot in model.system.robots:
            device = robot.equipment.device
            if device is None or robot.number not in plan.robots[self.party.name]:
                continue
            stand_in = plan.addresses.get(robot.number)
            address = address_of(
                robot.number, self.scenario, announcement.rate, stand_in, self.broker, at_host=self.at_host
            )
            device.address = str(address)
            connections.at(address).join(bridge, model.wires[robot.number].copies_in(part.root), device)
        return bridge


def address_of(
    robot: int, scenario: Scenario, rate: float, stand_in: str | None, broker: MqttAddress | str, *, at_host: bool
) -> Address:
    """Where a robot is, for a node: as the scenario here says, or else where the host's stand-in is.

    Args:
        robot: its number
        scenario: of the node
        rate: simulated seconds per real second
        stand_in: its address, as the host sees it
        broker: MQTT address, as the node sees it
        at_host: the node is on the host's computer

    Raises:
        DevsRoboticsError: the robot cannot live at the rate, has no address, or has one that only the host can reach
    """
    real = scenario.real.get(str(robot))
    if real is not None and real.address is not None:
        if rate != 1.0:
            raise NodeError(
                f"robot {robot} is real ({masked(real.address)}) and cannot live at the rate {rate:g}: "
                "start without --rate"
            )
        return parse(real.address)
    if stand_in is None:
        raise NodeError(f"robot {robot} has no address: give real.{robot}.address in the scenario")
    address = seen_from_here(stand_in, broker)
    if not at_host and not isinstance(address, MqttAddress):
        raise NodeError(
            f"robot {robot} has no address here, and the host's stand-in ({address}) can be reached on the host's "
            f"computer only: give real.{robot}.address in the scenario"
        )
    return address


def seen_from_here(stand_in: str, broker: MqttAddress | str) -> Address:
    """Where a stand-in of the host is; one at the broker of the run is there for this node too, by its own way to it.

    The host may know the broker by another name and as another user, and may not say where else to send a password; its
    files are not those of this computer.
    """
    over_mqtt = stand_in.startswith(("mqtt:", "mqtts:"))
    address = parse(stand_in.partition("?")[0] if over_mqtt else stand_in)
    if not isinstance(address, MqttAddress):
        return address
    own = parse_mqtt(broker) if isinstance(broker, str) else broker
    return replace(own, prefix=address.prefix)


def _stage(announcement: Announcement) -> Stage:
    for stage in STAGES:
        if stage == announcement.stage:
            return stage
    raise NodeError(f"the host runs the stage {announcement.stage!r}, which is unknown here")


def dropped(part: Partition) -> dict[str, int]:
    """What came from other processes and was no valid message, by what was wrong."""
    found: dict[str, int] = {}
    for peer in part.peers.values():
        for kind, times in peer.dropped.items():
            found[kind] = found.get(kind, 0) + times
    return found
