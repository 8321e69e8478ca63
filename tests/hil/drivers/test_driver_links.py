"""What a driver does when its link comes and goes, or is held; and what it does if its robot type says nothing."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import inf

import msgspec
import pytest

from devs_robotics import Drive, Driven, Fault, HeldLink, Link, LostLink, Packet, Ranges, Touch
from devs_robotics.hil.drivers import Driver, DriverSettings
from devs_robotics.hil.protocols import Forget, Found, Lost, Output, Protocol, Remind, Stopped
from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, SETTINGS, DriverBench
from tests.hil.drivers.test_driver import Words, driver_of, table, words
from tests.hil.drivers.test_driver_patience import Feeler, count, say
from tests.models.play import Said, tell


class Plain(Protocol):
    """Says no more than it must."""

    begin = Words.begin
    feed = Words.feed
    stop_message = Words.stop_message
    number = 0


class Shy(Words):
    """Is not there before it says so; and it can be made to end the run."""

    def connect(self) -> Iterable[Output]:
        return [b"who is there"]

    def feed(self, data: bytes) -> Iterable[Output]:
        if data == b"here":
            return [Found()]
        if data == b"gone":
            return [Lost("it went away")]
        if data.startswith(b"late"):
            return [Stopped(0.0, float(data.split()[1]), late=True)]
        return super().feed(data)


class Ticking(Words):
    """Ticks, and is reminded of things."""

    period = 0.5

    def __init__(self, robot: int, settings: DriverSettings) -> None:
        super().__init__(robot, settings)
        self.ticks: list[float] = []
        self.reminded_of: list[tuple[float, str]] = []

    def tick(self) -> Iterable[Output]:
        self.ticks.append(self.now.time)
        return ()

    def feed(self, data: bytes) -> Iterable[Output]:
        match data.decode().split():
            case ["remind", what, after]:
                yield Remind(what, float(after))
            case ["forget", what]:
                yield Forget(what)

    def reminded(self, what: str) -> Iterable[Output]:
        self.reminded_of.append((self.now.time, what))
        return ()


class Idle(Ticking):
    period = inf


def driver(kind: type[Protocol] = Words, settings: DriverSettings = SETTINGS) -> Driver:
    made = driver_of(kind, settings)
    made.initialize()
    return made


def hear(on: Driver, content: Packet | Link, e: float = 1.0) -> list[Said]:
    return tell(on, (on.incoming, content), e=e)


LATER = "check that it is switched on, and its address, or let the run last for more than 5 s"


@pytest.mark.parametrize(
    ("says", "until", "unfound"),
    [
        (
            [(0.25, b"gone")],
            1.0,
            f"robot 7 at tcp://robot:1 was not found before the run was over (it went away): {LATER}",
        ),
        ([(0.25, b"here")], 1.0, ""),
        ([(0.25, b"here"), (0.5, b"gone")], 1.0, ""),
        ([], 2.0 * SETTINGS.link_within, ""),
    ],
    ids=["never there", "there", "gone again", "given up, which was told already"],
)
def test_a_robot_that_has_not_answered_when_the_run_is_over_is_unfound(
    says: list[tuple[float, bytes]], until: float, unfound: str
) -> None:
    driver = driver_of(Shy)
    on = DriverBench(driver)
    for at, words_ in says:
        on.say(words_, at=at)
    on.run(until)
    assert driver.unfound == unfound


def test_a_new_driver_knows_of_nothing() -> None:
    new = driver()
    now = new.now
    assert (new.linked, now.ready, now.under_way, now.halting, now.touching) == (False, False, None, False, False)
    assert (now.unseen, new.dropped, new.failed) == (0.0, {}, False)


def test_a_robot_type_that_says_no_more_than_it_must_has_sensors_that_see_and_feel_nothing() -> None:
    settings = msgspec.structs.replace(SETTINGS, beams=(0.5, -0.5))
    on = DriverBench(driver_of(Plain, settings), (1.0, LOOK), (2.0, FEEL))
    assert on.run(3.0) == [(1.0, Ranges((inf, inf))), (2.0, Touch(False))]


def test_a_robot_type_that_says_no_more_than_it_must_is_halted_by_its_stop_message() -> None:
    on = DriverBench(driver_of(Plain), (1.0, Drive(0.0, 0.5)), (2.0, Drive(0.2, 0.0)))
    on.run(2.7)
    assert words(on) == [(0.0, "stop"), (1.0, "go 1 0 0.5"), (2.0, "stop"), (2.5, "stop"), (2.7, "stop")]


@pytest.mark.parametrize(("drive", "due"), [(Drive(1.0, 0.0), 5.0), (Drive(-1.0, -0.1), 6.5), (Drive(0.0, 0.2), 5.0)])
def test_a_move_may_take_half_as_long_again_as_it_should_and_a_second(drive: Drive, due: float) -> None:
    on = table((1.0, drive), settings=msgspec.structs.replace(SETTINGS, turn_rate=0.5))
    on.run(due + 0.1)
    assert [time for time, word in words(on) if word == "halt 1"] == [due]


def test_what_comes_without_a_link_is_dropped() -> None:
    on = driver()
    assert hear(on, Packet(b"felt 1")) == []
    hear(on, Link(up=True))
    hear(on, Link(up=False))
    assert hear(on, Packet(b"felt 1")) == []
    assert on.dropped == {"came without a link": 2}
    assert not on.now.touching


def test_word_of_a_link_that_is_up_already_is_no_news() -> None:
    on = driver()
    assert hear(on, Link(up=True)) == [("outgoing", Packet(b"stop"))]
    assert hear(on, Link(up=True)) == []


def test_a_link_that_is_given_up_is_a_fault_with_its_reason() -> None:
    on = driver()
    hear(on, Link(up=True))
    said = hear(on, LostLink(False, "speaks too much: let it speak less"))
    assert said == [
        ("outgoing", Packet(b"stop")),
        ("fault", Fault(7, "robot 7 at tcp://robot:1 speaks too much: let it speak less")),
    ]
    assert on.failed


def test_a_robot_that_answers_once_it_has_been_given_up_is_left_alone() -> None:
    on = driver(Shy)
    hear(on, LostLink(False, "is too much"))
    on.found()
    assert not on.now.ready
    on.now.ready = True
    on.lost("it went away")
    assert on.now.ready
    assert on.reminders.next == inf


@pytest.mark.parametrize(("held", "counted", "believed"), [(2.0, 0.8, True), (2.0, 0.82, False), (0.0, 0.51, False)])
@pytest.mark.parametrize("turns", [True, False])
def test_a_robot_may_have_gone_on_while_its_link_was_held(
    held: float, counted: float, believed: bool, turns: bool
) -> None:
    """At 0.1 m/s, or 0.1 rad/s; half as much again as 0.2 and what it did in that time, and a little more."""
    on = driver(settings=msgspec.structs.replace(SETTINGS, turn_rate=0.1))
    hear(on, Link(up=True))
    tell(on, (on.motor.ask, Drive(0.2, 0.0) if turns else Drive(0.0, 0.2)))
    hear(on, HeldLink(False, "paused", held))
    assert on.now.unseen == held
    hear(on, Link(up=True))
    hear(on, Packet(f"done 1 {counted} 0".encode() if turns else f"done 1 0 {counted}".encode()))
    assert on.dropped == ({} if believed else {"more motion than it was told to make": 1})


def test_times_that_nobody_has_seen_add_up_within_a_move_and_count_for_no_other() -> None:
    on = driver()
    hear(on, Link(up=True))
    tell(on, (on.motor.ask, Drive(0.0, 0.2)))
    for unseen in (0.5, 0.25):
        hear(on, HeldLink(False, "paused", unseen), e=0.25)
        hear(on, Link(up=True), e=0.25)
    assert on.now.unseen == 0.75
    hear(on, Link(up=False), e=0.25)
    hear(on, Link(up=True), e=0.25)
    assert on.now.unseen == 0.75
    hear(on, Packet(b"done 1 0 0.2"), e=0.25)
    tell(on, (on.motor.ask, Drive(0.0, 0.2)))
    assert on.now.unseen == 0.0


def test_while_a_link_is_lost_nothing_is_begun_halted_or_asked() -> None:
    on = table((1.0, Drive(0.0, 1.0)), (3.0, Drive(0.3, 0.0)), (3.0, LOOK), settings=SETTINGS)
    on.cut(2.0, mended=6.5)
    on.run(6.7)
    assert not on.told(Fault)
    assert words(on)[2:-1] == [(6.5, "halt 1"), (6.5, "look")]


def test_a_robot_that_is_told_to_stop_already_is_not_told_by_the_next_drive() -> None:
    on = table((1.0, Drive(0.0, 1.0)), (2.0, Drive(0.3, 0.0)), (2.1, Drive(0.2, 0.0)), (2.2, Drive(0.1, 0.0)))
    say(on, (2.3, "halted 1 0 0.1"))
    on.run(2.4)
    assert [word for _, word in words(on)] == ["stop", "go 1 0 1", "halt 1", "go 2 0.1 0", "stop"]


def test_the_next_move_can_be_cut_off_too() -> None:
    on = table((1.0, Drive(0.0, 1.0)), (2.0, Drive(0.0, 0.5)), (3.0, Drive(0.2, 0.0)))
    say(on, (2.1, "halted 1 0 0.1"))
    on.run(3.2)
    assert (count(on, "halt 1"), count(on, "halt 2")) == (1, 1)


def test_a_move_that_is_being_cut_off_has_no_deadline_any_more() -> None:
    on = table((1.0, Drive(0.0, 0.2)), (4.8, Drive(0.3, 0.0)))  # until 5 s
    say(on, (5.2, "halted 1 0 0.2"))
    on.run(5.25)
    assert [time for time, word in words(on) if word == "halt 1"] == [4.8]


def test_a_robot_that_is_found_and_lost_has_its_time_from_when_it_was_lost() -> None:
    on = DriverBench(driver_of(Shy), (1.0, Drive(0.0, 0.1)))
    say(on, (2.0, "here"), (3.0, "gone"), (5.0, "gone"))
    on.cut(6.0, mended=7.0)
    on.run()
    assert words(on)[:3] == [(0.0, "who is there"), (2.0, "go 1 0 0.1"), (7.0, "who is there")]
    assert on.times(Fault) == [8.0]
    assert "was lost and did not come back within 5 s (there is a link, but the robot does not answer)" in on.fault


def test_the_last_reason_for_which_it_is_lost_is_told() -> None:
    on = DriverBench(driver_of(Shy))
    say(on, (1.0, "gone"))
    on.run()
    assert on.times(Fault) == [5.0]
    assert "was not found within 5 s (it went away): check that it is switched on, and its address" in on.fault


def test_a_move_that_the_robot_gives_up_late_counts_as_one_that_ran_out_of_time() -> None:
    on = DriverBench(driver_of(Shy), (1.0, Drive(0.0, 1.0)))
    say(on, (0.5, "here"), (2.0, "late 0.1"), (3.0, "late 0.1"), (4.0, "late 0.1"))
    on.run(6.0)
    assert on.times(Fault) == [4.0]
    assert "ran out of time 3 times in one move" in on.fault


def test_a_question_after_a_question_is_asked_when_the_first_is_answered() -> None:
    on = DriverBench(driver_of(Feeler), (1.0, FEEL), (1.1, FEEL), (1.15, FEEL), (2.0, LOOK))
    on.at(2.1, partial(on.say, b"seen 0.1"))
    say(on, (1.2, "felt 0"), (1.3, "felt 1"), (1.4, "felt 1"), (1.5, "felt 0"))
    on.run(3.0)
    told = [(time, message) for time, message in on.user.told if isinstance(message, Touch)]
    assert told == [(1.2, Touch(False)), (1.3, Touch(True)), (1.3, Touch(True)), (1.5, Touch(False))]
    assert [time for time, word in words(on) if word in ("feel", "look")] == [1.0, 1.2, 2.0]


def test_an_answer_that_is_awaited_is_not_asked_for_by_the_next_question() -> None:
    on = table((1.0, LOOK), (1.1, LOOK), (1.15, LOOK))
    on.run(1.45)
    assert [time for time, word in words(on) if word == "look"] == [1.0]


def test_while_there_is_a_link_it_ticks() -> None:
    on = DriverBench(driver_of(Ticking))
    on.cut(1.2, mended=2.75)
    on.run(4.0)
    assert isinstance(on.driver.protocol, Ticking)
    assert on.driver.protocol.ticks == [0.0, 0.5, 1.0, 2.75, 3.25, 3.75]


def test_without_a_period_it_never_ticks() -> None:
    on = DriverBench(driver_of(Idle))
    on.run(2.0)
    assert isinstance(on.driver.protocol, Idle)
    assert on.driver.protocol.ticks == []


def test_it_is_reminded_of_what_it_asked_for_at_the_last_time_that_was_asked_for() -> None:
    on = DriverBench(driver_of(Ticking))
    made = on.driver.protocol
    assert isinstance(made, Ticking)
    say(on, (0.5, "remind tick 0.75"))  # a name that the driver itself uses, too
    say(on, (1.0, "remind stop 0.75"), (1.5, "remind stop 1.0"))
    say(on, (2.0, "remind go 1.0"), (2.25, "forget go"), (2.25, "forget nothing"))
    on.run(4.0)
    assert made.ticks == [0.5 * number for number in range(9)]
    assert made.reminded_of == [(1.25, "tick"), (2.5, "stop")]


def test_what_is_counted_none_times_was_not_dropped() -> None:
    on = table((1.0, LOOK))
    on.driver.drop("nothing at all", 0)
    on.driver.drop("bytes", 3)
    on.driver.drop("bytes")
    on.driver.drop("nothing at all", 0)
    on.run()
    assert on.driver.dropped == {"bytes": 4}
    assert "were asked 3 times (what came last was dropped: bytes), 0.5 s apart; check them" in on.fault


def test_a_robot_from_which_nothing_was_dropped_has_no_such_complaint() -> None:
    on = table((1.0, Drive(0.0, 0.2)))
    on.run()
    assert "was told to stop 3 times and does not say how far it got: see that it stands still" in on.fault
    assert on.told(Driven) == []
