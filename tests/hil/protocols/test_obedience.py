"""A JSON robot that does what it was never told is commanded by somebody else."""

from __future__ import annotations

from functools import partial
from typing import Literal

import pytest

from devs_robotics import Drive, Driven, Fault
from devs_robotics.hil.protocols.obedience import Obedience
from devs_robotics.hil.robot_protocol import LATE_ANSWER, Moved, Ranges, State
from devs_robotics.hil.testing.driver_bench import LOOK
from tests.hil.protocols.json_peer import JsonPeer
from tests.hil.protocols.test_json_robot import ADDRESS, exactly, motions, table

FORGED = [2, 3, 77, 2**52, 2**53]


@pytest.mark.parametrize("number", FORGED)
@pytest.mark.parametrize("at", [1.55, 1.9, 5.0])
def test_a_move_that_somebody_else_gives_is_a_fault(number: int, at: float) -> None:
    """At rest, and in the middle of a move; 2 is the number of a question."""
    on = table((1.0, Drive(0.0, 0.2)), (1.5, LOOK))
    robot = JsonPeer(on)
    on.at(at, lambda: robot.obey(number, turn=0.1, distance=0.4))
    on.run()
    assert on.times(Fault) == [pytest.approx(at, abs=0.11)]
    assert "somebody else commands it; end the other program, let nobody else publish to its topic" in on.fault
    assert f"robot 7 at {ADDRESS}" in on.fault
    assert robot.gone < 0.2 + 0.1 * 0.11
    assert robot._move is None


def test_a_move_that_was_over_between_two_heartbeats_and_was_never_given_is_a_fault() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    on.at(3.02, lambda: robot.obey(9, distance=0.004))
    on.run()
    assert "has made a move 9 that it was never told: somebody else commands it" in on.fault
    assert len(on.told(Driven)) == 1


def test_a_robot_that_was_given_a_move_before_the_run_is_stopped_and_used() -> None:
    on = table((1.0, Drive(0.0, 0.1)), (4.0, Drive(0.1, 0.0)))
    robot = JsonPeer(on)
    robot.delay = 0.3  # so that it is heard of while it is still at it
    robot.obey(41, distance=5.0)
    on.run()
    assert not on.told(Fault)
    assert robot.begun == [41, 42, 43]
    assert motions(on) == [exactly(0.0, 0.1), exactly(0.1, 0.0)]


def test_a_robot_that_restarts_and_was_given_a_move_meanwhile_is_stopped_and_used() -> None:
    on = table((1.0, Drive(0.0, 0.1)), (6.0, Drive(0.1, 0.0)))
    robot = JsonPeer(on)
    on.at(3.0, robot.die)

    def come_back() -> None:
        other = JsonPeer(on, session="s2")
        other._last = 500

    on.at(4.0, come_back)
    on.run()
    assert not on.told(Fault)
    assert len(motions(on)) == 2


def test_a_move_that_it_was_given_before_it_restarted_is_somebody_elses_afterwards() -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    on.at(3.0, robot.die)
    on.at(4.0, lambda: on.at(5.0, partial(JsonPeer(on, session="s2").obey, 1, distance=0.4)))
    on.run()
    assert on.times(Fault) == [pytest.approx(5.0, abs=0.11)]
    assert "speaks of a move 1 that it was never told" in on.fault


def test_a_robot_that_has_restarted_reckons_from_where_it_is() -> None:
    on = table((4.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    robot.pose.update(x=1.0, heading=2.0)
    on.at(3.0, partial(robot.die, leaves_a_will=False))
    on.at(3.05, lambda: JsonPeer(on, session="s2"))
    on.run()
    assert not on.told(Fault)
    assert motions(on) == [exactly(0.0, 0.1)]


@pytest.mark.parametrize(
    ("changes", "strays"),
    [
        ({"x": 0.04}, True),
        ({"y": -0.04}, True),
        ({"heading": 0.3}, True),
        ({"heading": -6.0}, True),
        ({"x": 0.02, "y": -0.02, "heading": 0.15}, False),
        ({"heading": 6.2}, False),
    ],
)
def test_a_robot_that_moves_while_it_is_at_no_move_is_a_fault(changes: dict[str, float], strays: bool) -> None:
    on = table((1.0, Drive(0.0, 0.1)))
    robot = JsonPeer(on)
    on.at(6.05, lambda: robot.pose.update(changes))
    on.run(until=10.0)
    if strays:
        assert on.times(Fault) == [pytest.approx(6.1, abs=0.06)]
        assert "by its own reckoning, though it makes no move: somebody else commands it" in on.fault
    else:
        assert not on.told(Fault)


def test_a_robot_may_drift_slowly_roll_on_and_move_when_it_is_told() -> None:
    on = table((1.0, Drive(0.0, 0.1)), (8.0, Drive(0.0, 0.3)))
    robot = JsonPeer(on)
    for tenth in range(200):  # nine degrees per second, and two centimetres and a half
        on.at(0.1 * tenth, partial(robot.pose.update, heading=0.015 * tenth, y=0.0025 * tenth))
    for at, x in ((1.5, 0.05), (2.05, 0.1), (2.3, 0.15), (9.0, 0.2), (11.05, 0.4)):
        on.at(at, partial(robot.pose.update, x=x))
    on.run()
    assert not on.told(Fault)


def test_answers_to_questions_that_somebody_else_asks_are_a_fault_when_there_are_many() -> None:
    on = table((1.0, LOOK))
    robot = JsonPeer(on)
    for number, at in ((2, 3.0), (1, 3.1), (900, 4.0), (901, 5.0)):
        on.at(at, partial(robot.say, "ranges", id=number, values=[0.1], touching=False))
    on.run()
    assert on.times(Fault) == [5.0]
    assert "answers questions that it was never asked: somebody else commands it" in on.fault
    assert on.driver.dropped == {"an answer to no question": 2, LATE_ANSWER: 1}


def test_moves_that_are_never_heard_do_not_make_it_forget_the_last_one_that_was() -> None:
    said = State(7, "s1", count=1, moving=0, last=3, x=0.0, y=0.0, heading=0.0)
    obedience = Obedience()
    assert obedience.state(said, 0.0) == ""
    for number in range(4, 4 + 15):
        obedience.told(number)
        assert obedience.state(said, 0.1 * number) == ""


def at(x: float = 0.0, heading: float = 0.0, last: int = 0) -> State:
    """What a robot says that stands there."""
    return State(7, "s1", count=1, moving=0, last=last, x=x, y=0.0, heading=heading)


def test_a_robot_that_was_told_nothing_yet_may_not_move() -> None:
    on = table()
    robot = JsonPeer(on)
    on.at(2.65, partial(robot.pose.update, x=0.04))
    on.run()
    assert on.times(Fault) == [pytest.approx(2.7, abs=0.06)]


def test_a_robot_may_drift_so_far_within_so_long_a_time_and_no_further() -> None:
    """Times are exact in binary."""
    for time, place, strays in (
        (0.25, at(0.03), False),
        (0.25, at(heading=0.2), False),
        (0.25, at(0.0301), True),
        (0.25, at(heading=-0.201), True),
        (0.25, at(heading=0.64), True),
        (0.25, at(heading=6.2), False),
        (1.0, at(0.04), True),
        (1.25, at(0.04), False),
    ):
        obedience = Obedience()
        assert obedience.state(at(), 0.0) == ""
        assert ("by its own reckoning" in obedience.state(place, time)) == strays


def test_a_robot_may_roll_on_for_so_long_after_a_move() -> None:
    """Times are exact in binary."""
    obedience = Obedience()
    obedience.told(1)
    for time, x in ((0.0, 0.0), (1.0, 0.5), (1.25, 0.6), (1.5, 0.7)):
        assert obedience.state(at(x, last=1 if x else 0), time) == ""
    assert obedience.state(at(0.8, last=1), 1.75).startswith("has moved 10.0 cm and 0.00 rad by its own reckoning")


def test_only_answers_to_what_was_not_asked_yet_are_held_against_it() -> None:
    obedience = Obedience()
    answers = [obedience.answer(Ranges(7, "s1", number, (), False), 5) for number in (0, 5, 5, 5, 6, 9, 7)]
    assert [bool(complaint) for complaint in answers] == [False] * 6 + [True]


def ended(number: int, how: Literal["done", "replaced"]) -> Moved:
    return Moved(7, "s1", id=number, turn=0.0, distance=0.0, ended=how)


def test_an_end_is_held_against_it_if_the_move_was_not_given_or_another_one_took_its_place() -> None:
    """Ends of moves that were given before it was met are none of this run's; a heartbeat tells of smaller numbers."""
    obedience = Obedience()
    assert obedience.moved(ended(9, "replaced"), 5) == ""
    assert obedience.state(at(last=2), 0.0) == ""
    obedience.told(5)
    ends: list[tuple[int, Literal["done", "replaced"], str]] = [
        (5, "done", ""),
        (4, "done", ""),
        (4, "replaced", ""),
        (6, "done", "has made a move 6 that it was never told"),
        (5, "replaced", "has given move 5 up for another one that it was not told"),
        (2, "replaced", "has given move 2 up for another one that it was not told"),
    ]
    for number, how, complaint in ends:
        assert obedience.moved(ended(number, how), 5) == complaint


def test_sixteen_moves_are_known_and_one_that_is_told_again_is_one() -> None:
    obedience = Obedience()
    assert obedience.state(at(last=1), 0.0) == ""
    for _ in range(20):
        obedience.told(2)
    for number in range(3, 3 + 14):
        obedience.told(number)
    assert obedience.state(at(last=2), 1.0) == ""
    obedience.told(17)
    assert obedience.state(at(last=2), 2.0) == ""
    obedience.told(18)
    assert obedience.state(at(last=2), 3.0) == "speaks of a move 2 that it was never told"


def test_what_it_was_told_before_it_restarted_is_forgotten() -> None:
    obedience = Obedience()
    assert obedience.state(at(last=1), 0.0) == ""
    obedience.told(2)
    obedience.new_session()
    assert obedience.moved(ended(9, "done"), 5) == ""
    assert obedience.state(at(1.0, last=7), 0.25) == ""
    assert obedience.state(at(1.0, last=2), 0.5) == "speaks of a move 2 that it was never told"
