"""A robot with a carrier on its way to its place: which ways it tries, by what becomes of them."""

from __future__ import annotations

from math import inf, pi, remainder
from typing import Any

import pytest

from devs_robotics import Stream
from devs_robotics.models.logistics.carry import CarrierTree
from devs_robotics.models.logistics.leaves import Glimpse
from devs_robotics.models.logistics.messages import CompassReading, Go, GoalEnded, Loaded, MoveLifter, ZoneReading
from devs_robotics.models.logistics.row import READINGS, RowOfCarriers, take_to_row
from devs_robotics.models.logistics.rules import CarryRules
from tests.models.play import Said, tell

AHEAD, LEFT, BACK, RIGHT = 0, 1, 2, 3


class TakingTree(CarrierTree):
    """It has a carrier, and takes it to the row; nothing else."""

    def grow(self) -> Any:
        """That part of the tree."""
        return take_to_row(self, RowOfCarriers(self))


class Play:
    """Plays what is around a tree: its compass says always the same, and ways are barred or not."""

    def __init__(self, heading: float = 0.0, rules: CarryRules | None = None) -> None:
        self.heading = heading
        self.model = TakingTree("taking", 1, Stream(1, 1, "carry"), rules or CarryRules())
        self.model.initialize()
        self.model.estimate = Glimpse(4, 1, 0.0, 0.0, 0.0)
        self.model.take_load()
        self.said = self.goes_on()

    def hear(self, port: Any, value: Any) -> None:
        """Something comes, and time goes on until the tree says something, or waits."""
        self.said = tell(self.model, (port, value), e=0.0) or self.goes_on()

    def goes_on(self) -> list[Said]:
        """What it says next."""
        said: list[Said] = []
        while not [each for each in said if each[0] != "status"] and self.model.ta() < inf:
            self.model.lambdaf()
            for port in self.model.out_ports:
                said += [(port.name, value) for value in port.values]
                port.clear()
            self.model.deltint()
        return said

    def goal(self) -> Go:
        """The next goal; questions to the compass are answered."""
        while True:
            for name, value in self.said:
                if name == "go" and isinstance(value, Go):
                    return value
            assert any(name == "compass_ask" for name, _ in self.said), self.said
            self.hear(self.model.compass.answer, CompassReading(self.heading))

    def ends(self, go: Go, how: str) -> None:
        """A goal ends."""
        self.hear(self.model.went, GoalEnded(go.number, how))


def squared(**given: Any) -> Play:
    """It has turned with its carrier."""
    play = Play(**given)
    play.ends(play.goal(), "arrived")
    return play


def side(go: Go) -> int:
    """The side of a way from +x, in quarters."""
    (direction,) = go.directions
    quarters = direction / (pi / 2.0)
    assert quarters == pytest.approx(round(quarters))
    return round(quarters) % 4


def test_it_turns_by_the_mean_of_some_readings_so_that_a_side_of_the_tray_is_ahead() -> None:
    play, asked = Play(), 0
    for number in range(READINGS):
        asked += sum(name == "compass_ask" for name, _ in play.said)
        play.hear(play.model.compass.answer, CompassReading(pi + (0.1 if number % 2 else 0.3)))
    assert asked == READINGS
    turn = play.goal()
    assert turn.directions == ()
    assert remainder(pi + 0.2 + turn.turn, pi / 2.0) == pytest.approx(0.0, abs=1e-9)


def test_ahead_as_long_as_that_is_free() -> None:
    play = squared()
    for _ in range(3):
        go = play.goal()
        assert side(go) == AHEAD
        assert go.stay
        play.ends(go, "arrived")


def test_barred_ways_are_left_in_order_and_the_side_is_kept_until_it_is_barred_from_further_back_too() -> None:
    play, tried = squared(), []
    for how in ["warned", "warned", "arrived", "warned", "warned", "warned", "arrived", "arrived"]:
        go = play.goal()
        tried.append(side(go))
        play.ends(go, how)
    # ahead, slowly ahead, aside; ahead again, slowly, aside is barred: back, and then aside, before ahead again
    assert tried == [AHEAD, AHEAD, RIGHT, AHEAD, AHEAD, RIGHT, BACK, RIGHT]
    assert side(play.goal()) == AHEAD
    tried = []
    for how in ["warned", "warned", "warned", "arrived", "warned", "warned", "arrived"]:
        go = play.goal()
        tried.append(side(go))
        play.ends(go, how)
    assert tried == [AHEAD, AHEAD, RIGHT, BACK, RIGHT, RIGHT, LEFT]
    tried = []
    for how in ["warned", "warned", "arrived"]:
        go = play.goal()
        tried.append(side(go))
        play.ends(go, how)
    assert tried == [AHEAD, AHEAD, LEFT]  # it stays with the other side


def test_where_every_way_is_barred_chance_decides_as_published() -> None:
    play = squared()
    for _ in range(6):
        go = play.goal()
        assert len(go.directions) == 1
        play.ends(go, "warned")
    go = play.goal()
    assert len(go.directions) == play.model.rules.draws
    assert go.anywhere
    assert not go.stay


def test_in_the_drop_zone_it_goes_to_the_end_and_up_to_the_next_one_and_puts_it_down_there() -> None:
    play = squared()
    play.goal()
    play.hear(play.model.zone.answer, ZoneReading("drop"))
    assert not any(name == "lifter_ask" for name, _ in play.said)
    tried = []
    for how in ["warned", "arrived", "warned", "warned"]:
        go = play.goal()
        tried.append(side(go))
        play.ends(go, how)
    assert tried == [AHEAD, BACK, LEFT, LEFT]
    stop = play.goal()
    assert stop.directions == ()
    play.ends(stop, "arrived")
    assert ("lifter_ask", MoveLifter(False)) in play.said
    assert not any(isinstance(value, Loaded) for _, value in play.said)  # before it is lowered it is loaded


@pytest.mark.parametrize(("places", "ways"), [("row", [[pi], [pi]]), ("published", [[pi, 0.0], [0.0, pi]])])
def test_it_leaves_a_carrier_to_the_front_and_never_a_row_to_the_wall_behind(
    places: str, ways: list[list[float]]
) -> None:
    play = Play(rules=CarryRules(places=places))
    model, heading = play.model, 0.4
    play.hear(model.compass.answer, CompassReading(heading))
    model.estimate = Glimpse(4, 7, 0.0, 0.0, -heading)  # a side of the tray is towards +x
    model.raised()
    model.take_load()
    model.drop_load()
    for expected in ways:
        go = model.way_to_search()
        assert [abs(remainder(heading + each, 2.0 * pi)) for each in go.directions] == pytest.approx(expected)
        assert (go.narrow, go.under, go.middle) == (True, 7, 0.0)
        assert go.stay is go.alone is (places == "row")
        model.write("went", GoalEnded(go.number, "warned"))
    go = model.way_to_search()
    model.write("went", GoalEnded(go.number, "arrived"))
    model.write("zone", "search")
    assert len(model.way_to_search().directions) == model.rules.draws


@pytest.mark.parametrize(("number", "after"), [(1, 0.0), (3, 2.0)])
def test_robots_set_out_one_after_the_other(number: int, after: float) -> None:
    model = CarrierTree("carry", number, Stream(1, number, "carry"))
    model.initialize()
    time, asked = 0.0, False
    while not asked:
        time += model.ta()
        model.lambdaf()
        asked = bool(model.compass.ask)
        model.deltint()
    assert time == pytest.approx(after)
