"""The convoy's experimental frame: generator, transducer and acceptor, coupled (Hu & Zeigler, section 3.3)."""

from __future__ import annotations

from devs_robotics import Coupled, Fault, In, Out, Port
from devs_robotics.experimental_frames.convoy.acceptor import ConvoyAcceptor
from devs_robotics.experimental_frames.convoy.formation import Formation
from devs_robotics.experimental_frames.convoy.tables import measurements
from devs_robotics.experimental_frames.frame.experiment import Experiment, Measurements
from devs_robotics.experimental_frames.frame.verdict import Verdict
from devs_robotics.experimental_frames.instruments.approach import Approaches
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.models.convoy import ConvoySystem, RoundDone, WayLost
from devs_robotics.models.environment import Disturbance, Motion, PoseChange


class ConvoyFrame(Coupled):
    """Drives a convoy with noise, measures it, and decides when the run is over.

    Args:
        approaches: measures how near bodies come to each other, if that is wanted
    """

    motion = In(Motion)
    pose_change = In(PoseChange)
    round_done = In(RoundDone)
    lost = In(WayLost)
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
    """

    system: ConvoySystem

    def __init__(self, name: str, system: ConvoySystem, frame: ConvoyFrame) -> None:
        super().__init__(name, system)
        self.frame = frame
        self.add_component(frame)
        frame.observe(self, system)
        self.add_coupling(frame.verdict, self.verdict)

    @property
    def faults(self) -> Port[Fault]:
        """Of the frame."""
        return self.frame.fault

    def share(self, time: float) -> float:
        """By rounds of the last robot or by time, whichever is nearer to the end."""
        return self.frame.acceptor.share(time)

    def measurements(self) -> dict[str, Measurements]:
        """Completed rounds, and position errors over time."""
        return measurements(self.frame.formation)
