"""The worst moments of two things on an interval on which each follows one motion: found with certainty, not sampled.

A clearance changes no faster than the things move, and a closing speed no faster than they brake, turn and pass each
other. So on any interval there are bounds of both; an interval is halved as long as what it may hold is worse than what
is known. What is found is the worst but for `CLOSE_ENOUGH` (or `SOON_ENOUGH`), and then made exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import hypot, inf

from msgspec import Struct

from devs_robotics.experimental_frames.instruments.safety.judgement import Extreme
from devs_robotics.experimental_frames.instruments.safety.legs import BodyLeg
from devs_robotics.experimental_frames.instruments.safety.limits import (
    CONTACT,
    Allowance,
    Engagement,
    Kind,
    SafetyLimits,
)
from devs_robotics.experimental_frames.instruments.safety.things import OwnShape, Standing

Moment = tuple[float, float, float]
"""Clearance (m), and the parts of both in the closing speed (m/s)."""

CLOSE_ENOUGH = 1e-4
"""What is nearer than the nearest by less than that (m) is not looked for."""

SOON_ENOUGH = 1e-3
"""The same of times to contact (s)."""

SHORTEST = 1e-6
"""Interval that is not halved any more (s)."""

UNDECIDED = CLOSE_ENOUGH / 2.0
"""Nor is one in which things move less than that (m), so near to a threshold."""

GLIDING = 1e-3
"""Closing speed up to which a body glides along another one, and need not stop (m/s)."""

PRECISE, GOLDEN = 1e-9, 0.6180339887498949
"""When the worst moments are known (s), and the golden section."""


class SeenViolation(Struct, frozen=True):
    """A violation on an interval.

    Attributes:
        worst: the moment with the least clearance
        first, last: the moments at which it was seen first and last (s)
    """

    worst: Extreme
    first: float
    last: float


Found = dict[tuple[Kind, str], SeenViolation]
"""Violations of an interval, by kind and by what allows them."""


class Encounter(Struct, frozen=True):
    """Two things on an interval on which each follows one motion.

    Attributes:
        robot: number of the first one
        leg: of the first one
        radius: of the first one (m)
        name, thing: what the other one is
        other: its leg; None: it stands
        standing: what stands, then
        other_radius: (m)
        start, end: of the interval (s)
    """

    robot: int
    leg: BodyLeg
    radius: float
    name: str
    thing: str
    other: BodyLeg | None
    standing: Standing | None
    other_radius: float
    start: float
    end: float

    @property
    def is_convex(self) -> bool:
        """Whether the clearance is a convex function of time where no velocity changes: not of shapes of one's own."""
        return not isinstance(self.standing, OwnShape)

    @property
    def change(self) -> float:
        """Bound of the change of both velocities (m/s^2)."""
        return self.leg.change + (0.0 if self.other is None else self.other.change)

    @property
    def fastest(self) -> float:
        """Bound of the change of the clearance (m/s)."""
        other = self.other
        if other is None:
            return self.leg.fastest
        if self.leg.bent is None and other.bent is None:
            return hypot(self.leg.vx - other.vx, self.leg.vy - other.vy)
        return self.leg.fastest + other.fastest

    def moment(self, time: float) -> Moment:
        """How things are at a time."""
        x, y = self.leg.place(time)
        vx, vy = self.leg.velocity(time)
        if self.other is not None:
            other_x, other_y = self.other.place(time)
            other_vx, other_vy = self.other.velocity(time)
        else:
            assert self.standing is not None
            (other_x, other_y), (other_vx, other_vy) = self.standing.nearest(x, y), (0.0, 0.0)
        dx, dy = other_x - x, other_y - y
        apart = hypot(dx, dy)
        clearance = apart - self.radius - self.other_radius
        if not apart:
            return clearance, 0.0, 0.0
        nx, ny = dx / apart, dy / apart
        return clearance, vx * nx + vy * ny, -(other_vx * nx + other_vy * ny)

    def extreme(self, value: float, time: float) -> Extreme:
        """The moment at a time, for people."""
        clearance, own, its = self.moment(time)
        x, y = self.leg.place(time)
        return Extreme(value, self.robot, self.name, time, x, y, clearance, own + its)


class Bounds(Struct, frozen=True):
    """Of an interval: the least clearance (m), the largest parts of both in the closing speed, and it (m/s)."""

    clearance: float
    own: float
    its: float
    closing: float


class Worst:
    """The worst that is known so far, of all encounters of a run.

    Args:
        limits: thresholds
        allowances: of the case study
        engagements: what robots deal with on purpose, and when
    """

    def __init__(
        self, limits: SafetyLimits, allowances: tuple[Allowance, ...], engagements: Iterable[Engagement] = ()
    ) -> None:
        self.limits = limits
        self.allowances = allowances
        self._engaged: dict[tuple[int, str], list[tuple[float, float]]] = {}
        for each in engagements:
            self._engaged.setdefault((each.robot, each.thing), []).append((each.begin, each.end))
        self.values = dict.fromkeys(VALUES, inf)
        self.moments: dict[str, tuple[Encounter, float, float]] = {}
        """By the same names: where and when, and within which time about that it may be worse by a little (s)."""

    def look(self, encounter: Encounter) -> Found:
        """Look at an encounter; returns its violations."""
        found: Found = {}
        first, last = encounter.moment(encounter.start), encounter.moment(encounter.end)
        for time, moment in ((encounter.start, first), (encounter.end, last)):
            self._note(encounter, time, moment, found)
        left = [(encounter.start, first, encounter.end, last)]
        while left:
            start, before, end, after = left.pop()
            lasts = end - start
            if lasts <= SHORTEST or encounter.fastest * lasts < UNDECIDED:
                continue
            if not self._may_hold(self._bounds(encounter, before, after, lasts), found, encounter):
                continue
            middle = start + lasts / 2.0
            moment = encounter.moment(middle)
            self._note(encounter, middle, moment, found, lasts / 2.0)
            left += [(start, before, middle, moment), (middle, moment, end, after)]
        return found

    def extreme(self, name: str) -> Extreme | None:
        """The worst moment of all, exactly; None if there was none."""
        if name not in self.moments:
            return None
        encounter, time, about = self.moments[name]
        value, measure = self.values[name], VALUES[name]

        def at(when: float) -> float:
            return measure(self.limits, encounter.moment(when))

        low, high = max(encounter.start, time - about), min(encounter.end, time + about)
        value, time = min((value, time), _least(at, low, high))
        return encounter.extreme(value, time)

    def _note(self, encounter: Encounter, time: float, moment: Moment, found: Found, about: float = 0.0) -> None:
        """Keep a moment for what it is worst of."""
        for name, measure in VALUES.items():
            value = measure(self.limits, moment)
            if value < self.values[name]:
                self.values[name], self.moments[name] = value, (encounter, time, about)
        clearance, own, its = moment
        for kind in kinds_of(self.limits, moment):
            key = kind, self._allowed(kind, encounter, own + its)
            before = found.get(key)
            if before is None:
                found[key] = SeenViolation(encounter.extreme(clearance, time), time, time)
            else:
                worst = encounter.extreme(clearance, time) if clearance < before.worst.clearance else before.worst
                found[key] = SeenViolation(worst, min(before.first, time), max(before.last, time))

    def _allowed(self, kind: Kind, encounter: Encounter, closing: float) -> str:
        """Why a violation is allowed; empty if it is not."""
        engaged = self._is_engaged(encounter)
        allowing = (each for each in self.allowances if each.allows(kind, encounter.thing, closing, engaged=engaged))
        return next((each.why for each in allowing), "")

    def _is_engaged(self, encounter: Encounter) -> bool:
        """Whether the robot deals with the other one all the time."""
        times = self._engaged.get((encounter.robot, encounter.name), ())
        return any(begin <= encounter.start + PRECISE and encounter.end <= end + PRECISE for begin, end in times)

    def _bounds(self, encounter: Encounter, before: Moment, after: Moment, lasts: float) -> Bounds:
        leg, other = encounter.leg, encounter.other
        fastest, its_fastest = leg.fastest, 0.0 if other is None else other.fastest
        both, reach = encounter.fastest, encounter.radius + encounter.other_radius
        first, last = before[1] + before[2], after[1] + after[2]
        clearance, closing = (before[0] + after[0] - both * lasts) / 2.0, inf
        if encounter.is_convex:  # with c'' >= -a, c + a (t - t0) (t - t1) / 2 is convex, and nowhere more than c
            bend = encounter.change * lasts
            tangents = _between_tangents(before[0], first + bend / 2.0, after[0], last - bend / 2.0, lasts)
            clearance, closing = max(clearance, tangents), first + bend
        passing = both / max(clearance + reach, reach / 2.0)  # how fast the direction to the other may turn (rad/s)
        own = (before[1] + after[1] + (leg.change + fastest * passing) * lasts) / 2.0
        change = 0.0 if other is None else other.change
        its = (before[2] + after[2] + (change + its_fastest * passing) * lasts) / 2.0
        own, its = min(own, fastest), min(its, its_fastest)
        return Bounds(clearance, own, its, min(closing, own + its))

    def _may_hold(self, bounds: Bounds, found: Found, encounter: Encounter) -> bool:
        """Whether an interval with these bounds may hold something worse than is known, or another violation."""
        worst, soonest = (bounds.clearance, bounds.own, bounds.its), (bounds.clearance, bounds.closing, 0.0)
        values = self.values
        if bounds.clearance < values["clearance"] - CLOSE_ENOUGH:
            return True
        if VALUES["room to stop"](self.limits, worst) < values["room to stop"] - CLOSE_ENOUGH:
            return True
        if VALUES["time to contact"](self.limits, soonest) < values["time to contact"] - SOON_ENOUGH:
            return True
        kinds: list[Kind] = [kind for kind in kinds_of(self.limits, worst) if kind != "fast approach"]
        if "fast approach" in kinds_of(self.limits, soonest):
            kinds.append("fast approach")
        return any(not self._settled(kind, found, encounter, bounds.closing) for kind in kinds)

    def _settled(self, kind: Kind, found: Found, encounter: Encounter, closing: float) -> bool:
        """Whether no more is to be found out of a kind: it is there, and is not allowed, or all that there can be is.

        Args:
            closing: bound of the closing speed (m/s)
        """
        if (kind, "") in found:
            return True
        return bool(self._allowed(kind, encounter, closing)) and any(each == kind for each, _ in found)


def _between_tangents(before: float, closing: float, after: float, still_closing: float, lasts: float) -> float:
    """What a convex clearance is at least, by its values and its closing speeds at both ends of an interval."""
    bend = closing - still_closing
    if bend <= 0.0:
        return min(before, after)
    meet = (before - after - still_closing * lasts) / bend
    return before - closing * meet if 0.0 < meet < lasts else min(before, after)


def _least(value: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """The least value between two times that are near to it, and when (s), by golden sections."""
    while high - low > PRECISE:
        first, second = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        if value(first) < value(second):
            high = second
        else:
            low = first
    return min((value(time), time) for time in (low, high))


def kinds_of(limits: SafetyLimits, moment: Moment) -> list[Kind]:
    """The violations that a moment is; by the bounds of an interval, all that it may hold."""
    clearance, own, its = moment
    closing = own + its
    found: list[Kind] = []
    if clearance < limits.approach:
        found.append("too near")
        if clearance <= CONTACT:
            found.append("contact")
    if closing > GLIDING and clearance < limits.room_to_stop(own, its):
        found.append("not stoppable")
    if closing > limits.slow and clearance < limits.time_to_contact * closing:
        found.append("fast approach")
    return found


def _clearance(limits: SafetyLimits, moment: Moment) -> float:
    return moment[0]


def _time_to_contact(limits: SafetyLimits, moment: Moment) -> float:
    closing = moment[1] + moment[2]
    return max(0.0, moment[0]) / closing if closing > limits.slow else inf


def _room_to_stop(limits: SafetyLimits, moment: Moment) -> float:
    clearance, own, its = moment
    return clearance - limits.room_to_stop(own, its) if own + its > 0.0 else inf


VALUES: dict[str, Callable[[SafetyLimits, Moment], float]] = {
    "clearance": _clearance,
    "time to contact": _time_to_contact,
    "room to stop": _room_to_stop,
}
"""What there is an extreme of; each is least where it is worst."""
