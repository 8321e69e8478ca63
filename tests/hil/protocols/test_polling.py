"""Readings that are asked for in turn, or several at once where they take long."""

from __future__ import annotations

from math import inf

from devs_robotics.hil.protocols.polling import Polling

PATIENCE, SPARE = 0.5, 0.25


def is_due(polling: Polling, time: float) -> bool:
    return polling.is_due(time, PATIENCE, SPARE)


def answered_after(took: float) -> Polling:
    polling = Polling()
    polling.restart(0.0)
    polling.asked(0.0)
    assert polling.heard(took) == 0.0
    polling.took = took
    return polling


def test_a_robot_that_was_never_asked_has_taken_no_time() -> None:
    new = Polling()
    assert (new.took, new.asked_at, new.heard_at, list(new.awaited)) == (0.0, -inf, -inf, [])


def test_a_reading_is_asked_for_at_once_if_none_is_awaited() -> None:
    assert is_due(Polling(), 0.0)
    assert is_due(answered_after(0.25), 0.25)


def test_a_reading_that_does_not_come_is_asked_for_again_after_a_while() -> None:
    polling = Polling()
    polling.asked(1.0)
    assert not is_due(polling, 1.25)
    assert is_due(polling, 1.5)
    polling.asked(1.5)
    assert list(polling.awaited) == [1.0, 1.5]
    assert polling.heard(1.75) == 1.0


def test_readings_that_take_more_than_a_second_are_asked_for_before_the_last_has_come() -> None:
    for took, several in ((1.0, False), (1.25, True)):
        polling = answered_after(took)
        polling.asked(2.0)
        polling.asked(2.0)
        polling.heard(2.0 + took)
        assert is_due(polling, 2.0 + took) == several


def test_of_several_that_are_awaited_the_others_are_lost_when_none_has_come_for_long_after_the_first() -> None:
    polling = answered_after(0.25)
    polling.asked(1.0)
    polling.asked(1.0)
    polling.heard(1.25)
    assert not is_due(polling, 1.25)
    assert is_due(polling, 1.5)
    assert not polling.awaited


def test_a_reading_that_was_not_asked_for_is_as_of_now_and_nothing_is_awaited_on_a_new_link() -> None:
    polling = Polling()
    assert polling.heard(3.0) == 3.0
    polling.asked(3.0)
    polling.restart(4.0)
    assert (list(polling.awaited), polling.asked_at, polling.heard_at) == ([], 4.0, 4.0)
