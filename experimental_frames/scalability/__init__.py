"""How metrics depend on the number of robots: trends, costs, and where a team breaks."""

from devs_robotics.experimental_frames.scalability.breaking import Breaking
from devs_robotics.experimental_frames.scalability.flatness import Flatness
from devs_robotics.experimental_frames.scalability.forecast import Forecast
from devs_robotics.experimental_frames.scalability.scaling import Scaling, Size, scalings
from devs_robotics.experimental_frames.scalability.trend import Fit, SizePoint, SizeTrend

__all__ = ["Breaking", "Fit", "Flatness", "Forecast", "Scaling", "Size", "SizePoint", "SizeTrend", "scalings"]
