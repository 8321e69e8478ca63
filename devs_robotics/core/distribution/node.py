"""A node's side of an agreement: a state machine that is fed with messages and times, and says what to send."""

from __future__ import annotations

from math import nan
from typing import Literal

from devs_robotics.core.distribution.control import (
    ANNOUNCE,
    HOST,
    Announcement,
    ControlMessage,
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
    host_message,
    offers_topic,
)

NodePhase = Literal["waiting", "planned", "ready", "starting", "over"]

HOST_TIMEOUT = 5.0
"""Silence after which a host is taken to be lost (s)."""

MOST_ANNOUNCED_RUNS = 16
"""Number of announced runs that are remembered; the oldest is then forgotten."""


class Node:
    """Offers robots to every host that wants them, and follows the first that takes the offer.

    Args:
        name: of this node, of letters, digits, - and _
        robots: that it brings
        version: of devs-robotics
        fingerprint: hash of what has to be the same at the host
        epoch: unix time of this computer less its monotonic clock (s)

    Attributes:
        phase: planned: it must get ready; starting: it knows when to start; over: the host has ended the run
        announcement: of the run that it takes part in
        plan: who brings which robots
        start: when the run starts, by the monotonic clock here (s); NaN if that is open
        end: the host's final message
        failure: why this node cannot go on; or empty
        dropped: messages that were not valid
    """

    def __init__(self, name: str, robots: tuple[int, ...], version: str, fingerprint: str, epoch: float = 0.0) -> None:
        self.name = name
        self.robots = robots
        self.version = version
        self.fingerprint = fingerprint
        self.phase: NodePhase = "waiting"
        self.announcement: Announcement | None = None
        self.plan: Plan | None = None
        self.start = nan
        self.end: End | None = None
        self.failure = ""
        self.dropped = 0
        self._epoch = epoch
        self._announced: dict[str, Announcement] = {}
        self._heard = 0.0
        self._answers: list[NodeMessage] = []
        self._pings: list[tuple[Ping, float]] = []
        self._report: FinalReport | None = None

    @property
    def channels(self) -> list[str]:
        """What to listen to."""
        return [ANNOUNCE, *(control_topic(run, HOST) for run in self._announced)]

    @property
    def refused(self) -> list[str]:
        """What keeps this node from runs that want its robots, for people."""
        return [reason for each in self._announced.values() if (reason := self._misfit(each))]

    def hear(self, channel: str, data: bytes, at: float) -> None:
        """Take a message that came at a time (s)."""
        message = host_message(data)
        if message is None or channel != _channel(message):
            self.dropped += 1
        elif isinstance(message, Announcement):
            if self.phase == "waiting" and set(message.robots) & set(self.robots):
                self._consider(message)
        elif message.run == (self.announcement or message).run:
            self._heard = at
            self._take(message, at)

    def say(self, now: float) -> list[tuple[str, NodeMessage]]:
        """What is to be sent now (s), each on its channel."""
        if self.phase not in ("waiting", "over") and now - self._heard > HOST_TIMEOUT and not self.failure:
            self.failure = (
                f"the host has not been heard of for {HOST_TIMEOUT:g} s: see whether it still runs and reaches the "
                f"broker"
            )
        said = self._answers
        said += [self._pong(ping, got, now) for ping, got in self._pings]
        self._answers, self._pings = [], []
        return [
            (
                offers_topic(message.run) if isinstance(message, Offer) else control_topic(message.run, self.name),
                message,
            )
            for message in said
        ]

    def ready(self) -> None:
        """The part of the model is made."""
        self.phase = "ready"
        assert self.announcement is not None
        self._answers.append(Ready(run=self.announcement.run, node=self.name))

    def report(self, report: FinalReport) -> None:
        """The node's final report, sent at once and whenever the host asks for it."""
        self._report = report
        self._answers.append(report)

    def _consider(self, announcement: Announcement) -> None:
        self._announced.pop(announcement.run, None)
        self._announced[announcement.run] = announcement
        if len(self._announced) > MOST_ANNOUNCED_RUNS:
            del self._announced[next(iter(self._announced))]
        self._answers.append(
            Offer(
                run=announcement.run,
                node=self.name,
                version=self.version,
                fingerprint=self.fingerprint,
                robots=self.robots,
            )
        )

    def _misfit(self, announcement: Announcement) -> str:
        if announcement.version != self.version:
            return f"the host has devs-robotics {announcement.version}, and this node {self.version}: install the same"
        if announcement.fingerprint != self.fingerprint:
            return "the host runs another scenario: give the same one, with the same --set"
        return ""

    def _take(self, message: HostMessage, at: float) -> None:
        if isinstance(message, Plan):
            self._take_plan(message)
        elif self.announcement is None:
            return
        elif isinstance(message, Ping):
            self._pings.append((message, at))
        elif isinstance(message, Start):
            self._take_start(message)
        elif isinstance(message, End):
            self.end = message
            self.phase = "over"
            if self._report is not None:
                self._answers.append(self._report)

    def _take_plan(self, plan: Plan) -> None:
        announcement = self._announced.get(plan.run)
        if self.phase == "waiting" and announcement is not None and self.name in plan.robots:
            if not self._misfit(announcement) and set(plan.robots[self.name]) <= set(self.robots):
                self.announcement, self.plan, self.phase = announcement, plan, "planned"
        elif self.phase == "ready":
            self._answers.append(Ready(run=plan.run, node=self.name))

    def _take_start(self, start: Start) -> None:
        if self.phase in ("ready", "starting") and self.name in start.at:
            self.start, self.phase = start.at[self.name], "starting"
            self._answers.append(Starting(run=start.run, node=self.name))

    def _pong(self, ping: Ping, got: float, now: float) -> Pong:
        return Pong(run=ping.run, node=self.name, sent=ping.sent, got=got, replied=now, epoch=self._epoch)


def _channel(message: ControlMessage) -> str:
    return ANNOUNCE if isinstance(message, Announcement) else control_topic(message.run, HOST)
