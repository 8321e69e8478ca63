"""How a convoy's metrics depend on the number of robots: trends, costs, and where the formation breaks."""

from experimental_frames.scalability.breaking import Breaking
from experimental_frames.scalability.flatness import Flatness
from experimental_frames.scalability.forecast import Forecast
from experimental_frames.scalability.scaling import Scaling, Size, scalings
from experimental_frames.scalability.trend import Fit, Point, Trend

__all__ = ["Breaking", "Fit", "Flatness", "Forecast", "Point", "Scaling", "Size", "Trend", "scalings"]
