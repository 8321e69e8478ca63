"""The table that a sweep makes of many runs: one row a run."""

from experimental_frames.sweep.columns import METRICS, Column, column, columns_of

__all__ = ["METRICS", "Column", "column", "columns_of"]
