"""Lists of neighbours: while they hold, whoever comes within reach is in them, and is heard of."""

from __future__ import annotations

import random
from math import hypot, inf, pi

import pytest

from devs_robotics.models.environment import Field
from devs_robotics.models.environment.nearby import EARLY, HORIZON, Nearby

REACH = 0.2


class Lists:
    """Bodies that change their ways now and then, and their lists."""

    def __init__(self, chance: random.Random, bodies: int) -> None:
        self.chance = chance
        self.field = Field(4.0, 4.0, walled=False)
        for _ in range(bodies):
            self.field.add_body(chance.uniform(0.0, 3.0), chance.uniform(0.0, 3.0), chance.uniform(-pi, pi), 0.05)
        self.nearby = Nearby(self.field, REACH)
        self.nearby.faster()

    def turn(self, body: int, speed: float) -> None:
        was_moving = body in self.field.bodies.moving
        self.field.go(body, speed, self.chance.choice((0.0, 1.0)))
        self.nearby.changed(body, was_moving=was_moving)

    def go_on(self, until: float) -> None:
        """Up to a time, with lists made anew when they are due."""
        while self.nearby.next_time() <= until:
            self.field.now = self.nearby.next_time()
            assert self.nearby.renew(self.field.now)
            self.check()
        self.field.now = until
        self.check()

    def check(self) -> None:
        """Who is near is in the list of whoever moves, and hears of it when one of the two changes its way."""
        field, nearby = self.field, self.nearby
        there = [body for body in range(len(field.x)) if body not in field.bodies.gone]
        for body in there:
            x, y, _ = field.pose(body)
            for other in there:
                other_x, other_y, _ = field.pose(other)
                if other == body or hypot(other_x - x, other_y - y) >= nearby.reach:
                    continue
                if {body, other} & field.bodies.moving.keys():
                    assert other in nearby.near[body]
                    assert body in nearby.hearing(other)


def test_whoever_comes_near_is_in_the_list_whatever_the_others_do() -> None:
    chance = random.Random(5)
    for _ in range(15):
        lists, time = Lists(chance, 12), 0.0
        for _ in range(25):
            body = chance.randrange(12)
            if body not in lists.field.bodies.gone:
                lists.turn(body, chance.choice((0.0, 0.0, 0.1, 0.3)))
            time += chance.choice((0.0, 0.1, 0.7, HORIZON))
            lists.go_on(time)
            event = chance.randrange(12)
            if event == 0:
                gone = chance.randrange(12)
                if gone not in lists.field.bodies.gone:
                    lists.field.leave(gone)
                    lists.nearby.leave(gone)
                    assert not any(gone in near for near in lists.nearby.near)
            elif event == 1:
                lists.nearby.widen(lists.nearby.reach + 0.05)
                lists.check()


def at_rest(*places: tuple[float, float]) -> tuple[Field, Nearby]:
    field = Field(4.0, 4.0, walled=False)
    for x, y in places:
        field.add_body(x, y, 0.0, 0.05)
    return field, Nearby(field, REACH)


def test_a_list_of_who_rests_holds_for_ever_and_of_who_moves_for_a_while() -> None:
    field, nearby = at_rest((1.0, 1.0), (1.1, 1.0), (3.0, 3.0))
    assert (nearby.near, nearby.expires, nearby.next_time()) == ([[], [], []], [inf, inf, inf], inf)
    field.go(0, 0.1, 0.0)
    assert nearby.changed(0, was_moving=False) == [0, 1, 2]
    assert nearby.near == [[1], [0], []]
    assert nearby.expires == [HORIZON, inf, inf]
    assert nearby.next_time() == HORIZON
    assert nearby.changed(0, was_moving=True) == [], "it goes another way, as fast as before"
    field.now = 1.0
    field.go(0, 0.0, 0.0)
    assert nearby.changed(0, was_moving=True) == [0]
    assert (nearby.next_time(), nearby.expires[0]) == (inf, inf)
    field.go(0, 0.05, 0.0)
    assert nearby.changed(0, was_moving=False) == [0]
    field.go(0, 0.2, 0.0)
    assert nearby.changed(0, was_moving=True) == [0, 1, 2], "nobody was as fast before"


def test_lists_that_expire_about_now_are_made_anew_together() -> None:
    field, nearby = at_rest((1.0, 1.0), (2.0, 1.0), (3.0, 1.0))
    for body, time in enumerate((0.0, 0.5 * EARLY, 2.0 * EARLY)):
        field.now = time
        field.go(body, 0.1, 0.0)
        nearby.changed(body, was_moving=False)
    field.now = HORIZON
    assert nearby.renew(HORIZON) == [0, 1]
    assert nearby.next_time() == HORIZON + 2.0 * EARLY
    assert nearby.renew(HORIZON) == []


def test_a_list_holds_what_two_bodies_can_drive_while_it_holds_and_no_more() -> None:
    for gap, listed in ((0.999, True), (1.001, False)):
        reach = REACH + 2.0 * 0.1 * HORIZON
        field, nearby = at_rest((1.0, 1.0), (1.0 + gap * reach, 1.0))
        field.go(0, 0.1, 0.0)
        nearby.changed(0, was_moving=False)
        assert (nearby.near[0] == [1]) == listed


def test_only_a_larger_reach_makes_lists_anew() -> None:
    field, nearby = at_rest((1.0, 1.0), (1.3, 1.0))
    field.go(0, 0.01, 0.0)
    nearby.changed(0, was_moving=False)
    assert nearby.near[0] == []
    assert nearby.widen(REACH) == []
    assert nearby.widen(0.35) == [0, 1]
    assert (nearby.reach, nearby.near[0]) == (0.35, [1])


def test_who_joins_or_is_put_elsewhere_is_entered_with_all_that_are_near() -> None:
    field, nearby = at_rest((1.0, 1.0), (1.1, 1.0), (3.0, 3.0))
    field.go(0, 0.1, 0.0)
    nearby.changed(0, was_moving=False)
    field.add_body(1.05, 1.1, 0.0, 0.05)
    nearby.grow()
    nearby.jumped(3)
    assert sorted(nearby.near[0]) == [1, 3]
    assert sorted(nearby.near[3]) == [0, 1]
    assert set(nearby.hearing(3)) == {0, 1}
    field.place(3, 3.1, 3.0, 0.0)
    nearby.jumped(3)
    assert nearby.near[3] == [2]
    assert 3 not in nearby.near[1]


@pytest.mark.parametrize("gone", [0, 1])
def test_who_leaves_is_in_no_list_and_hears_nothing(gone: int) -> None:
    field, nearby = at_rest((1.0, 1.0), (1.1, 1.0))
    field.go(0, 0.1, 0.0)
    nearby.changed(0, was_moving=False)
    nearby.leave(gone)
    assert nearby.near == [[], []]
    assert list(nearby.hearing(0)) == list(nearby.hearing(1)) == []
    assert nearby.next_time() == (inf if gone == 0 else HORIZON)
    assert nearby.touchable([0, 1], 1.0) == [0, 1]
