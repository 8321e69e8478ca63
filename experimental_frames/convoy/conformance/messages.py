"""What goes through the ports of a decision model, in the protocol's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, nextafter
from typing import Any

import msgspec
from msgspec import Struct

from devs_robotics import Drive, Driven, Ranges, Sense
from devs_robotics.core.observe.plain import FLOAT
from devs_robotics.models.convoy.messages import CaughtUp, Inhibit, Release, RoundDone, Sync, WayLost

ValuesByPort = Mapping[str, Sequence[Any]]
"""Values by port, of one robot at one instant."""

HEARD_AT = {
    "inhibited": "taken over",
    "released": "handed back",
    "f_ready_in": "front moved",
    "b_ready_in": "caught up",
    "motor_answer": "driven",
    "infrared_answer": "seen",
}
"""What is heard at each input port, in the order in which a robot takes what comes at one instant."""

TYPES: dict[str, type[Struct]] = {
    "inhibited": Inhibit,
    "released": Release,
    "f_ready_in": Sync,
    "b_ready_in": CaughtUp,
    "motor_answer": Driven,
    "infrared_answer": Ranges,
    "motor_ask": Drive,
    "infrared_ask": Sense,
    "f_ready_out": Sync,
    "b_ready_out": CaughtUp,
    "round_done": RoundDone,
    "lost": WayLost,
}
"""What each port carries, inputs first."""

SAID_AT = tuple(port for port in TYPES if port not in HEARD_AT)
INFORMS = ("f_ready_out", "b_ready_out", "round_done")
"""The output ports through which a robot tells that it has completed a round."""


class Sight(Struct, frozen=True):
    """How a follower tells what it sees, all distances centre to centre (m).

    Attributes:
        offset: from a reading to a distance
        nearest, farthest: what is nearer or further away is not its front robot
        too_close: what is nearer than this is its front robot, and too close
        spacing: the wanted distance
    """

    offset: float
    nearest: float
    farthest: float
    too_close: float
    spacing: float

    def detail(self, reading: float) -> str:
        """What a reading straight ahead means to a follower."""
        gap = reading + self.offset
        if not self.nearest <= gap <= self.farthest:
            return "nothing"
        return "too close" if gap < self.too_close else "in place"

    def reading(self, detail: str) -> float | None:
        """A reading that means this; None where these settings leave none."""
        gap = {"in place": self.spacing, "too close": (self.nearest + self.too_close) / 2.0, "nothing": inf}[detail]
        reading = gap - self.offset
        near = (reading, nextafter(reading, 0.0), nextafter(reading, inf))
        reading = next((exact for exact in near if exact + self.offset == gap), reading)
        return reading if self.detail(reading) == detail else None


def driven_detail(driven: Driven) -> str:
    """How a motion has ended; one that led nowhere was blocked, too."""
    return "blocked" if driven.blocked or not driven.distance else "all the way"


def fits(does: str, drive: Drive) -> bool:
    """Whether a command to the motor is what the protocol calls so."""
    if does == "turn":
        return drive.distance == 0.0
    if does == "move":
        return drive.turn == 0.0
    if does == "back up":
        return drive.turn == 0.0 and drive.distance < 0.0
    return drive.distance >= 0.0 if does == "go on" else does == "drive"


def typed(port: str, value: Any) -> Any:
    """A value out of a trace, as the message that it was.

    Raises:
        msgspec.ValidationError: the port carries no such thing
    """
    return msgspec.convert(_with_floats(value), TYPES[port])


def _with_floats(value: Any) -> Any:
    """Plain data with the numbers that JSON lacks put back."""
    if isinstance(value, dict):
        return (
            float(value[FLOAT]) if set(value) == {FLOAT} else {key: _with_floats(item) for key, item in value.items()}
        )
    return [_with_floats(item) for item in value] if isinstance(value, list) else value
