"""The convoy's experimental frame: generator, transducer and acceptor, coupled (Hu & Zeigler, section 3.3)."""

from __future__ import annotations

from devs_robotics import Coupled, Fault, In, Link, Out, Packet, Port
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.experimental_frames.convoy.acceptor import ConvoyAcceptor
from devs_robotics.experimental_frames.convoy.formation import Formation
from devs_robotics.experimental_frames.frame.experiment import Experiment
from devs_robotics.experimental_frames.frame.verdict import Verdict
from devs_robotics.experimental_frames.instruments.approach import Approaches
from devs_robotics.experimental_frames.instruments.localisation import Localisation
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.hil.tracking import Tracker
from devs_robotics.models.convoy import ConvoySystem, Lost, RoundDone
from devs_robotics.models.environment import Disturbance, Motion, PoseChange


class ConvoyFrame(Coupled):
    """Drives a convoy with noise, measures it, and decides when the run is over.

    Args:
        approaches: measures how near bodies come to each other, if that is wanted
    """

    motion = In(Motion)
    pose_change = In(PoseChange)
    round_done = In(RoundDone)
    lost = In(Lost)
    fault = In(Fault)
    disturbance = Out(Disturbance)
    verdict = Out(Verdict)

    def __init__(
        self,
        name: str,
        generator: MotionNoise,
        formation: Formation,
        acceptor: ConvoyAcceptor,
        approaches: Approaches | None = None,
    ) -> None:
        super().__init__(name)
        self.generator = generator
        self.formation = formation
        self.acceptor = acceptor
        self.approaches = approaches
        for component in (generator, formation, acceptor):
            self.add_component(component)
        self.add_coupling(self.motion, generator.motion)
        self.add_coupling(generator.disturbance, self.disturbance)
        self.add_coupling(self.pose_change, formation.pose_change)
        self.add_coupling(self.round_done, formation.round_done)
        self.add_coupling(formation.parted, acceptor.parted)
        self.add_coupling(self.round_done, acceptor.round_done)
        self.add_coupling(self.lost, acceptor.lost)
        self.add_coupling(self.fault, acceptor.fault)
        self.add_coupling(acceptor.verdict, self.verdict)
        if approaches is not None:
            self.add_component(approaches)
            self.add_coupling(self.pose_change, approaches.pose_change)

    def observe(self, experiment: Coupled, system: ConvoySystem) -> None:
        """Couple this frame to the system, both being components of `experiment`."""
        experiment.add_coupling(system.motion, self.motion)
        experiment.add_coupling(system.pose_change, self.pose_change)
        experiment.add_coupling(system.round_done, self.round_done)
        experiment.add_coupling(system.lost, self.lost)
        experiment.add_coupling(system.fault, self.fault)
        experiment.add_coupling(self.disturbance, system.disturbance)


class ConvoyExperiment(Experiment):
    """A convoy under its experimental frame; the frame's verdict ends the run.

    Further frames join it as components (`devs_robotics.experimental_frames.frame`).

    Attributes:
        wires: ports for the packets of each real robot, outgoing and incoming, by its number
        tracking, tracker: port for the packets of a tracking system, and the model that reads them, if there is one
        localisation: measures how well it is known where real robots are, if there are any
    """

    def __init__(self, name: str, system: ConvoySystem, frame: ConvoyFrame) -> None:
        super().__init__(name)
        self.system = system
        self.frame = frame
        self.add_component(system)
        self.add_component(frame)
        frame.observe(self, system)
        self.add_coupling(frame.verdict, self.verdict)
        self.wires: dict[int, tuple[Port[Packet], Port[Packet | Link]]] = {
            robot: (lead_out(self, outgoing, outgoing.name), lead_in(self, incoming, incoming.name))
            for robot, (outgoing, incoming) in system.wires.items()
        }
        self.tracking: Port[Packet | Link] | None = None
        self.tracker: Tracker | None = None
        self.localisation: Localisation | None = None

    def track(self, tracker: Tracker) -> None:
        """Add a tracking system that sees the real robots."""
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
