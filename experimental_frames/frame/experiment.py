"""A system under its experimental frames, as one model."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import numpy as np
from msgspec import Struct
from xdevs.models import Component

from devs_robotics import Coupled, Fault, Fix, Link, Out, Packet, Port, TrackChange
from devs_robotics.core.realtime.packet_ports import PacketPorts, lead_packets
from devs_robotics.core.robots.activity import lead_in
from devs_robotics.experimental_frames.frame.verdict import Verdict
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.instruments.safety import SafetyJudgement
from devs_robotics.models.robots import RobotSystem


class TrackingModel(Protocol):
    """An atomic model that reads the packets of a tracking system."""

    fix_of: dict[int, Port[Fix]]
    dropped: dict[str, int]

    @property
    def incoming(self) -> Port[Packet | Link]:
        """Where the packets come in."""

    @property
    def fix(self) -> Port[Fix]:
        """Through which all fixes leave."""

    @property
    def track(self) -> Port[TrackChange]:
        """Through which it says which robots it has lost."""


Rows = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
"""Rows of a table, as numbers."""


class Measurements(Struct, frozen=True):
    """A table that a run measures, as a CSV file.

    Attributes:
        header: of the file
        lines: its lines from a number on
        rows: the same as numbers, in blocks of shape (rows, columns), where every cell is one; NaN where there is
            nothing; None: who wants numbers has to read the lines
    """

    header: str
    lines: Callable[[int], Iterable[str]]
    rows: Callable[[int], Iterable[Rows]] | None = None


class Experiment(Coupled):
    """A system and its frames; the first verdict of any of them ends the run.

    Args:
        system: under test

    Attributes:
        wires: ports for the packets of each real robot, by its number
        tracking, tracker: port for the packets of a tracking system, and the model that reads them, if there is one
        localisation: measures how well it is known where real robots are, if there are any
        parts: further models that observe the system, drive it, or end the run, by name
    """

    verdict = Out(Verdict)

    def __init__(self, name: str, system: RobotSystem) -> None:
        super().__init__(name)
        self.system = system
        self.parts: dict[str, Component] = {}
        self.add_component(system)
        self.wires: dict[int, PacketPorts] = {
            robot.number: lead_packets(self, device.outgoing, device.incoming)
            for robot in system.robots
            if (device := robot.equipment.device) is not None
        }
        self.tracking: Port[Packet | Link] | None = None
        self.tracker: TrackingModel | None = None
        self.localisation: Localisation | None = None

    @property
    @abstractmethod
    def faults(self) -> Port[Fault]:
        """Where a fault of a robot or of a node ends the run."""

    @abstractmethod
    def share(self, time: float) -> float:
        """How much of the run is done at a simulated time (s), from 0 to 1."""

    def measurements(self) -> Mapping[str, Measurements]:
        """The tables that its frames measure, by the names of their files."""
        return {}

    def untold(self) -> str:
        """Why a table that its frames measure cannot be told; empty where all can."""
        return ""

    def judgement(self, end: float) -> SafetyJudgement | None:
        """What the safety gate makes of a run that is over at a time (s); None where it does not judge it."""
        return None

    def track(self, tracker: TrackingModel) -> None:
        """Add a tracking system that sees the real robots."""
        assert isinstance(tracker, Component)
        self.tracker = tracker
        self.add_component(tracker)
        for robot, port in tracker.fix_of.items():
            self.add_coupling(port, self.system.fix_of[robot])
        self.tracking = lead_in(self, tracker.incoming, "tracking")

    def localise(self, localisation: Localisation) -> None:
        """Add a transducer that measures real robots and their counterparts against fixes."""
        self.localisation = localisation
        self.add_component(localisation)
        self.add_coupling(self.system.reported, localisation.reported)
        self.add_coupling(self.system.pose_change, localisation.pose_change)
        self.add_coupling(self.system.fixed, localisation.fixed)
        if self.tracker is not None:
            self.add_coupling(self.tracker.track, localisation.track)
