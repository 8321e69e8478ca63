"""A laboratory in the thread of a run: no process, no network, no waiting, and the same bytes every time."""

from __future__ import annotations

from devs_robotics import Arrival, HandClock, Loopback, Packet
from devs_robotics.hil.lab.laboratory import Laboratory
from devs_robotics.hil.lab.observers import TrackingSystem
from devs_robotics.hil.lab.plan import LabPlan
from devs_robotics.hil.transports.connections import Endpoint

COMMAND, REPORT, TRACKING = "command", "report", "tracking"
"""Channels of the links, as the host sees them: what it sends, what it hears of a robot, and of the tracking system."""


class LabClock(HandClock):
    """A clock by which a laboratory lives too: while the host waits, the laboratory goes on.

    It stands still while the host computes, so nothing is ever late.

    Args:
        laboratory: whose time is the host's
    """

    def __init__(self, laboratory: Laboratory) -> None:
        super().__init__()
        self._laboratory = laboratory

    def wait(self, until: float) -> None:
        """Let the laboratory go on to the time (s), or until something that wakes comes from it."""
        laboratory = self._laboratory
        while not self._woken and laboratory.next_time <= until:
            self._now = max(self._now, laboratory.next_time)
            laboratory.advance(self._now)
        super().wait(until)


class InsideLab:
    """The stand-ins of a plan, each with a link whose host's end a `Bridge` takes.

    Call `start` when all is connected, and run with `clock`.

    Args:
        plan: of the laboratory; its addresses, rate and file of true poses are not used

    Attributes:
        laboratory: of the stand-ins
        clock: for the run
        ends: of the robots' links, by number, for the host's bridge
        tracking: the same of the tracking system
        robot_ends: the other ends of the robots' links, which a test may cut

    Raises:
        DevsRoboticsError: a robot stands in something, or has a protocol that no stand-in speaks
    """

    def __init__(self, plan: LabPlan) -> None:
        self.laboratory = Laboratory(plan)
        self.clock = LabClock(self.laboratory)
        self.ends: dict[int, Endpoint] = {}
        self.robot_ends: dict[int, Loopback] = {}
        for number in self.laboratory.robots:
            self._link(number)
        here, system = Loopback.pair("inside:tracking")
        self.tracking = Endpoint(here, listen_on=TRACKING)
        system.open(lambda arrival: None)
        TrackingSystem(self.laboratory, lambda data: system.send(TRACKING, data))

    def start(self) -> None:
        """Switch the robots on."""
        self.laboratory.start()

    def _link(self, number: int) -> None:
        here, there = Loopback.pair(f"inside:robot/{number}")
        core = self.laboratory.robots[number]

        def arrived(arrival: Arrival) -> None:
            self.laboratory.advance(self.clock.now())
            if isinstance(arrival.content, Packet):
                core.receive(arrival.content.data)
            elif not arrival.content.up:
                core.link_lost()

        there.listen(COMMAND)
        there.open(arrived)
        core.send = lambda data: there.send(REPORT, data)
        self.ends[number], self.robot_ends[number] = Endpoint(here, COMMAND, REPORT), there
