"""Formation coherence: what it is, and whether a run shows it; see docs/statistics.md."""

from devs_robotics.experimental_frames.coherence.margin import sight_margin
from devs_robotics.experimental_frames.coherence.verdict import Coherence, Criteria, Verdict, coherence

__all__ = ["Coherence", "Criteria", "Verdict", "coherence", "sight_margin"]
