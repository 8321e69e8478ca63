"""What every driver does, by one of a robot that could hardly be simpler."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable
from math import inf

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Drive, Driven, Fault, Link, Packet, Ranges, Simulator, Touch
from devs_robotics.hil.drivers import Driver, DriverSettings
from devs_robotics.hil.protocols import Blocked, Dropped, Felt, Moved, Output, Protocol, Ranged, Stopped
from devs_robotics.hil.testing.driver_bench import (
    FEEL,
    LOOK,
    SETTINGS,
    DriverBench,
    DriverWithUser,
    Message,
    User,
    Wish,
)


class Words(Protocol):
    """Speaks in words: ``go 1 turn way``; the robot answers ``done``, ``hit`` or ``halted`` with 1, turn and way."""

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self.number = 0

    def stop_message(self) -> Iterable[bytes]:
        return [b"stop"]

    def begin(self, drive: Drive) -> Iterable[Output]:
        self.number += 1
        return [f"go {self.number} {drive.turn:g} {drive.distance:g}".encode()]

    def halt(self) -> Iterable[Output]:
        return [f"halt {self.number}".encode()]

    def feed(self, data: bytes) -> Iterable[Output]:
        word, *numbers = data.decode(errors="replace").split()
        try:
            values = [float(number) for number in numbers]
        except ValueError:
            return [Dropped("no word")]
        match word, values:
            case "done", [self.number, turn, way]:
                return [Moved(turn, way)]
            case "hit", [self.number, turn, way]:
                return [Blocked(turn, way)]
            case "halted", [self.number, turn, way]:
                return [Stopped(turn, way)]
            case "seen", _:
                return [Ranged(tuple(values))]
            case "felt", [touching]:
                return [Felt(touching > 0.0)]
            case _:
                return [Dropped("no word")]

    def sense(self) -> Iterable[Output]:
        return [b"look"]


def driver_of(kind: type[Protocol], settings: DriverSettings = SETTINGS, address: str = "tcp://robot:1") -> Driver:
    return Driver("driver", address, kind(7, settings))


def table(*wishes: tuple[float, Wish], settings: DriverSettings = SETTINGS) -> DriverBench:
    return DriverBench(driver_of(Words, settings, "tcp://user:secret@robot:1"), *wishes)


def words(on: DriverBench) -> list[tuple[float, str]]:
    return [(time, data.decode()) for time, data in on.sent]


def test_a_drive_is_answered_by_what_the_robot_counted() -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    on.say(b"done 1 0.49 0.21", at=3.0)
    assert on.run() == [(3.0, Driven(0.49, 0.21))]
    assert words(on)[:2] == [(0.0, "stop"), (1.0, "go 1 0.5 0.2")]


def test_a_robot_that_is_blocked_says_so() -> None:
    on = table((1.0, Drive(0.0, 0.2)))
    on.say(b"hit 1 0 0.1", at=2.0)
    assert on.run() == [(2.0, Driven(0.0, 0.1, blocked=True))]


def test_a_drive_of_nothing_is_done_at_once() -> None:
    assert table((1.0, Drive())).run() == [(1.0, Driven(0.0, 0.0))]


def test_a_new_drive_cuts_off_the_one_under_way_after_its_motion_was_reported() -> None:
    on = table((1.0, Drive(0.0, 1.0)), (2.0, Drive(0.3, 0.0)))
    on.say(b"halted 1 0 0.1", at=2.1)
    on.say(b"done 2 0.3 0", at=2.5)
    assert on.run() == [(2.1, Driven(0.0, 0.1)), (2.5, Driven(0.3, 0.0))]
    assert words(on)[1:4] == [(1.0, "go 1 0 1"), (2.0, "halt 1"), (2.1, "go 2 0.3 0")]


def test_a_drive_that_is_cut_off_before_it_began_has_moved_nothing() -> None:
    on = table((1.0, Drive(0.0, 1.0)), (2.0, Drive(0.3, 0.0)), (2.05, Drive(0.0, -0.1)))
    on.say(b"halted 1 0 0.1", at=2.1)
    on.say(b"done 2 0 -0.1", at=3.0)
    assert on.run() == [(2.1, Driven(0.0, 0.1)), (2.1, Driven(0.0, 0.0)), (3.0, Driven(0.0, -0.1))]


def test_standing_still_ends_a_move() -> None:
    on = table((1.0, Drive(0.0, 1.0)), (2.0, Drive()))
    on.say(b"halted 1 0 0.1", at=2.1)
    assert on.run() == [(2.1, Driven(0.0, 0.1)), (2.1, Driven(0.0, 0.0))]


def test_a_robot_that_gives_up_is_told_what_is_left() -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    on.say(b"halted 1 0.5 0.05", at=2.0)
    on.say(b"done 2 0 0.15", at=3.0)
    assert on.run() == [(3.0, Driven(0.5, 0.2))]
    assert (2.0, "go 2 0 0.15") in words(on)


def test_a_robot_that_went_too_far_does_not_go_back() -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    on.say(b"halted 1 0.6 0.3", at=2.0)
    assert on.run() == [(2.0, Driven(0.6, 0.3))]


def test_a_robot_that_gets_nowhere_is_a_fault() -> None:
    on = table((1.0, Drive(0.5, 0.2)))
    for number, at in enumerate((1.1, 1.2, 1.3), 1):
        on.say(b"halted %d 0 0" % number, at=at)
    on.run()
    assert on.times(Fault) == [1.3]
    assert on.fault == (
        "robot 7 at tcp://user:***@robot:1 began a move 3 times and got nowhere: "
        "check its wheels, its battery and its link"
    )


def test_after_its_deadline_a_move_is_stopped_and_goes_on_if_the_robot_says_how_far_it_got() -> None:
    on = table((1.0, Drive(0.0, 0.2)))  # takes 2 s, with the margin 4 s
    on.say(b"halted 1 0 0.15", at=5.2)
    on.say(b"done 2 0 0.05", at=5.5)
    assert on.run() == [(5.5, Driven(0.0, 0.2))]
    assert words(on)[1:4] == [(1.0, "go 1 0 0.2"), (5.0, "halt 1"), (5.2, "go 2 0 0.05")]


def test_a_robot_that_does_not_say_how_far_it_got_is_a_fault() -> None:
    on = table((1.0, Drive(0.0, 0.2)))
    on.run()
    assert [time for time, word in words(on) if word == "halt 1"] == [5.0, 5.5, 6.0]
    assert on.times(Fault) == [6.5]
    assert "was told to stop 3 times and does not say how far it got" in on.fault


def test_a_question_is_answered_once_however_often_it_had_to_be_asked() -> None:
    on = table((1.0, LOOK))
    on.say(b"seen 0.123", at=1.7)
    on.say(b"seen 0.3", at=1.8)
    assert on.run() == [(1.7, Ranges((0.12,)))]
    assert [word for word in words(on) if word[1] == "look"] == [(1.0, "look"), (1.5, "look")]
    assert on.driver.dropped == {"ranges that nobody asked for": 1}


def test_each_question_has_an_answer_that_came_after_it() -> None:
    on = table((1.0, LOOK), (1.1, LOOK), (1.15, LOOK))
    on.say(b"seen 0.1", at=1.2)
    on.say(b"seen 0.2", at=1.3)
    assert on.run() == [(1.2, Ranges((0.1,))), (1.3, Ranges((0.2,))), (1.3, Ranges((0.2,)))]


def test_a_robot_with_other_beams_than_the_scenario_has_is_a_fault_that_says_so() -> None:
    on = table((1.0, LOOK))
    on.say(b"seen 0.1 0.2", at=1.2)
    on.run()
    assert on.times(Fault) == [2.5]
    assert on.driver.dropped == {"ranges of other than 1 beams": 1}
    assert (
        "tells ranges of 2 beams, and the scenario and its certificate are for 1: use a robot with 1, or let its "
        "infrared be virtual, or have the case study's robots see along 2 and certify it again" in on.fault
    )


def test_ranges_are_limited_and_rounded_as_those_of_virtual_sensors() -> None:
    on = table((1.0, LOOK), (2.0, LOOK), settings=msgspec.structs.replace(SETTINGS, beams=(0.5, 0.0, -0.5)))
    on.say(b"seen 0.124 0.601 0.61", at=1.1)
    on.say(b"seen nan 0.1 0.1", at=2.1)
    on.say(b"seen -1 0.1 0.1", at=2.2)
    on.say(b"seen inf 0.126 0", at=2.3)
    on.run()
    assert on.told(Ranges) == [Ranges((0.12, 0.6, inf)), Ranges((inf, 0.13, 0.0))]
    assert on.driver.dropped == {"ranges that are no distances": 2}


def test_whiskers_are_told_when_they_change_and_when_asked() -> None:
    on = table((1.0, FEEL), (4.0, FEEL))
    for at, word in ((2.0, b"felt 1"), (2.5, b"felt 1"), (3.0, b"felt 0"), (3.5, b"felt 1")):
        on.say(word, at=at)
    expected = [(1.0, False), (2.0, True), (3.0, False), (3.5, True), (4.0, True)]
    assert on.run() == [(time, Touch(touching)) for time, touching in expected]


def test_what_is_wanted_before_there_is_a_link_is_done_when_there_is_one() -> None:
    on = table((1.0, Drive(0.0, 0.1)), (1.5, LOOK))
    on.cut(0.5, mended=3.0)
    on.say(b"seen 0.1", at=3.1)
    on.say(b"done 1 0 0.1", at=3.2)
    assert on.run() == [(3.1, Ranges((0.1,))), (3.2, Driven(0.0, 0.1))]


def test_after_a_lost_link_the_robot_is_stopped_first_and_goes_on_then() -> None:
    on = table((1.0, Drive(0.0, 0.75)), (2.0, LOOK))
    on.cut(2.0, mended=4.0)
    on.say(b"halted 1 0 0.5", at=4.1)
    on.say(b"seen 0.1", at=4.2)
    on.say(b"done 2 0 0.25", at=5.0)
    assert on.run() == [(4.2, Ranges((0.1,))), (5.0, Driven(0.0, 0.75))]
    assert [word for time, word in words(on) if 4.0 <= time < 5.0] == ["halt 1", "look", "go 2 0 0.25"]


def test_while_the_link_is_down_a_move_has_no_deadline() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    on.cut(1.5, mended=6.0)
    on.say(b"halted 1 0 0.1", at=6.4)
    assert on.run() == [(6.4, Driven(0.0, 0.1))]


def test_a_link_that_stays_lost_is_a_fault_with_its_reason() -> None:
    on = table((1.0, Drive(0.0, 0.3)))
    on.cut(2.0)
    on.run()
    assert on.times(Fault) == [7.0]
    assert on.fault == (
        "robot 7 at tcp://user:***@robot:1 was lost and did not come back within 5 s (the link was cut): "
        "check that it is switched on, and its address"
    )


def test_a_link_that_never_comes_up_is_a_fault() -> None:
    on = table((1.0, Drive(0.0, 0.3)))
    on.robot.peer = None
    on.near.peer = None
    on.run()
    assert on.times(Fault) == [5.0]
    assert "was not found within 5 s (its link never came up): check" in on.fault


def test_a_robot_with_a_fault_is_stopped_and_left_alone() -> None:
    on = table((1.0, LOOK), (3.0, Drive(0.0, 0.1)), (3.0, LOOK), (3.0, FEEL))
    on.say(b"felt 1", at=4.0)
    on.run()
    assert words(on)[-2:] == [(2.5, "stop"), (20.0, "stop")]
    assert len(on.user.told) == 1


def test_what_is_late_or_comes_twice_is_counted() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    for at, word in (
        (0.5, b"done 0 0 1"),
        (2.0, b"done 1 0 0.1"),
        (2.1, b"done 1 0 0.1"),
        (2.2, b"?"),
        (2.3, b"done x"),
        (2.4, b"seen 1"),
    ):
        on.say(word, at=at)
    assert on.run() == [(2.0, Driven(0.0, 0.1))]
    assert on.driver.dropped == {
        "the end of a move that was not under way": 2,
        "no word": 2,
        "ranges that nobody asked for": 1,
    }


drives = st.builds(Drive, st.sampled_from([0.0, 0.5, -1.0]), st.sampled_from([0.0, 0.1, -0.3]))
moments = st.floats(0.1, 9.0).map(lambda time: round(time, 3))


@given(
    st.lists(st.tuples(moments, drives | st.just(LOOK)), max_size=12), st.lists(moments, max_size=4), st.floats(0, 1)
)
def test_every_drive_and_question_is_answered_once_and_the_motions_add_up(
    wishes: list[tuple[float, Wish]], cuts: list[float], share: float
) -> None:
    """A move takes half a second; the robot that is halted has done a share of it."""
    on = table(*wishes, settings=msgspec.structs.replace(SETTINGS, resolution=0.0))
    going: dict[str, tuple[float, float]] = {}
    over: dict[str, str] = {}
    really = [0.0, 0.0]

    def end(number: str, word: str, part: float) -> None:
        if number in going:
            turn, way = (part * value for value in going.pop(number))
            really[0] += turn
            really[1] += way
            over[number] = f"{word} {number} {turn} {way}"
        on.say(over.get(number, f"halted {number} 0 0").encode())

    def answer(data: bytes) -> None:
        word, *numbers = data.decode().split()
        if word == "go":
            going[numbers[0]] = float(numbers[1]), float(numbers[2])
            on.clock.at(on.clock.now() + 0.5, lambda: end(numbers[0], "done", 1.0))
        elif word == "halt":
            end(numbers[0], "halted", max(share, 0.1))
        elif word == "look":
            on.say(b"seen 0.25")

    on.answer = answer
    for at in cuts:
        on.cut(at, mended=at + 0.4)
    on.run(until=40.0)
    assert not on.told(Fault)
    driven = on.told(Driven)
    assert len(driven) == sum(isinstance(wish, Drive) for _, wish in wishes)
    assert len(on.told(Ranges)) == sum(wish == LOOK for _, wish in wishes)
    assert [sum(d.turn for d in driven), sum(d.distance for d in driven)] == pytest.approx(really, abs=1e-9)


def test_a_copy_of_a_driver_in_mid_move_goes_on_like_it() -> None:
    def rest(driver: Driver) -> list[tuple[float, Message]]:
        user = User([])
        bench = DriverWithUser(driver, user)
        with Simulator(bench) as simulator:
            for at, word in ((0.1, b"halted 1 0.5 0.1"), (0.7, b"done 2 0 0.1")):
                simulator.inject(bench.incoming, Packet(word), at=at)
            simulator.run(until=30.0)
        return user.told

    driver = driver_of(Words)
    before = DriverWithUser(driver, User([(1.0, Drive(0.5, 0.2))]))
    with Simulator(before) as simulator:
        simulator.inject(before.incoming, Link(up=True), at=0.0)
        simulator.run(until=1.5)
    assert driver.now.under_way == Drive(0.5, 0.2)
    before.remove_component(driver)
    copies = [copy.deepcopy(driver), pickle.loads(pickle.dumps(driver))]
    first = rest(driver)
    assert [type(message) for _, message in first] == [Driven]
    assert [rest(other) for other in copies] == [first, first]
