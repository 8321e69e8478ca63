"""How often a driver tries, what is forgotten between two moves or links, and what is at a bound."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import msgspec
import pytest

from devs_robotics import Drive, Driven, Fault, Ranges
from devs_robotics.hil.protocols import Output
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, SETTINGS, DriverBench
from devs_robotics.models.activities import VirtualInfrared
from devs_robotics.models.environment import Distances
from tests.approximately import near
from tests.hil.drivers.test_driver import Words, driver_of, table, words
from tests.models.play import tell


def say(on: DriverBench, *lines: tuple[float, str]) -> None:
    for at, line in lines:
        on.say(line.encode(), at=at)


def count(on: DriverBench, word: str) -> int:
    return sum(said == word for _, said in words(on))


def test_each_cut_off_may_be_told_three_times() -> None:
    """In one run there may be any number of them."""
    on = table(*((1.0 + 3.0 * number, Drive(0.0, 1.0)) for number in range(6)))
    for number in range(1, 6):  # the second time each is heard
        say(on, (1.0 + 3.0 * number + 0.7, f"halted {number} 0 0.1"))
    on.run(until=17.0)
    assert on.told(Driven) == [Driven(0.0, 0.1)] * 5
    assert [count(on, f"halt {number}") for number in range(1, 6)] == [2] * 5


def test_a_robot_that_is_to_stop_is_not_reminded_while_its_link_is_lost() -> None:
    on = table((1.0, Drive(0.0, 1.0)), (2.0, Drive(0.3, 0.0)))
    on.cut(2.2, mended=6.0)
    say(on, (7.3, "halted 1 0 0.2"), (8.0, "done 2 0.3 0"))
    assert on.run() == [(7.3, Driven(0.0, 0.2)), (8.0, Driven(0.3, 0.0))]
    assert [time for time, word in words(on) if word == "halt 1"] == [2.0, 6.0, 6.5, 7.0]


class Feeler(Words):
    """Its whiskers have to be asked."""

    def feel(self) -> Iterable[Output]:
        return [b"feel"]


@pytest.mark.parametrize(("asks", "word", "answer"), [(LOOK, "look", "seen 0.1"), (FEEL, "feel", "felt 1")])
def test_a_question_is_not_repeated_while_the_link_is_lost_and_asked_anew_afterwards(
    asks: str, word: str, answer: str
) -> None:
    settings = msgspec.structs.replace(SETTINGS, link_within=9.0)
    on = DriverBench(driver_of(Feeler, settings), (1.9, asks), (1.95, asks))
    on.cut(2.0, mended=8.0)
    say(on, (9.2, answer))
    on.run()
    assert [time for time, said in words(on) if said == word] == [1.9, 8.0, 8.5, 9.0]
    assert [time for time, _ in on.user.told] == [9.2, 9.2]
    assert not on.told(Fault)


def test_a_deadline_does_not_come_while_the_link_is_lost_and_begins_anew_with_the_rest() -> None:
    on = table((1.0, Drive(0.0, 0.2)))  # until 5 s
    on.cut(1.5, mended=6.0)
    say(on, (6.1, "halted 1 0 0.1"), (8.5, "done 2 0 0.1"))  # the rest until 8.6 s
    assert on.run() == [(8.5, Driven(0.0, 0.2))]
    assert count(on, "halt 1") == 1


def test_the_deadline_of_a_move_that_is_over_does_not_stop_the_next_one() -> None:
    on = table((1.0, Drive(0.0, 0.2)), (4.0, Drive(0.0, 0.4)))
    say(on, (3.0, "done 1 0 0.2"), (8.0, "done 2 0 0.4"))
    assert on.run() == [(3.0, Driven(0.0, 0.2)), (8.0, Driven(0.0, 0.4))]
    assert count(on, "halt 1") == count(on, "halt 2") == 0


def test_getting_nowhere_is_counted_without_a_break_and_for_each_move() -> None:
    on = table((1.0, Drive(0.0, 0.2)), (3.0, Drive(0.0, 0.1)))
    parts = [(1.1, 1, 0.0), (1.2, 2, 0.0), (1.3, 3, 0.05), (1.4, 4, 0.0), (1.5, 5, 0.0)]
    say(on, *((at, f"halted {number} 0 {way}") for at, number, way in parts), (2.0, "done 6 0 0.15"))
    say(on, (3.1, "halted 7 0 0"), (3.2, "halted 8 0 0"), (3.3, "done 9 0 0.1"))
    assert on.run() == [(2.0, Driven(0.0, near(0.2))), (3.3, Driven(0.0, 0.1))]


def test_a_robot_that_got_nowhere_three_times_may_still_obey_the_next_move() -> None:
    on = table((1.0, Drive(0.0, 0.2)), (1.25, Drive(0.5, 0.0)))
    say(on, (1.1, "halted 1 0 0"), (1.2, "halted 2 0 0"), (1.3, "halted 3 0 0"), (2.0, "done 4 0.5 0"))
    assert on.run() == [(1.3, Driven(0.0, 0.0)), (2.0, Driven(0.5, 0.0))]


@pytest.mark.parametrize(("turn", "way"), [(0.001, 0.0), (0.0, 0.001), (-0.001, 0.0), (0.0, -0.001)])
def test_a_little_is_further_than_nowhere(turn: float, way: float) -> None:
    on = table((1.0, Drive(0.5 if turn >= 0.0 else -0.5, 0.2 if way >= 0.0 else -0.2)))
    say(on, *((1.0 + 0.1 * number, f"halted {number} {turn} {way}") for number in range(1, 6)))
    on.run(until=1.9)
    assert not on.told(Fault)
    assert count(on, "stop") == 2  # first and last


def test_what_is_left_of_a_move_and_is_not_worth_it_is_left() -> None:
    on = table((1.0, Drive(0.5, 0.2)), (4.0, Drive(-0.5, -0.2)))
    say(on, (2.0, "halted 1 0.4991 0.1991"), (5.0, "halted 2 -0.49 -0.1989"))
    on.run(until=5.5)
    assert on.told(Driven) == [Driven(0.4991, 0.1991)]
    assert words(on)[-2][1] == "go 3 -0.01 -0.0011"


def test_a_move_that_runs_out_of_time_three_times_ends_the_run_though_it_comes_nearer() -> None:
    on = table((1.0, Drive(0.0, 1.0)))
    say(on, (17.0, "halted 1 0 0.4"), (28.0, "halted 2 0 0.3"))  # until 17, 27 and 33.5 s
    on.run(until=60.0)
    assert on.times(Fault) == [33.5]
    assert "robot:1 ran out of time 3 times in one move: check its wheels, its battery and its link" in on.fault
    assert words(on)[-2:] == [(33.5, "stop"), (60.0, "stop")]


def test_running_out_of_time_is_counted_for_each_move() -> None:
    on = table((1.0, Drive(0.0, 0.2)), (8.0, Drive(0.0, 0.2)))
    for number, begin in ((0, 1.0), (3, 8.0)):
        say(on, (begin + 4.1, f"halted {number + 1} 0 0.1"), (begin + 6.7, f"halted {number + 2} 0 0.09"))
        say(on, (begin + 6.8, f"done {number + 3} 0 0.01"))
    on.run()
    assert [driven.distance for driven in on.told(Driven)] == [pytest.approx(0.2)] * 2


def test_a_robot_may_count_half_as_much_again_and_a_little_more() -> None:
    for counted, believed in ((0.5, True), (0.51, False), (-0.5, True), (-0.51, False)):
        for drive, line in ((Drive(0.0, 0.2), f"done 1 0 {counted}"), (Drive(0.2, 0.0), f"done 1 {counted} 0")):
            on = table((1.0, drive))
            say(on, (2.0, line))
            on.run(until=3.0)
            assert bool(on.told(Driven)) == believed
            assert bool(on.driver.dropped.get("more motion than it was told to make")) != believed


@pytest.mark.parametrize("resolution", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("reading", [0.0, 0.024, 0.3, 0.5999, 0.6])
def test_up_to_its_reach_a_real_sensor_says_what_a_virtual_one_does(resolution: float, reading: float) -> None:
    virtual = VirtualInfrared("infrared", 7, (0.0,), 0.6, resolution)
    ((_, expected),) = tell(virtual, (virtual.world.answer, Distances(7, (reading,))))
    on = table((1.0, LOOK), settings=msgspec.structs.replace(SETTINGS, resolution=resolution))
    say(on, (1.1, f"seen {reading}"))
    assert on.run(until=2.0) == [(1.1, expected)]


@pytest.mark.parametrize(
    ("resolution", "reading", "seen"),
    [(0.0, 0.6001, inf), (0.01, 0.604, 0.6), (0.01, 0.606, inf), (0.05, 0.62, 0.6), (0.05, 0.63, inf)],
)
def test_a_sensor_that_rounds_by_itself_may_say_half_a_step_more(
    resolution: float, reading: float, seen: float
) -> None:
    on = table((1.0, LOOK), settings=msgspec.structs.replace(SETTINGS, resolution=resolution))
    say(on, (1.1, f"seen {reading}"))
    assert on.run(until=2.0) == [(1.1, Ranges((near(seen),)))]


def test_getting_nowhere_is_forgotten_when_a_move_was_blocked() -> None:
    on = table((1.0, Drive(0.0, 0.2)), (3.0, Drive(0.0, 0.1)))
    say(on, (1.1, "halted 1 0 0"), (1.2, "halted 2 0 0"), (1.3, "hit 3 0 0"))
    say(on, (3.1, "halted 4 0 0"), (3.2, "halted 5 0 0"), (3.3, "done 6 0 0.1"))
    assert on.run() == [(1.3, Driven(0.0, 0.0, blocked=True)), (3.3, Driven(0.0, 0.1))]


def test_a_reading_that_is_rounded_beyond_a_reach_of_no_whole_steps_is_seen() -> None:
    on = table((1.0, LOOK), (2.0, LOOK), settings=msgspec.structs.replace(SETTINGS, reach=0.33, resolution=0.02))
    say(on, (1.1, "seen 0.3301"), (2.1, "seen 0.3501"))
    assert on.run(until=3.0) == [(1.1, Ranges((near(0.34),))), (2.1, Ranges((inf,)))]
