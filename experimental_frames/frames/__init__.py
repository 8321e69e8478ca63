"""Frames of one's own: parts that a scenario names, coupled to ports of any depth by taps."""

from devs_robotics.experimental_frames.convoy.acceptor import Verdict
from devs_robotics.experimental_frames.frames.parts import (
    PartError,
    Result,
    add_part,
    check_part,
    couple_part,
    make_part,
    results_of,
)
from devs_robotics.experimental_frames.frames.taps import TapError, drive, tap

__all__ = [
    "PartError",
    "Result",
    "TapError",
    "Verdict",
    "add_part",
    "check_part",
    "couple_part",
    "drive",
    "make_part",
    "results_of",
    "tap",
]
