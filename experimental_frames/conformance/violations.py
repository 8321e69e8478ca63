"""What a robot did against its protocol, and how that is told."""

from __future__ import annotations

from msgspec import Struct


class Violation(Struct, frozen=True):
    """Something that a robot did, or did not do, against the protocol.

    Attributes:
        time: simulated (s)
        robot: by number
        rule: name of the rule
        sentence: what happened, when, and in which transition of the protocol
        last: the robot's last messages before, and those at that instant, oldest first
        means: what the rule says
    """

    time: float
    robot: int
    rule: str
    sentence: str
    last: tuple[str, ...]
    means: str = ""

    def __str__(self) -> str:
        return f"{self.sentence} (rule: {self.means or self.rule})"
