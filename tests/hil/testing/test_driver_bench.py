"""The bench on which drivers are tested: what it says and cuts in time, and what it complains of."""

from __future__ import annotations

import pytest

from devs_robotics import Drive, Driven, Fault, Ranges
from devs_robotics.hil.testing import LOOK, DriverBench
from tests.hil.drivers.test_driver import Words, driver_of


def bench(*wishes: tuple[float, Drive | str]) -> DriverBench:
    return DriverBench(driver_of(Words), *wishes)


def test_what_plays_the_robot_hears_the_driver_and_is_heard() -> None:
    on = bench((1.0, LOOK), (2.0, Drive(0.0, 0.1)))
    on.answer = lambda data: on.say(b"seen 0.25") if data == b"look" else None
    on.say(b"done 1 0 0.1", at=3.0)
    assert on.run(until=4.0) == [(1.0, Ranges((0.25,))), (3.0, Driven(0.0, 0.1))]
    assert (on.told(Driven), on.times(Driven)) == ([Driven(0.0, 0.1)], [3.0])
    assert on.sent == [(0.0, b"stop"), (1.0, b"look"), (2.0, b"go 1 0 0.1"), (4.0, b"stop")]


def test_wishes_may_be_given_in_any_order() -> None:
    on = bench((2.0, Drive()), (1.0, Drive()))
    on.run()
    assert on.times(Driven) == [1.0, 2.0]


def test_a_link_is_cut_and_mended_in_time() -> None:
    on = bench()
    on.cut(1.0, mended=2.0)
    happened = list[float]()
    on.at(1.5, lambda: happened.append(on.clock.now()))
    on.run(until=3.0)
    assert [time for time, _ in on.sent] == [0.0, 2.0, 3.0]
    assert happened == [1.5]


def test_the_reason_of_the_one_fault_is_told_and_none_is_a_complaint() -> None:
    on = bench()
    on.cut(1.0)
    on.run()
    assert "robot 7 at tcp://robot:1 was lost" in on.fault
    on.user.told.append((9.0, Fault(8, "is another one")))
    with pytest.raises(AssertionError, match="not one fault of robot 7, but "):
        _ = on.fault
    whole = bench()
    whole.run()
    with pytest.raises(AssertionError, match=r"not one fault of robot 7, but \[\]"):
        _ = whole.fault
