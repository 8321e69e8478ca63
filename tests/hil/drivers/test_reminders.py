"""Reminders come up in the order of their times, each once."""

from __future__ import annotations

from math import inf

from devs_robotics.hil.drivers.reminders import Reminders


def test_the_first_that_is_due_is_taken_with_its_time() -> None:
    reminders = Reminders()
    assert reminders.next == inf
    assert reminders.take(inf) is None
    reminders.set("late", 3.0)
    reminders.set("early", 1.0)
    assert reminders.next == 1.0
    assert reminders.take(0.999) is None
    assert reminders.take(5.0) == ("early", 1.0)
    assert reminders.next == 3.0
    assert reminders.take(3.0) == ("late", 3.0)
    assert reminders.take(9.0) is None


def test_what_is_set_again_comes_up_at_its_new_time_only() -> None:
    reminders = Reminders()
    reminders.set("stop", 1.0)
    reminders.set("stop", 2.0)
    assert reminders.take(1.5) is None
    assert reminders.take(2.0) == ("stop", 2.0)
    assert reminders.next == inf


def test_what_is_dropped_or_cleared_does_not_come_up() -> None:
    reminders = Reminders()
    for number, what in enumerate(("stop", "tick", "link")):
        reminders.set(what, float(number))
    reminders.drop("stop")
    reminders.drop("no such thing")
    assert reminders.next == 1.0
    reminders.clear()
    assert reminders.next == inf
