"""The table that a sweep makes of many runs: one row per run."""

from devs_robotics.experimental_frames.sweep.design import Design, Value
from devs_robotics.experimental_frames.sweep.subject import Subject, columns_of

__all__ = ["Design", "Subject", "Value", "columns_of"]
