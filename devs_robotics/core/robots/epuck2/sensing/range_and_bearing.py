"""What the range-and-bearing board hears of a robot that sends."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.core.robots.epuck2.range_and_bearing import REACH


class HeardFrom(Struct, frozen=True):
    """From where a message came.

    Attributes:
        range: distance of the sender (m)
        bearing: where it is, counter-clockwise from the listener's front (rad)
    """

    range: float
    bearing: float


def heard(
    distance: float,
    bearing: float,
    *,
    sight: bool,
    reach: float = REACH,
    loss: float = 0.0,
    draw: float = 0.0,
    error: float = 0.0,
) -> HeardFrom | None:
    """What is heard of one message; None if it does not come through.

    Args:
        distance: between the two robots' middles (m)
        bearing: of the sender, counter-clockwise from the listener's front (rad)
        sight: whether no body stands between the two
        reach: of the board (m)
        loss: probability that a message that could be heard is lost
        draw: the number of this message that decides on it, uniform in [-1, 1)
        error: that noise adds to the distance (m)
    """
    if not sight or distance > reach or 0.5 * (draw + 1.0) < loss:
        return None
    return HeardFrom(max(0.0, distance + error), bearing)
