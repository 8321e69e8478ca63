"""Where real robots are, and where dead reckoning and the environment model believe that they are."""

from devs_robotics.experimental_frames.instruments.localisation.localisation import FixRow, Localisation
from devs_robotics.experimental_frames.instruments.localisation.metrics import Errors, RobotErrors, measure_localisation

__all__ = ["Errors", "FixRow", "Localisation", "RobotErrors", "measure_localisation"]
