"""Frames of one's own: parts that a scenario names, coupled to ports of any depth by taps."""

from devs_robotics.experimental_frames.frame.acceptor import Acceptor
from devs_robotics.experimental_frames.frame.experiment import Experiment, Measurements
from devs_robotics.experimental_frames.frame.frame import (
    CaseExperiment,
    Columns,
    Frame,
    TimedTransducer,
    Transducer,
)
from devs_robotics.experimental_frames.frame.metric import Metric, Result, measured_by, metric, metrics_of
from devs_robotics.experimental_frames.frame.parts import (
    PartError,
    add_part,
    check_part,
    couple_part,
    make_part,
    metrics_of_parts,
    results_of,
)
from devs_robotics.experimental_frames.frame.series_reading import FrameError
from devs_robotics.experimental_frames.frame.taps import TapError, drive, tap
from devs_robotics.experimental_frames.frame.verdict import Verdict, first_of

__all__ = [
    "Acceptor",
    "CaseExperiment",
    "Columns",
    "Experiment",
    "Frame",
    "FrameError",
    "Measurements",
    "Metric",
    "PartError",
    "Result",
    "TapError",
    "TimedTransducer",
    "Transducer",
    "Verdict",
    "add_part",
    "check_part",
    "couple_part",
    "drive",
    "first_of",
    "make_part",
    "measured_by",
    "metric",
    "metrics_of",
    "metrics_of_parts",
    "results_of",
    "tap",
]
