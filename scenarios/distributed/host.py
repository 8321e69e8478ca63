"""The host of a distributed run: has nodes run robots' models, and runs all else itself."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from contextlib import ExitStack
from math import inf, nan
from secrets import token_hex
from types import TracebackType
from typing import Any, Self

from devs_robotics import Bridge, __version__
from devs_robotics.core.distribution import AgreedClock, ControlLine, Host, NodeState, Partition, Session, blame
from devs_robotics.core.distribution.control import HOST, Announcement
from devs_robotics.core.distribution.session import PEER_TIMEOUT
from devs_robotics.core.realtime.epoch import unix_epoch
from devs_robotics.core.robots.wording import numbered
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.hil.addresses import masked
from devs_robotics.hil.transports.mqtt import Mqtt
from devs_robotics.scenarios.distributed.local_nodes import LocalNodes
from devs_robotics.scenarios.distributed.nodes import NodeReport, NodesWanted, in_ms
from devs_robotics.scenarios.distributed.sharing import divide, likeness
from devs_robotics.scenarios.errors import NodeError
from devs_robotics.scenarios.setup.setup import Setup

LOCAL = 60.0
"""Nodes that were started here and are not there after so long (s) have failed."""

FAREWELL = 2.0
"""So long the host waits for its nodes' reports (s)."""

DRIFTED = 0.02
"""A clock that has got further away since the start (s) is told of: it is a delay that models notice."""

Tell = Callable[[str], None]
Interrupted = Callable[[], bool]


class DistributedHost:
    """The nodes of a run, from the announcement to their reports, while it is entered.

    ``gather`` waits for the nodes; ``divide`` takes the robots' models out of the experiment and couples what is left
    with them; ``agree`` waits until they are ready. While the model runs, ``check`` is to be called again and
    again. ``finish`` ends the run.

    Args:
        setup: of the run
        broker: MQTT address
        wanted: how robots are shared out
        tell: gets sentences for people

    Attributes:
        local: the nodes that are started here
        robots: whose models run at nodes
        model_failed: whether a node has ended for a fault of a model

    Raises:
        DevsRoboticsError: robots are awaited that the scenario does not have, or there are more nodes than robots
    """

    def __init__(
        self,
        setup: Setup[Any],
        broker: str,
        wanted: NodesWanted,
        tell: Tell = lambda note: None,
    ) -> None:
        self.local = LocalNodes(setup.scenario, wanted.shared_out(len(setup.robots)), broker)
        self.robots = wanted.away(len(setup.robots))
        self.model_failed = False
        self._wanted = wanted
        self._setup, self._broker = setup, broker
        self._rate = setup.scenario.clock.rate
        self._tell = tell
        self._run = token_hex(6)
        self._told: set[str] = set()
        self._drifted: set[str] = set()
        """Nodes of whose clocks it was told."""
        self._stack = ExitStack()
        self._host: Host | None = None
        self._line: ControlLine | None = None
        self._part: Partition | None = None

    def __enter__(self) -> Self:
        self._stack.enter_context(self.local)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.finish("failed", "the host ended" if error is None else str(error) or type(error).__name__)
        self._stack.close()

    def gather(self, addresses: dict[int, str], interrupted: Interrupted = lambda: False) -> None:
        """Announce the run, and wait until nodes have brought all robots that are wanted.

        Args:
            addresses: where stand-ins are, for nodes whose scenario gives no address
            interrupted: asked now and then whether to give up

        Raises:
            DevsRoboticsError: a node failed, two bring the same robot, or the broker cannot be reached and nobody is
                awaited there
            KeyboardInterrupt: the wait was interrupted
        """
        announcement = Announcement(
            run=self._run,
            version=__version__,
            fingerprint=likeness(self._setup.scenario),
            stage=self._setup.stage,
            rate=self._rate,
            robots=self.robots,
        )
        self._host = Host(announcement, addresses, epoch=unix_epoch())
        transport = Mqtt(self._broker)
        self._line = self._stack.enter_context(ControlLine(transport, self._host))
        if self._wanted.awaited:
            at = masked(self._broker) if "://" in self._broker else transport.address
            self._tell(f"waiting at {at} for nodes with {numbered(self._wanted.awaited)}")
        patience = inf if self._wanted.awaited else LOCAL
        self._wait_until(lambda host: self._tell_of_waiting(host) or host.phase != "gathering", patience, interrupted)
        for node in self._host.nodes.values():
            self._tell(f"{node.title} takes part")

    def divide(self, model: Experiment, bridge: Bridge) -> None:
        """Take the nodes' robots out of an experiment, and couple what is left of it with the nodes.

        A node that fails is a fault for the frame, like a robot that does.
        """
        host, _ = self._agreement()
        owners = {name: node.robots for name, node in host.nodes.items()}
        self._part = divide(model, owners, Session(self._run, HOST, self._rate))
        self._part.connect(bridge, Mqtt(self._broker))
        for peer in self._part.peers.values():
            model.add_coupling(peer.fault, model.faults)

    def agree(self, interrupted: Interrupted = lambda: False) -> AgreedClock:
        """Wait until all nodes are ready and their clocks are known; returns a clock that starts when theirs do.

        Raises:
            DevsRoboticsError: a node failed or is not ready in time
            KeyboardInterrupt: the wait was interrupted
        """
        self._wait_until(lambda host: host.phase == "agreed", inf, interrupted)
        host, _ = self._agreement()
        for node in host.nodes.values():
            ahead = in_ms(host.clock_offset(node), node.at_start.error)
            self._tell(f"{node.title} is ready; its clock is ahead by {ahead}")
        return AgreedClock(self._rate, host.start)

    def check(self) -> str:
        """Listen to the nodes; returns why the run cannot go on, or nothing."""
        host, line = self._agreement()
        line.watch()
        self._tell_of_drift(host)
        self.model_failed = host.model_failed
        return host.failure or self.local.failure

    def blame(self, reason: str, held_up: float) -> str:
        """Why the run was broken off, when this process was held up for so long (s)."""
        return blame(reason, held_up, PEER_TIMEOUT)

    def finish(self, ended: str, reason: str) -> None:
        """Tell the nodes that the run is over, and wait a little for their reports; a second call does nothing."""
        if self._host is None or self._line is None or self._host.phase in ("gathering", "ending"):
            return
        self._host.end(ended, reason)
        self._line.until(self._reported, FAREWELL)

    def reports(self) -> dict[str, NodeReport]:
        """What is to be said of each node."""
        host, _ = self._agreement()
        return {name: self._report(host, node) for name, node in sorted(host.nodes.items())}

    def _reported(self) -> bool:
        """Whether all nodes have reported that can."""
        host, _ = self._agreement()
        dead = self.local.dead
        return all(node.report is not None or name in dead for name, node in host.nodes.items())

    def _agreement(self) -> tuple[Host, ControlLine]:
        assert self._host is not None, "gather comes first"
        assert self._line is not None
        return self._host, self._line

    def _wait_until(self, done: Callable[[Host], bool], patience: float, interrupted: Interrupted) -> None:
        host, line = self._agreement()
        line.until(lambda: done(host) or bool(host.failure or self.local.failure), patience, interrupted)
        if failure := host.failure or self.local.failure:
            raise NodeError(failure)
        if interrupted():
            raise KeyboardInterrupt
        if not done(host):
            why = line.trouble or "see what they say"
            raise NodeError(f"no node has brought {numbered(host.missing)} within {patience:g} s: {why}")

    def _tell_of_waiting(self, host: Host) -> bool:
        """Say, once, what keeps nodes away."""
        _, line = self._agreement()
        if line.trouble and not self._wanted.awaited:
            raise NodeError(line.trouble)
        reasons = [f"node {name} cannot take part: it {reason}" for name, reason in host.unfit.items()]
        for reason in [line.trouble, *reasons]:
            if reason and reason not in self._told:
                self._told.add(reason)
                self._tell(reason)
        return False

    def _tell_of_drift(self, host: Host) -> None:
        """Say, once for each node, that its clock has got away."""
        for node in host.nodes.values():
            drift = host.clock_drift(node)
            if abs(drift.value) - drift.error > DRIFTED and node.name not in self._drifted:
                self._drifted.add(node.name)
                by, when = in_ms(drift.value, drift.error), "early" if drift.value > 0.0 else "late"
                self._tell(
                    f"the clock of {node.title} has drifted by {by} since the start and goes on so; its events come "
                    f"{when} by as much: have both computers keep time by NTP"
                )

    def _report(self, host: Host, node: NodeState) -> NodeReport:
        peer = None if self._part is None else self._part.peers.get(node.name)
        delays = sorted(array("d") if peer is None else peer.delays)
        last = len(delays) - 1
        drift = host.clock_drift(node)
        dropped = dict(node.report.dropped) if node.report is not None else {}
        for kind, times in ({} if peer is None else peer.dropped).items():
            dropped[kind] = dropped.get(kind, 0) + times
        return NodeReport(
            robots=node.robots,
            clock_offset=host.clock_offset(node),
            round_trip=2.0 * node.at_start.error,
            clock_drift=drift.value,
            drift_error=drift.error,
            messages=len(delays),
            delay_p50=delays[last // 2] if delays else nan,
            delay_p99=delays[int(0.99 * last)] if delays else nan,
            delay_max=delays[last] if delays else nan,
            steps=0 if node.report is None else node.report.steps,
            lateness_p99=nan if node.report is None or node.report.lateness_p99 < 0.0 else node.report.lateness_p99,
            lateness_max=nan if node.report is None or node.report.lateness_max < 0.0 else node.report.lateness_max,
            dropped=dropped,
        )
