"""When two robots talk (Pansuriya 2023, Algorithm 5), and on which channel. Pure functions."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from devs_robotics.models.transport.messages import Wait

Mode = Literal["full", "partial", "none"]
"""Who exchanges paths: all; who has none with who has one; nobody."""

BROADCAST = 0
"""The channel of all."""


class Talking(Struct, frozen=True):
    """How robots talk.

    Attributes:
        mode: who exchanges paths
        ban: before that time nobody does (s)
        again: two robots not before so long after their last exchange (s)
        failed: nor so long after an attempt that failed (s)
        wait_period: of saying that one is here (s)
        accept_period: of offering (s)
        tries: how often one offers
        agreement: longest time of waiting for an offer (s)
        exchange: longest time in the channel of two (s)
        part: points of a path in one message
        part_time: that one takes (s)
        digests: whether those whose paths are the same do not talk
    """

    mode: Mode = "full"
    ban: float = 900.0
    again: float = 600.0
    failed: float = 10.0
    wait_period: float = 1.0
    accept_period: float = 1.0
    tries: int = 8
    agreement: float = 10.0
    exchange: float = 10.0
    part: int = 20
    part_time: float = 0.032
    digests: bool = False


def can_matter(how: Talking, own: Wait, other: Wait) -> bool:
    """Whether the mode lets two robots exchange, by what both say of themselves: so both judge alike."""
    if how.mode == "none" or not (own.has_path or other.has_path):
        return False
    if how.digests and own.has_path and other.has_path and own.digest == other.digest:
        return False
    return how.mode == "full" or own.has_path != other.has_path


def channel_of(one: int, other: int) -> int:
    """The channel of two robots: no other two have it."""
    low, high = sorted((one, other))
    return high * (high - 1) // 2 + low
