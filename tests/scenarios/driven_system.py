"""The convoy's system with the noise that drives it, and nothing that observes it."""

from __future__ import annotations

from devs_robotics import Coupled
from devs_robotics.experimental_frames.instruments.motion_noise import MotionNoise
from devs_robotics.scenarios.convoy.case import CASE
from devs_robotics.scenarios.convoy.settings import ConvoyScenario
from devs_robotics.scenarios.setup.setup import set_up


class DrivenSystem(Coupled):
    """The system with what drives it, and nothing that observes it."""

    def __init__(self, scenario: ConvoyScenario) -> None:
        super().__init__("experiment")
        system = CASE.system(set_up(scenario))
        noise = MotionNoise(
            "generator", scenario.convoy.robots, scenario.run.seed, scenario.noise.dnf, scenario.noise.anf
        )
        self.add_component(system)
        self.add_component(noise)
        self.add_coupling(system.motion, noise.motion)
        self.add_coupling(noise.disturbance, system.disturbance)
