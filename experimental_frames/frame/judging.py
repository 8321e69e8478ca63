"""What parts of a frame may tell the safety gate, once the run is over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from devs_robotics.experimental_frames.instruments.safety import Engagement


@runtime_checkable
class Judging(Protocol):
    """A part of a frame that finds violations of the case study's own, for the safety gate."""

    def violations(self) -> Iterable[str]:
        """A sentence about each, once the run is over."""


@runtime_checkable
class Engaging(Protocol):
    """A part of a frame that knows what robots deal with on purpose, as docks, for the safety gate."""

    def engagements(self) -> Iterable[Engagement]:
        """What, and when, once the run is over."""
