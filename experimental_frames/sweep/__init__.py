"""The table that a sweep makes of many runs: one row per run."""

from devs_robotics.experimental_frames.convoy.metrics import METRICS
from devs_robotics.experimental_frames.sweep.columns import column, columns_of
from devs_robotics.experimental_frames.sweep.design import Design, Value

__all__ = ["METRICS", "Design", "Value", "column", "columns_of"]
