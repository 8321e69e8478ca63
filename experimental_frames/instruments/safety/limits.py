"""What is a danger: the thresholds of the safety gate, and what a case study allows its robots all the same."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import DevsRoboticsError
from devs_robotics.models.environment.motion.jerk_limited import stopping_way

Kind = Literal["contact", "not stoppable", "fast approach", "too near", "over the limit", "not accepted", "of the case"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds of violations: bodies touch; a body could not stop before another; it would touch it in too short a time at its
present speed; it is too near; a command is beyond what wheels can do; the run was not accepted; and whatever the parts
of a case study's frame find."""

CONTACT = 1e-5
"""Bodies this near touch each other (m); the environment stops them within a tenth of that."""


class SafetyLimits(Struct, frozen=True):
    """The thresholds of the safety gate (the table `[safety]` of a scenario).

    Attributes:
        approach: least clearance between bodies, edge to edge (m)
        time_to_contact: least clearance by closing speed (s), where that is more than `slow`
        slow: closing speed up to which the time to contact does not matter (m/s)
        reaction: time that passes before a robot begins to brake (s)
        deceleration: with which it brakes (m/s^2)
        jerk: with which its braking sets in and ends (m/s^3); infinite: at once
        mass: of a robot (kg), for energies; 0: it is not known
    """

    approach: float = 0.03
    time_to_contact: float = 0.5
    slow: float = 0.1
    reaction: float = 0.12
    deceleration: float = 2.0
    jerk: float = 20.0
    mass: float = 0.0

    def way(self, speed: float) -> float:
        """The shortest way on which a robot comes to rest from a speed of at least 0 (m/s), within the limits (m)."""
        return stopping_way(speed, self.deceleration, self.jerk)

    def room_to_stop(self, own: float, other: float) -> float:
        """The clearance that two bodies need to stop before they touch (m).

        Where both come nearer, each brakes its own part of the closing speed; else who comes nearer brakes all of it.

        Args:
            own, other: the part of each in the closing speed (m/s, negative: it goes away)
        """
        closing = own + other
        if closing <= 0.0:
            return 0.0
        ways = self.way(own) + self.way(other) if own > 0.0 < other else self.way(closing)
        return closing * self.reaction + ways


def clearance_alone(limits: SafetyLimits) -> SafetyLimits:
    """Limits by which nothing but the clearance matters: who is not near is in no danger, however fast."""
    return replace(limits, time_to_contact=0.0, slow=inf, reaction=0.0, deceleration=inf, jerk=inf)


class Allowance(Struct, frozen=True):
    """What robots of a case study do on purpose, though the gate would call it a violation; certificates show it.

    Attributes:
        kinds: of violations that are allowed
        why: they are, for people: a sentence
        up_to: closing speed up to which they are allowed (m/s)
        things: to which they are allowed: "robot", "wall", "obstacle", or the kind of other bodies, as "door"; all, if
            none is named
        engaged: only while a part of the frame says that the robot deals with that very thing: what its method
            `engagements` gives

    Raises:
        DevsRoboticsError: there is no such kind of violation, or no reason is given
    """

    kinds: tuple[Kind, ...]
    why: str
    up_to: float = inf
    things: tuple[str, ...] = ()
    engaged: bool = False

    def __post_init__(self) -> None:
        _check("kinds", self.kinds, KINDS)
        _check("things", self.things)
        if not self.why.strip():
            raise DevsRoboticsError("Allowance: say why it is allowed, in a sentence: certificates show it")

    def allows(self, kind: Kind, thing: str, closing: float, *, engaged: bool = False) -> bool:
        """Whether it allows a violation of a kind, to a kind of thing, at a closing speed (m/s).

        Args:
            engaged: whether the robot deals with the thing on purpose then
        """
        of_it = not self.things or kind in _OF_NOTHING or thing in self.things
        return kind in self.kinds and closing <= self.up_to and of_it and (engaged or not self.engaged)


class Engagement(Struct, frozen=True):
    """A robot deals with a thing on purpose, as it docks: what a part of a frame says of it.

    Attributes:
        robot: its number; of two robots, the lower one
        thing: name of the other one, as the gate has it: "robot 2", or the kind and the number of another body
        begin, end: when (s)
    """

    robot: int
    thing: str
    begin: float
    end: float


_OF_NOTHING: tuple[Kind, ...] = ("over the limit", "not accepted", "of the case")
"""What has nothing to do with any other thing."""


def _check(name: str, given: object, known: tuple[str, ...] = ()) -> None:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise DevsRoboticsError(f"Allowance: {name} must be several, not {given!r}: write ({given!r},), with a comma")
    for each in given:
        if known and each not in known:
            raise DevsRoboticsError(f"Allowance: there is no {each!r} among the {name}: there are {', '.join(known)}")
