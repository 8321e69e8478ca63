"""How metrics depend on settings: elasticities, Morris' screening, Sobol's indices."""

from devs_robotics.experimental_frames.sensitivity.elasticity import Change, Elasticities, Level, elasticities
from devs_robotics.experimental_frames.sensitivity.screening import Effect, Screening, screen
from devs_robotics.experimental_frames.sensitivity.variance import Share, Variance, explain_variance

__all__ = [
    "Change",
    "Effect",
    "Elasticities",
    "Level",
    "Screening",
    "Share",
    "Variance",
    "elasticities",
    "explain_variance",
    "screen",
]
