"""CollisionMap: what the robot has seen around it, and whether it will soon be where something is."""

from __future__ import annotations

from math import asin, atan2, ceil, cos, hypot, inf, radians, remainder, sin, sqrt, tau

import numpy as np
from msgspec import Struct

from devs_robotics import Atomic, In, Out, Sense, Sensor
from devs_robotics.models.activities.range_ring import HALF_VIEW, SENSORS, RingScan
from devs_robotics.models.logistics.approaching import ALONG, Braking, MovingNearby
from devs_robotics.models.logistics.company import is_alone, is_end_free
from devs_robotics.models.logistics.layout import RADIUS, SHAPE, CarrierShape
from devs_robotics.models.logistics.likelihood import LikelihoodGrid
from devs_robotics.models.logistics.messages import CollisionWarning, Consider, Considered, Go, Loaded

AHEAD = np.exp(1j * np.arange(SENSORS) * (tau / SENSORS))
"""Directions of the sensors from the heading, as unit vectors x + iy."""

SLOWLY = 0.1
"""Speed of a way where no direction is free (m/s)."""

STILL = 1e-3
"""A robot that is slower is not on its way anywhere (m/s)."""

LEG_OFF = radians(3.0)
"""By how much a leg of its own may be aside of where the robot believes it (rad): 8 mm, and 0.02 rad; what it knows is
the mean of some looks at the marker map, which have errors of 3 mm and 0.01 rad each."""

ALIKE = 0.005
"""Of directions whose likelihoods differ by less, the first is taken where none is free."""

EARLY = 1e-9
"""By how much sooner an update counts (s), so that rounding never makes it a period late."""


class Foresight(Struct, frozen=True):
    """How a collision map judges.

    Attributes:
        period: between updates (s)
        decay: of what was seen (1/s)
        sigma: of a return (m)
        cell: side of a cell (m)
        half: half the side of the map (m)
        lookahead: how far in time it looks (s)
        threshold: likelihood in a disc of the robot's radius from which on a collision is likely
        disc: radius that is looked at for a robot without a carrier (m), which has no speed
        loaded_disc: for one with a carrier, which goes along a diagonal of the tray (m); along a side it is less
        beside: how much more of that is looked at, by the speed (s)
        least_beside: how much more at least, without a carrier (m)
        narrow_disc: for one on its way between the legs of a carrier (m)
        narrow_threshold: likelihood from which on a collision is likely there: the legs, seen from afar, leave traces
            beside where they are, as each return counts in the middle of its sensor's view
        own_legs: while it carries, nearer returns from where legs of the carrier are do not count (m)
        braking: when it warns of what comes nearer by itself
    """

    period: float = 0.02
    decay: float = 1.0
    sigma: float = 0.025
    cell: float = 0.025
    half: float = 1.0
    lookahead: float = 1.1
    threshold: float = 0.15
    disc: float = RADIUS
    loaded_disc: float = 0.255
    beside: float = 0.25
    least_beside: float = 0.04
    narrow_disc: float = 0.025
    narrow_threshold: float = 0.5
    own_legs: float = 0.30
    braking: Braking = Braking()

    @property
    def reach(self) -> float:
        """How far from the robot's edge a return can be that is still in the map (m)."""
        return self.half * sqrt(2.0) - RADIUS


FORESIGHT = Foresight()
"""What is chosen where nothing is published."""


class CollisionMap(Atomic):
    """Maps what a ring of range sensors sees, and warns when the present velocity soon leads where something is.

    It looks along the whole way of the lookahead time, or to the goal where that is nearer, and aside by its speed.
    It asks the sensors once each period; where an answer takes longer, updates are left out, and decay goes on. It
    tells crossings of the threshold, not the likelihood.

    =========  ======================  ====================================  ==========================
    phase      time advance            output                                next phase
    =========  ======================  ====================================  ==========================
    pausing    until the next period   ranging: a question                   seeing
    seeing     ∞                                                             pausing, when ranges come
    telling    0                       warning, considered                   what it was before
    =========  ======================  ====================================  ==========================

    Ports:
        ranging: the sensors, with odometry
        consider: questions for free directions, from the navigator
        goal: goals of the navigator
        loaded: what the robot carries
        warning: whether a collision is likely
        considered: answers to the navigator

    Args:
        foresight: how it judges
        shape: of carriers
    """

    ranging = Sensor(Sense, RingScan)
    consider = In(Consider)
    goal = In(Go)
    loaded = In(Loaded)
    warning = Out(CollisionWarning)
    considered = Out(Considered)

    def __init__(self, name: str, foresight: Foresight = FORESIGHT, shape: CarrierShape = SHAPE) -> None:
        super().__init__(name)
        self.foresight, self.shape = foresight, shape
        self.initialize()

    def initialize(self) -> None:
        """Look at once."""
        each = self.foresight
        self.grid = LikelihoodGrid(each.period, each.decay, each.sigma, each.cell, each.half)
        self.approaches = MovingNearby(each.braking)
        self.now = 0.0
        self.is_likely = False
        self._scan: RingScan | None = None
        self._carrier = Loaded(False)
        self._hidden: frozenset[int] = frozenset()
        self._is_hidden = np.zeros(SENSORS, bool)
        self._is_narrow = self._is_last_resort = False
        """Whether the way leads between legs, or was taken as none was free: what is straight ahead counts then."""
        self._is_alone, self._middle = False, 0.0
        """Whether it is not free while somebody else is there; and how far in its direction the middle of the carrier
        is to or from which it leads (m)."""
        self._begins: RingScan | None = None
        self._distance = inf
        """Where the present way began, and how long it is (m)."""
        self._is_asking = True
        """Whether the sensors are to be asked next; else they are waited for."""
        self._due = 0.0
        """When (s)."""
        self._said: list[CollisionWarning | Considered] = []
        self.hold_in("pausing", 0.0)

    @property
    def update(self) -> int:
        """Number of the present update: the time, in periods."""
        return int((self.now + EARLY) / self.foresight.period)

    def lambdaf(self) -> None:
        """Ask the sensors; or tell."""
        if self.phase == "pausing":
            self.ranging.ask.add(Sense())
            return
        for said in self._said:
            if isinstance(said, Considered):
                self.considered.add(said)
            else:
                self.warning.add(said)

    def deltint(self) -> None:
        """Wait for what comes next."""
        self.now += self.sigma
        if self.phase == "pausing":
            self.now = self._due
            self._is_asking = False
        self._said.clear()
        self._wait()

    def deltext(self, e: float) -> None:
        """Take what was seen; answer the navigator."""
        self.now += e
        for loaded in self.loaded.values:
            self._carrier = loaded
            self._hidden = self._hidden_sensors()
            self._is_hidden = np.array([sensor in self._hidden for sensor in range(SENSORS)])
        for goal in self.goal.values:
            self._is_narrow, self._is_last_resort = goal.narrow, False
            self._is_alone, self._middle = goal.alone, goal.middle
            self._begins, self._distance = self._scan, goal.distance or inf
            if self.is_likely:  # of the way before: of the new one it is told anew
                self.is_likely = False
                self._said.append(CollisionWarning(False))
        for scan in self.ranging.answer.values:
            self._see(scan)
            if not self._is_asking:
                self._is_asking = True
                self._due = (self.update + 1) * self.foresight.period
        for question in self.consider.values:
            self._said.append(self._judge(question))
        self._wait()

    def _on_way(self, direction: float, speed: float, *, narrow: bool) -> float:
        """How likely a collision is on the way in a direction from the heading (rad), at a speed (m/s).

        The weight in a disc counts, not its mean: three frames of a return are as much in a large disc as in a small
        one. Discs follow each other on the way, as another robot may come from the side. What is narrow leads between
        legs: only what is straight ahead of the edge counts.
        """
        scan, each = self._scan, self.foresight
        if scan is None:
            return 0.0
        towards = scan.heading + direction
        east, north, way = cos(towards), sin(towards), min(speed * each.lookahead, self._way_left)
        x, y = scan.x, scan.y
        if narrow:
            radius, scale = each.narrow_disc, each.threshold / each.narrow_threshold
            x, y = x + (RADIUS - radius) * east, y + (RADIUS - radius) * north
        else:
            least = 0.0 if self._carrier.carrier else each.least_beside
            radius = self._half_width(direction) + max(each.beside * speed, least)
            radius = each.cell * ceil(radius / each.cell - 0.5)
            scale = (radius / RADIUS) ** 2
        steps = max(1, ceil(way / max(radius / 2.0, each.cell)))
        found = self.grid.likelihoods_along(self.update, x, y, (way * east, way * north), steps, radius)
        return scale * float(found.max())

    def _half_width(self, direction: float) -> float:
        """Of the robot, or of the square that it carries, across a direction from its heading (m)."""
        if not self._carrier.carrier:
            return self.foresight.disc
        along = direction - self._carrier.yaw
        return self.foresight.loaded_disc * (abs(cos(along)) + abs(sin(along))) / sqrt(2.0)

    @property
    def _way_left(self) -> float:
        """How far it is to the end of the present way, where the robot stops (m)."""
        begins, scan = self._begins, self._scan
        if begins is None or scan is None:
            return self._distance
        return max(0.0, self._distance - hypot(scan.x - begins.x, scan.y - begins.y))

    def _wait(self) -> None:
        if self._said:
            self.activate("telling")
        elif self._is_asking:
            self.hold_in("pausing", max(0.0, self._due - self.now))
        else:
            self.passivate("seeing")

    def _see(self, scan: RingScan) -> None:
        """Write returns into the map, and see whether the robot is on its way to one."""
        self._scan = scan
        values = np.array(scan.values)
        counts = values >= 0.0
        if self._hidden:
            counts &= ~(self._is_hidden & (values < self.foresight.own_legs))
        axes = AHEAD * complex(cos(scan.heading), sin(scan.heading))
        returns = complex(scan.x, scan.y) + (RADIUS + values[counts]) * axes[counts]
        self.grid.move(scan.x, scan.y)
        self.grid.update(self.update, returns)
        self.approaches.see(self.now, scan, np.where(counts, values, inf).tolist())
        speed = hypot(scan.ahead, scan.left)
        likely = False
        if speed > STILL:
            direction = atan2(scan.left, scan.ahead)
            towards, narrow = scan.heading + direction, self._is_narrow or self._is_last_resort
            narrow = narrow and not self._carrier.carrier
            likely = (
                self.approaches.bars(towards, speed)
                or self._scrapes(towards, speed)
                or self._on_way(direction, speed, narrow=narrow) >= self.foresight.threshold
            )
        if likely != self.is_likely:
            self.is_likely = likely
            self._said.append(CollisionWarning(likely))

    def _scrapes(self, towards: float, speed: float) -> bool:
        """Whether it comes too near to what is beside it; but between legs, and slowly on a way that is free."""
        if self._is_narrow:
            return False
        if speed > self.foresight.braking.slow:
            return self.approaches.scrapes(towards)
        return self._is_last_resort and self.approaches.scrapes(towards, ALONG)

    def _judge(self, question: Consider) -> Considered:
        """The first direction that is free, or else the least likely one, of those that no leg of its own hides.

        With a carrier the robot goes slowly in the first direction rather than aside: from near it sees gaps better, as
        each return counts in the middle of its sensor's view. Where none is free at the speed, what is free slowly is
        taken; and where nothing is, as under a carrier, what has the least in its way, and then only what is straight
        ahead counts.
        """
        if self._is_alone and self._is_somebody_there(question.directions[0]):
            return Considered(question.directions[0], False)
        threshold = self.foresight.threshold
        open_to_view = [each for each in question.directions if self._is_open(each, question.speed)]
        for direction in open_to_view:
            if self._on_way(direction, question.speed, narrow=self._is_narrow) < threshold:
                return Considered(direction, True)
            is_wanted = self._carrier.carrier and direction == question.directions[0]
            if is_wanted and self._on_way(direction, SLOWLY, narrow=False) < threshold:
                return Considered(direction, False)
        every = [tau / SENSORS * sensor for sensor in range(SENSORS)] if question.anywhere else []
        open_to_view += [each for each in every if self._is_open(each, question.speed)]
        judged = []
        for direction in open_to_view or question.directions:
            likelihood = self._on_way(direction, SLOWLY, narrow=False)
            if likelihood < threshold:
                return Considered(direction, False)
            judged.append((direction, likelihood))
        self._is_last_resort = True
        least = min((each for _, each in judged), default=0.0) + ALIKE
        return Considered(next((direction for direction, each in judged if each <= least), 0.0), False)

    def _is_somebody_there(self, direction: float) -> bool:
        """Whether somebody else is at the carrier to which a direction leads, or where the way out of it ends."""
        looks = self.approaches.looks
        if self._middle > 0.0:
            return not is_alone(looks, direction, self._middle, self.shape)
        return not is_end_free(looks, direction, self._distance, self._middle, self.shape)

    def _is_open(self, direction: float, speed: float) -> bool:
        """Whether it sees what is there, nothing comes from there, and the way leads away from what is beside it."""
        if self._scan is None or not self._sees(direction):
            return self._sees(direction)
        towards = self._scan.heading + direction
        return not (self.approaches.bars_from_rest(towards) or self._scrapes(towards, speed))

    def _sees(self, direction: float) -> bool:
        """Whether no leg of its own stands before the sensor that looks there."""
        return round(direction / (tau / SENSORS)) % SENSORS not in self._hidden

    def _hidden_sensors(self) -> frozenset[int]:
        """The sensors in whose view legs of the carrier are."""
        if not self._carrier.carrier:
            return frozenset()
        legs = self.shape.legs_from(self._carrier.x, self._carrier.y, self._carrier.yaw)
        return frozenset(
            sensor
            for sensor in range(SENSORS)
            if any(
                abs(remainder(sensor * tau / SENSORS - atan2(y, x), tau))
                <= HALF_VIEW + asin(self.shape.leg_radius / hypot(x, y)) + LEG_OFF
                for x, y in legs
            )
        )
