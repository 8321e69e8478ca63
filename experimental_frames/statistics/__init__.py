"""Statistics of simulation output: plain functions on numbers, each with its assumptions; see docs/statistics.md."""

from devs_robotics.experimental_frames.statistics.autocorrelation import lag_one, memory, von_neumann
from devs_robotics.experimental_frames.statistics.batch_means import BatchMeans, batch_means, in_batches
from devs_robotics.experimental_frames.statistics.means import Paired, mean_over_replications, paired_comparison
from devs_robotics.experimental_frames.statistics.series import Interval, Mean, StatisticsError
from devs_robotics.experimental_frames.statistics.several_tests import holm, paired_p
from devs_robotics.experimental_frames.statistics.stopping import Precision, precision, replicate_until
from devs_robotics.experimental_frames.statistics.trend import MannKendall, Slope, Trend, mann_kendall, sen_slope, trend
from devs_robotics.experimental_frames.statistics.warm_up import WarmUp, mser5

__all__ = [
    "BatchMeans",
    "Interval",
    "MannKendall",
    "Mean",
    "Paired",
    "Precision",
    "Slope",
    "StatisticsError",
    "Trend",
    "WarmUp",
    "batch_means",
    "holm",
    "in_batches",
    "lag_one",
    "mann_kendall",
    "mean_over_replications",
    "memory",
    "mser5",
    "paired_comparison",
    "paired_p",
    "precision",
    "replicate_until",
    "sen_slope",
    "trend",
    "von_neumann",
]
