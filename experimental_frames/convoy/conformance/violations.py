"""What a robot can do against the protocol, and how that is told."""

from __future__ import annotations

from msgspec import Struct

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
"""By name; `Violation.rule` is one of these names."""


class Violation(Struct, frozen=True):
    """Something that a robot did, or did not do, against the protocol.

    Attributes:
        time: simulated (s)
        robot: by number
        rule: key of `RULES`
        sentence: what happened, when, and in which transition of the protocol
        last: the robot's last messages before, and those at that instant, oldest first
    """

    time: float
    robot: int
    rule: str
    sentence: str
    last: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.sentence} (rule: {RULES[self.rule]})"
