"""A system under its experimental frame, as one model."""

from __future__ import annotations

from xdevs.models import Component

from devs_robotics import Coupled, Out
from devs_robotics.experimental_frames.frame.verdict import Verdict


class Experiment(Coupled):
    """A system and its frames; the first verdict of any of them ends the run.

    Attributes:
        parts: further models that observe the system, drive it, or end the run, by name
    """

    verdict = Out(Verdict)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.parts: dict[str, Component] = {}
