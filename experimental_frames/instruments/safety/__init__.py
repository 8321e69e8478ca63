"""Whether robots come so near to anything, and so fast, that they could not stop: what the safety gate asks."""

from devs_robotics.experimental_frames.instruments.safety.judgement import Extreme, SafetyJudgement, SafetyViolation
from devs_robotics.experimental_frames.instruments.safety.limits import KINDS, Allowance, Engagement, Kind, SafetyLimits
from devs_robotics.experimental_frames.instruments.safety.watch import SafetyWatch

__all__ = [
    "KINDS",
    "Allowance",
    "Engagement",
    "Extreme",
    "Kind",
    "SafetyJudgement",
    "SafetyLimits",
    "SafetyViolation",
    "SafetyWatch",
]
