"""The five levels of frames on a scenario (Hu & Zeigler, section 3.3; docs/conformance.md), a module each."""

from devs_robotics.scenarios.convoy.conformance.final_level import final
from devs_robotics.scenarios.convoy.conformance.hybrid_level import hybrid
from devs_robotics.scenarios.convoy.conformance.large_level import large
from devs_robotics.scenarios.convoy.conformance.levels import examine
from devs_robotics.scenarios.convoy.conformance.runs import LevelRuns
from devs_robotics.scenarios.convoy.conformance.single_level import single
from devs_robotics.scenarios.convoy.conformance.team_level import team

__all__ = ["LevelRuns", "examine", "final", "hybrid", "large", "single", "team"]
