"""Where real robots are, and where dead reckoning and the environment model believe that they are."""

from devs_robotics.experimental_frames.instruments.localisation.localisation import (
    LOCALISATION_HEADER,
    FixRow,
    Localisation,
    localisation_csv,
    localisation_lines,
)
from devs_robotics.experimental_frames.instruments.localisation.metrics import Errors, RobotErrors, measure_localisation

__all__ = [
    "LOCALISATION_HEADER",
    "Errors",
    "FixRow",
    "Localisation",
    "RobotErrors",
    "localisation_csv",
    "localisation_lines",
    "measure_localisation",
]
