"""The five levels of frames on a scenario (Hu & Zeigler, section 3.3; docs/conformance.md), a module each."""

from scenarios.conformance.final_level import final
from scenarios.conformance.hybrid_level import hybrid
from scenarios.conformance.large_level import large
from scenarios.conformance.runs import Means
from scenarios.conformance.single_level import single
from scenarios.conformance.team_level import team

__all__ = ["Means", "final", "hybrid", "large", "single", "team"]
