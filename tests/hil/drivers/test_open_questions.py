"""Who is told when a reading comes: all who asked before it was asked for."""

from __future__ import annotations

from devs_robotics.hil.drivers.open_questions import OpenQuestion


def test_who_asks_while_a_reading_is_awaited_is_told_with_the_next_one() -> None:
    question = OpenQuestion("ranging")
    assert not question
    assert question.tries == 0
    question.put()
    question.put()
    question.tries = 1
    question.put()
    assert question
    assert question.answered() == 2
    assert (question.tries, bool(question)) == (0, True)
    assert question.answered() == 1
    assert not question
    assert question.answered() == 0


def test_after_an_interruption_the_next_reading_is_for_all() -> None:
    question = OpenQuestion("ranging")
    question.put()
    question.tries = 2
    question.put()
    question.put()
    question.interrupted()
    assert question
    assert question.tries == 0
    assert question.answered() == 3
    assert not question


def test_an_interruption_of_nothing_asks_nothing() -> None:
    question = OpenQuestion("ranging")
    question.interrupted()
    assert not question
