"""The table that a sweep makes of many runs: one row per run."""

from devs_robotics.experimental_frames.sweep.columns import METRICS, Column, column, columns_of
from devs_robotics.experimental_frames.sweep.design import Design, Value

__all__ = ["METRICS", "Column", "Design", "Value", "column", "columns_of"]
