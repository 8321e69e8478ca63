"""The convoy's experimental frame and its metrics (Hu & Zeigler, sections 3.3 and 4.2)."""

from devs_robotics.experimental_frames.convoy.acceptor import ConvoyAcceptor, Verdict, first_of
from devs_robotics.experimental_frames.convoy.formation import Formation, Parted, Pose, RoundRow
from devs_robotics.experimental_frames.convoy.frame import ConvoyFrame, Experiment
from devs_robotics.experimental_frames.convoy.metrics import (
    Metrics,
    PositionError,
    error_sums_by_round,
    measure,
    rounds_completed,
)
from devs_robotics.experimental_frames.convoy.motion_noise import MotionNoise
from devs_robotics.experimental_frames.convoy.published import published_error_cm

__all__ = [
    "ConvoyAcceptor",
    "ConvoyFrame",
    "Experiment",
    "Formation",
    "Metrics",
    "MotionNoise",
    "Parted",
    "Pose",
    "PositionError",
    "RoundRow",
    "Verdict",
    "error_sums_by_round",
    "first_of",
    "measure",
    "published_error_cm",
    "rounds_completed",
]
