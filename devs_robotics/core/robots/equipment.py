"""What a robot can be equipped with: the services that every kind of motor or sensor offers.

A virtual motor, a hardware motor and one in the loop are subclasses of one `Motor`. What they add is the other side:
ports to the environment model, to the wire, or to both.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from math import inf

from devs_robotics.core.robots.activity import Activity, Service
from devs_robotics.core.robots.messages import Drive, Driven, Ranges, Sense, Touch


class RangeSensor(Activity):
    """Range sensors, one reading per beam, from left to right.

    Ports:
        ranging: a question, and the ranges
    """

    ranging = Service(Sense, Ranges)


class Whiskers(Activity):
    """Contact sensors at the front: they report every change, and answer when asked.

    Ports:
        touch: a question, and the contact; each change is reported unasked too
    """

    touch = Service(Sense, Touch)


class Motor(Activity):
    """What a robot is driven with.

    Two services, one above the other (a suppressor node of the subsumption architecture): while a command through
    `override` runs, those through `drive` are dropped, and one under way is given up and never reported as done.

    Its phase says nothing; it waits, and passes on at once what has come:

    =========  ============  =====================  ===========================================================
    state      time advance  output                 next state
    =========  ============  =====================  ===========================================================
    waiting    ∞                                    commanded; reported, when no command is under way any more
    commanded  0             to the other side      waiting
    reported   0             drive, or override     waiting
    =========  ============  =====================  ===========================================================

    Ports:
        drive: commands of the layer below, and the reports of their ends
        override: commands of the layer above, and the reports of their ends
    """

    drive = Service(Drive, Driven)
    override = Service(Drive, Driven)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._overriding = False
        self._command: Drive | None = None
        self._report: Driven | None = None
        self._under_way = 0
        """Commands that the other side has not yet reported as ended."""

    @abstractmethod
    def send(self, command: Drive) -> None:
        """Pass a command on to the other side; called by the output function."""

    @abstractmethod
    def ended(self) -> Iterable[Driven]:
        """What the other side now reports as ended, one report per command; called by the external transition."""

    def deltext(self, e: float) -> None:
        """Take a command, or the other side's report that one has ended."""
        for report in self.ended():
            self._under_way -= 1
            if self._under_way == 0:
                self._report = report
        for command in self.override.ask.values:
            self._overriding = True
            self._command, self._report = command, None
        if not self._overriding:
            for command in self.drive.ask.values:
                self._command, self._report = command, None
        self.sigma = inf if self._command is None and self._report is None else 0.0

    def lambdaf(self) -> None:
        """Pass the command on, or report its end to the one who gave it."""
        command, report = self._command, self._report
        if command is not None:
            self.send(command)
        elif report is not None:
            (self.override if self._overriding else self.drive).answer.add(report)

    def deltint(self) -> None:
        """Wait for the other side, or for the next command."""
        if self._command is not None:
            self._command = None
            self._under_way += 1
        else:
            self._report = None
            self._overriding = False
        self.sigma = inf
