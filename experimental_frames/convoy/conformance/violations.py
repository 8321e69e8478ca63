"""The rules of the convoy's protocol, in words."""

from __future__ import annotations

RULES = {
    "front": "no robot moves before its front robot has moved",
    "back": "each robot waits for its back robot",
    "order": "predict and turn, move, adjust, inform, in this order, and nothing else",
    "silence": "a robot goes on at once when it hears what it waits for",
    "once": "a robot does one thing at an instant, and tells it once",
    "all": "a robot that has completed a round tells its front robot, its back robot and the frame",
    "motion": "a robot tells how it has moved: one turn, drive and turn that lead where its motor says it went",
    "count": "rounds and adjustments are counted truly",
    "heard": "a robot hears what it is told once, at that instant, and its motor and its sensor answer once",
    "held": "a robot does not move while Avoid has its motor",
}
"""By name; the rule of a violation is one of these names."""
