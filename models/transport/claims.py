"""Claims: who of two robots that stand in each other's way goes first. Pure functions; metres and seconds.

Priorities are inherited as in PIBT (Okumura et al., IJCAI 2019, doi 10.24963/ijcai.2019/76).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import dist

from msgspec.structs import replace

from devs_robotics.models.environment.shapes import Point, point_to_segment
from devs_robotics.models.transport.messages import Claim

PIECE = 2.0
"""A claim is for so much of the way ahead (m): as far as robots hear each other."""

ROOM = 0.8
"""Who is so near to a claimed piece is in the way (m): two bodies, and room."""


def priority(claim: Claim) -> tuple[bool, float, int]:
    """The lower goes first: loaded before empty, then who waits longer, then the lower number."""
    return not claim.loaded, claim.since, claim.sender


def claimed(robot: int, here: Point, towards: Point, *, loaded: bool, since: float) -> Claim:
    """The claim of a robot for what is ahead of it.

    Args:
        robot: its number
        here, towards: where it is, and the point to which it wants to go
        loaded: whether it carries an item
        since: when it began to wait
    """
    size = dist(here, towards) or 1.0
    end = here[0] + PIECE * (towards[0] - here[0]) / size, here[1] + PIECE * (towards[1] - here[1]) / size
    return Claim(robot, loaded, since, here, end)


def inherited(own: Claim, others: Iterable[Claim]) -> Claim:
    """A robot's claim with the priority of who waits behind it for what is ahead of both, if that is higher."""
    behind = [each for each in others if _is_in_way(own.start, each) and _along(own, each) > 0.0]
    best = min([own, *behind], key=priority)
    return replace(own, loaded=best.loaded, since=best.since)


def opponents(own: Claim, others: Iterable[Claim]) -> list[Claim]:
    """The claims of those that come towards a robot that is in their way."""
    return [each for each in others if _is_in_way(own.start, each) and _along(own, each) <= 0.0]


def must_yield(own: Claim, others: Iterable[Claim]) -> bool:
    """Whether somebody goes first who comes towards the robot; of two that see each other so exactly one must."""
    return any(priority(each) < priority(own) for each in opponents(own, others))


def _is_in_way(place: Point, claim: Claim) -> bool:
    return point_to_segment(*place, *claim.start, *claim.end) <= ROOM


def _along(one: Claim, other: Claim) -> float:
    """Positive where both go the same way."""
    return (one.end[0] - one.start[0]) * (other.end[0] - other.start[0]) + (one.end[1] - one.start[1]) * (
        other.end[1] - other.start[1]
    )


class ClaimsHeard:
    """The claims that a robot has heard lately.

    Args:
        fresh: so long a claim holds (s)
    """

    def __init__(self, fresh: float) -> None:
        self.fresh = fresh
        self._last: dict[int, tuple[float, Claim]] = {}
        """By robot: when it last claimed its way (s), and which."""

    def add(self, time: float, claim: Claim) -> None:
        """A claim is heard."""
        self._last[claim.sender] = time, claim

    def now(self, time: float) -> list[Claim]:
        """Those that hold."""
        return [claim for heard_at, claim in self._last.values() if time - heard_at <= self.fresh]

    def contest(self, time: float, own: Claim) -> tuple[Claim, bool, bool]:
        """What a robot that is stopped has to claim; whether it must make way; and whether somebody comes towards it.

        Args:
            time: now (s)
            own: its claim
        """
        others = self.now(time)
        own = inherited(own, others)
        return own, must_yield(own, others), bool(opponents(own, others))
