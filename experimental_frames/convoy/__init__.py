"""The convoy's experimental frame and its metrics (Hu & Zeigler, sections 3.3 and 4.2)."""

from devs_robotics.experimental_frames.convoy.acceptor import ConvoyAcceptor
from devs_robotics.experimental_frames.convoy.formation import Formation, Parted, RoundRow
from devs_robotics.experimental_frames.convoy.metrics import (
    Metrics,
    PositionError,
    error_sums_by_round,
    measure,
    rounds_completed,
)
from devs_robotics.experimental_frames.convoy.published import published_error_cm

__all__ = [
    "ConvoyAcceptor",
    "Formation",
    "Metrics",
    "Parted",
    "PositionError",
    "RoundRow",
    "error_sums_by_round",
    "measure",
    "published_error_cm",
    "rounds_completed",
]
