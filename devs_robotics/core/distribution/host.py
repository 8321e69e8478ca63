"""The host's side of an agreement: a state machine that is fed with messages and times, and says what to send."""

from __future__ import annotations

from math import nan
from typing import Literal

from msgspec import Struct, field

from devs_robotics.core.distribution.control import (
    ANNOUNCE,
    HOST,
    Announcement,
    End,
    FinalReport,
    HostMessage,
    NodeMessage,
    Offer,
    Ping,
    Plan,
    Pong,
    Ready,
    Start,
    Starting,
    control_topic,
    node_message,
    offers_topic,
)
from devs_robotics.core.distribution.offset import ClockEstimate, Offset, PingExchange
from devs_robotics.core.robots.wording import numbered

HostPhase = Literal["gathering", "preparing", "starting", "agreed", "ending"]

MOST_UNFIT_NODES = 1000
"""Number of unfit nodes above which no further node is listened to."""


class Timing(Struct, frozen=True):
    """How long a host takes for what (real s).

    Attributes:
        repeat: time after which what was not answered is said again
        measure: time between two pings while clocks are compared
        exchanges: number of pings and pongs with each node before the start
        watch: time between two pings after that
        lead: from the announcement of the start to the start
        offered: age of a node's last offer above which the node is gone
        prepare: longest time that nodes take to get ready
    """

    repeat: float = 0.2
    measure: float = 0.05
    exchanges: int = 8
    watch: float = 1.0
    lead: float = 1.0
    offered: float = 3.0
    prepare: float = 60.0


class NodeState(Struct):
    """What the host knows of a node.

    Attributes:
        name: of the node
        robots: that it brings and that the run needs
        offered: when it did so for the last time (s)
        offset: of its monotonic clock, by all exchanges so far
        agreed: the same when the start was agreed on; None before
        epoch: its unix time less its monotonic clock (s)
        ready: it has made its part of the model
        starting: it knows when to start
        report: its final report
    """

    name: str
    robots: tuple[int, ...]
    offered: float
    offset: Offset = field(default_factory=Offset)
    agreed: ClockEstimate | None = None
    epoch: float = nan
    ready: bool = False
    starting: bool = False
    report: FinalReport | None = None

    @property
    def at_start(self) -> ClockEstimate:
        """The offset of its clock when the start was agreed on; before, as it is."""
        return self.agreed or self.offset.estimate

    @property
    def title(self) -> str:
        """What it is, for people: ``node left (robots 16-30)``."""
        return f"node {self.name} ({numbered(self.robots)})"


class Host:
    """Gathers nodes, has them get ready, and tells them when to start and that it is over.

    Args:
        announcement: of the run
        addresses: of robots' devices, for the plan
        epoch: unix time of this computer less its monotonic clock (s)

    Attributes:
        phase: agreed: all nodes know when to start
        nodes: that take part, by name
        unfit: nodes that offered robots and cannot take part, and why
        start: when the run starts, by the monotonic clock here (s); NaN if that is open
        failure: why the run must not go on; or empty
        dropped: messages that were not valid
    """

    def __init__(
        self,
        announcement: Announcement,
        addresses: dict[int, str] | None = None,
        timing: Timing | None = None,
        epoch: float = 0.0,
    ) -> None:
        self.announcement = announcement
        self.timing = timing or Timing()
        self.phase: HostPhase = "gathering"
        self.nodes: dict[str, NodeState] = {}
        self.unfit: dict[str, str] = {}
        self.start = nan
        self.failure = ""
        self.model_failed = False
        """Whether that is a fault of a model at a node."""
        self.dropped = 0
        self._addresses = addresses or {}
        self._epoch = epoch
        self._end: End | None = None
        self._next_word = self._next_ping = self._deadline = -1e12

    @property
    def run(self) -> str:
        """Id of the run."""
        return self.announcement.run

    @property
    def channels(self) -> list[str]:
        """What to listen to."""
        return [offers_topic(self.run), *(control_topic(self.run, name) for name in self.nodes)]

    @property
    def missing(self) -> tuple[int, ...]:
        """Robots that no node has brought yet."""
        brought = {robot for node in self.nodes.values() for robot in node.robots}
        return tuple(robot for robot in self.announcement.robots if robot not in brought)

    @property
    def reported(self) -> bool:
        """Whether every node has sent its final report."""
        return all(node.report is not None for node in self.nodes.values())

    def clock_offset(self, node: NodeState) -> float:
        """How far a node's unix time was ahead of that here when the start was agreed on; before, how far it is (s)."""
        return node.at_start.value + node.epoch - self._epoch

    def clock_drift(self, node: NodeState) -> ClockEstimate:
        """How much further ahead a node's clock has got since the start was agreed on."""
        if node.agreed is None:
            return ClockEstimate(0.0, 0.0)
        return ClockEstimate(node.offset.value - node.agreed.value, node.offset.error + node.agreed.error)

    def hear(self, channel: str, data: bytes, at: float) -> None:
        """Take a message that came at a time (s)."""
        message = node_message(data)
        expected = offers_topic(self.run) if isinstance(message, Offer) else None
        if message is not None and expected is None:
            expected = control_topic(self.run, message.node)
        if message is None or message.run != self.run or channel != expected or message.node == HOST:
            self.dropped += 1
        elif isinstance(message, Offer):
            self._take_offer(message, at)
        elif message.node in self.nodes:
            self._take(self.nodes[message.node], message, at)

    def say(self, now: float) -> list[tuple[str, HostMessage]]:
        """What is to be sent now (s), each on its channel."""
        self._advance(now)
        said: list[HostMessage] = []
        if now >= self._next_word:
            self._next_word = now + self.timing.repeat
            said += self._words()
        if self.phase != "gathering" and now >= self._next_ping:
            self._next_ping = now + (self.timing.measure if self.phase == "preparing" else self.timing.watch)
            said.append(Ping(run=self.run, sent=now))
        own = control_topic(self.run, HOST)
        return [(ANNOUNCE if isinstance(message, Announcement) else own, message) for message in said]

    def end(self, ended: str, reason: str) -> None:
        """Have the nodes end and report."""
        self._end = End(run=self.run, ended=ended, reason=reason[:2000])
        self._enter("ending", -1e12)

    def _words(self) -> list[HostMessage]:
        """What is said again and again in this phase."""
        if self.phase == "gathering":
            return [self.announcement]
        if self.phase == "preparing":
            robots = {name: node.robots for name, node in self.nodes.items()}
            return [Plan(run=self.run, robots=robots, addresses=self._addresses)]
        if self.phase == "starting":
            # as agreed, however often it is said: a node may have begun to wait for it
            at = {name: self.start + node.agreed.value for name, node in self.nodes.items() if node.agreed is not None}
            return [Start(run=self.run, at=at)]
        return [] if self._end is None or self.reported else [self._end]

    def _advance(self, now: float) -> None:
        if self.phase == "gathering":
            for name, node in list(self.nodes.items()):
                if now - node.offered > self.timing.offered:
                    del self.nodes[name]
            if not self.missing:
                self._enter("preparing", now + self.timing.prepare)
        elif self.phase == "preparing":
            self._expect(now, [node for node in self.nodes.values() if not self._is_prepared(node)], "become ready")
            if all(map(self._is_prepared, self.nodes.values())):
                self.start = now + self.timing.lead
                for node in self.nodes.values():
                    node.agreed = node.offset.estimate
                self._enter("starting", self.start)
        elif self.phase == "starting":
            self._expect(now, [node for node in self.nodes.values() if not node.starting], "confirmed the start")
            if all(node.starting for node in self.nodes.values()):
                self._enter("agreed", now)

    def _is_prepared(self, node: NodeState) -> bool:
        return node.ready and node.offset.exchanges >= self.timing.exchanges

    def _enter(self, phase: HostPhase, deadline: float) -> None:
        self.phase = phase
        self._deadline = deadline
        self._next_word = -1e12

    def _expect(self, now: float, late: list[NodeState], what: str) -> None:
        if late and now > self._deadline and not self.failure:
            self.failure = f"{late[0].title} has not {what} in time: see what it says, and its connection to the broker"

    def _take_offer(self, offer: Offer, at: float) -> None:
        if self.phase != "gathering" or len(self.unfit) > MOST_UNFIT_NODES:
            return
        robots = tuple(robot for robot in self.announcement.robots if robot in offer.robots)
        # whatever it offered before: it may have been started anew
        self.unfit.pop(offer.node, None)
        self.nodes.pop(offer.node, None)
        if offer.version != self.announcement.version:
            self.unfit[offer.node] = f"has devs-robotics {offer.version}, and the host {self.announcement.version}"
        elif offer.fingerprint != self.announcement.fingerprint:
            self.unfit[offer.node] = "was started with another scenario"
        elif robots:
            for other in self.nodes.values():
                if common := set(robots) & set(other.robots):
                    self.failure = (
                        f"{numbered(common)} would run at node {other.name} and at node {offer.node}: stop one of them"
                    )
            self.nodes[offer.node] = NodeState(offer.node, robots, at)

    def _take(self, node: NodeState, message: NodeMessage, at: float) -> None:
        if isinstance(message, Pong):
            node.epoch = message.epoch
            node.offset.take(PingExchange(message.sent, message.got, message.replied, at))
        elif isinstance(message, Ready):
            node.ready = True
        elif isinstance(message, Starting):
            node.starting = True
        elif isinstance(message, FinalReport):
            node.report = message
            if self.phase != "ending" and not self.failure:
                self.failure = f"{node.title} has ended: {message.failed or 'it was stopped'}"
                self.model_failed = message.of_model
