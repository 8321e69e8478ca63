"""What the safety gate finds out of one run: extremes, and violations by their kinds."""

from __future__ import annotations

from math import inf

from msgspec import Struct

from devs_robotics.experimental_frames.instruments.safety.limits import Kind


class Extreme(Struct, frozen=True):
    """The worst of something in a run, with its place and time.

    Attributes:
        value: of it: a clearance (m), a time to contact (s), room to stop that is left (m), or a speed (m/s)
        robot: number of the robot
        other: what it came near to, in words; empty where there is nothing
        time: at which (s)
        x, y: where the robot was (m)
        clearance: from edge to edge then (m)
        closing_speed: then (m/s, negative: they went apart)
        seed: of the run
    """

    value: float
    robot: int = 0
    other: str = ""
    time: float = 0.0
    x: float = 0.0
    y: float = 0.0
    clearance: float = inf
    closing_speed: float = 0.0
    seed: int = 0


NOTHING = Extreme(inf)
"""There was nothing of the kind."""


class SafetyViolation(Struct, frozen=True):
    """Violations of one kind.

    Attributes:
        kind: of all of them
        count: how many there were
        first: the first one
        worst: the one with the least clearance; the same, where there is none
        what: in words, where numbers do not say it
        allowed: why they are allowed; empty: they are not
    """

    kind: Kind
    count: int
    first: Extreme
    worst: Extreme
    what: str = ""
    allowed: str = ""

    def joined(self, other: SafetyViolation) -> SafetyViolation:
        """Both, those of `other` being later."""
        worst = min(self.worst, other.worst, key=lambda each: each.clearance)
        return SafetyViolation(self.kind, self.count + other.count, self.first, worst, self.what, self.allowed)

    @property
    def told(self) -> str:
        """The worst of them in words."""
        return self.what or told(self.worst)

    def __str__(self) -> str:
        return f"{self.kind}: {self.told}"


class SafetyJudgement(Struct, frozen=True):
    """What was found out of one run, or of several.

    Attributes:
        clearance: the least from any robot to anything (m)
        time_to_contact: the least clearance by closing speed (s), where that is more than `SafetyLimits.slow`
        room_to_stop: the least that is left of the clearance when both have braked (m); negative: they would touch
        speed: the largest of any robot (m/s)
        violations: by kind, and by what allows them
        unjudged: robots that were carried for a while, which touch nothing
    """

    clearance: Extreme = NOTHING
    time_to_contact: Extreme = NOTHING
    room_to_stop: Extreme = NOTHING
    speed: Extreme = Extreme(0.0)
    violations: tuple[SafetyViolation, ...] = ()
    unjudged: tuple[int, ...] = ()

    def joined(self, other: SafetyJudgement) -> SafetyJudgement:
        """Of both, those runs of `other` being later."""
        found = {(each.kind, each.allowed): each for each in self.violations}
        for each in other.violations:
            key = each.kind, each.allowed
            found[key] = found[key].joined(each) if key in found else each
        return SafetyJudgement(
            min(self.clearance, other.clearance, key=_value),
            min(self.time_to_contact, other.time_to_contact, key=_value),
            min(self.room_to_stop, other.room_to_stop, key=_value),
            max(self.speed, other.speed, key=_value),
            tuple(found.values()),
            tuple(sorted({*self.unjudged, *other.unjudged})),
        )

    @property
    def trouble(self) -> tuple[SafetyViolation, ...]:
        """The violations that nothing allows."""
        return tuple(each for each in self.violations if not each.allowed)


def told(extreme: Extreme) -> str:
    """Who came near to what, in words."""
    where = f"at {extreme.time:.3f} s at ({extreme.x:.3f}, {extreme.y:.3f}) m"
    if not extreme.other:
        return f"robot {extreme.robot} {where}"
    return (
        f"robot {extreme.robot} was {max(0.0, extreme.clearance):.3f} m from {extreme.other}, closing at "
        f"{extreme.closing_speed:.3f} m/s, {where}"
    )


def _value(extreme: Extreme) -> float:
    return extreme.value
