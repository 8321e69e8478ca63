"""What comes towards a robot: found in time from readings with their errors, and never of what stands."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, hypot, inf, pi, sin

import pytest

from devs_robotics import Stream
from devs_robotics.experimental_frames.instruments.safety.limits import SafetyLimits
from devs_robotics.models.activities.range_ring import NOTHING, LookRound, RingScan, VirtualRangeRing
from devs_robotics.models.environment import Field, World
from devs_robotics.models.logistics.approaching import Braking, Moving, MovingNearby
from devs_robotics.models.logistics.layout import RADIUS, SHAPE

PERIOD, SIDE = 0.02, 3.7
LIMITS = SafetyLimits()

Disc = tuple[float, float, float]


class Watcher:
    """A robot that goes along a line with its eyes open, and turns as it was put down."""

    def __init__(self, seed: int, heading: float, direction: float, speed: float) -> None:
        self.ring, self.approaches = VirtualRangeRing("ring", seed), MovingNearby(Braking())
        self.heading, self.direction, self.speed = heading, direction, speed
        self.field = Field(SIDE, SIDE)
        self.field.add_body(SIDE / 2.0, SIDE / 2.0, heading, RADIUS)

    def add(self, discs: list[Disc]) -> None:
        """Other bodies."""
        for x, y, radius in discs:
            self.field.add_body(x, y, 0.0, radius)

    def sees(self, time: float, x: float, y: float) -> bool:
        """Whether it brakes, at a place, for what it sees there."""
        self.field.place(0, x, y, self.heading)
        world = World(self.field, 0.03)
        seen = LookRound(1, reach=1.3).answer(world).distances
        values = self.ring._read(seen)
        scan = RingScan(values, x, y, self.heading, 0.0, 0.0)
        self.approaches.see(time, scan, [inf if value == NOTHING else value for value in values])
        return self.approaches.bars(self.direction, self.speed)


Crossing = tuple[float, float, float]
"""Clearance (m), and what the one that watches and the other one contribute to the closing speed (m/s)."""


def crossing(seed: int, own: float, other: float, angle: float) -> Crossing | None:
    """When two that would meet in the middle, at constant speeds, are to brake; None: never."""
    watcher = Watcher(seed, 0.3 * seed, 0.0, own)
    watcher.add([(0.0, 0.0, RADIUS)])
    for step in range(80):
        left = 1.8 - step * PERIOD
        x, y = SIDE / 2.0 - own * left, SIDE / 2.0
        dx, dy = own * left - other * left * cos(angle), -other * left * sin(angle)
        watcher.field.place(1, x + dx, y + dy, 0.0)
        way = hypot(dx, dy)
        if way <= 2.0 * RADIUS:
            return None
        if watcher.sees(step * PERIOD, x, y):
            its = -(other * cos(angle) * dx + other * sin(angle) * dy) / way
            return way - 2.0 * RADIUS, own * dx / way, its
    return None


@pytest.mark.parametrize(("own", "other"), [(0.5, 0.5), (0.3, 0.5), (0.5, 0.3), (0.3, 0.3)])
@pytest.mark.parametrize("angle", [pi, 2.0 * pi / 3.0, pi / 2.0])
def test_who_crosses_ones_way_is_found_while_there_is_time_and_room(own: float, other: float, angle: float) -> None:
    found = crossing(1, own, other, angle)
    assert found is not None
    clearance, its_own, its = found
    assert clearance > LIMITS.time_to_contact * (its_own + its)
    assert clearance > LIMITS.room_to_stop(its_own, its) + 0.05


def test_a_robot_brakes_with_the_ways_that_the_gate_judges_by() -> None:
    braking = Braking()
    for speed in (0.05, 0.2, 0.5):
        assert braking.way(speed) == pytest.approx(LIMITS.way(speed))
        assert braking.room(speed, speed) > LIMITS.room_to_stop(speed, speed)
    assert braking.room(0.5, 0.5) > LIMITS.time_to_contact


def standing(seed: int) -> Iterator[Disc]:
    """Legs of carriers and robots, anywhere but near to the beginning."""
    stream = Stream(seed, 0, "standing")
    for number in range(6):
        x, y, yaw = (SIDE / 2.0 + 1.7 * stream.uniform() for _ in range(3))
        if hypot(x - SIDE / 2.0, y - SIDE / 2.0) < 0.5:
            continue
        if number % 2:
            yield x, y, RADIUS
        else:
            far = hypot(SHAPE.leg, SHAPE.leg)
            yield from ((x + far * cos(yaw + k * pi / 2.0), y + far * sin(yaw + k * pi / 2.0), 0.018) for k in range(4))


@pytest.mark.parametrize("seed", range(6))
def test_what_stands_never_makes_a_robot_brake_however_it_passes(seed: int) -> None:
    discs, direction, speed = list(standing(seed)), 1.0 + seed, 0.5 if seed % 2 else 0.3
    watcher, looked = Watcher(seed, 0.7 * seed, direction, speed), 0
    watcher.add(discs)
    for step in range(150):
        gone = speed * step * PERIOD
        x, y = SIDE / 2.0 + gone * cos(direction), SIDE / 2.0 + gone * sin(direction)
        if not 0.16 < x < SIDE - 0.16 or not 0.16 < y < SIDE - 0.16:
            break
        if any(hypot(x - there_x, y - there_y) < RADIUS + radius + 0.03 for there_x, there_y, radius in discs):
            break
        looked += 1
        assert not watcher.sees(step * PERIOD, x, y)
    assert looked > 20


def test_a_robot_that_stands_does_not_set_out_to_where_something_has_come_from() -> None:
    approaches = MovingNearby(Braking())
    approaches.moving.append(Moving(0.5, 0.3, 0.4, 0.0))
    assert approaches.bars_from_rest(0.5 + 1.5)
    assert not approaches.bars_from_rest(0.5 + 1.6)
    assert approaches.bars(0.5, 0.3)
    assert not approaches.bars(0.5 + pi, 0.3)  # who goes away would only be longer in its way
    far = MovingNearby(Braking())
    far.moving.append(Moving(0.5, 0.65, 0.4, 0.0))
    assert not far.bars_from_rest(0.5)
    nothing = RingScan((NOTHING,) * 16, 0.0, 0.0, 0.0, 0.0, 0.0)
    approaches.see(0.5, nothing, [inf] * 16)
    assert approaches.bars_from_rest(0.5)
    assert not approaches.bars(0.5, 0.3)  # on its way it goes by what it sees
    approaches.see(1.1, nothing, [inf] * 16)
    assert not approaches.bars_from_rest(0.5)


def test_who_goes_along_a_wall_and_too_near_to_it_is_told_by_three_of_five_readings() -> None:
    """Nothing is in its way, and it comes nearer to the wall by 5 cm per metre."""
    watcher, slope = Watcher(2, 0.4, 0.05, 0.5), 0.05
    found = None
    for step in range(200):
        gone = 0.5 * step * PERIOD
        x, y = 0.3 + gone * cos(slope), SIDE - RADIUS - 0.1 + gone * sin(slope)
        clearance = SIDE - RADIUS - y
        assert not watcher.sees(step * PERIOD, x, y)
        if watcher.approaches.scrapes(slope):
            found = clearance
            break
    assert found is not None
    assert LIMITS.approach < found < 0.06
    assert watcher.approaches.scrapes(pi / 2.0)
    assert not watcher.approaches.scrapes(-pi / 2.0)
