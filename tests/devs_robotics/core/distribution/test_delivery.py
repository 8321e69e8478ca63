"""Numbered messages come out once and in order, and what is missing can be had again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.distribution.delivery import Inbox, Outbox


@given(st.lists(st.integers(1, 20), max_size=60), st.integers(1, 20))
def test_an_inbox_gives_each_message_once_and_in_order(numbers: list[int], window: int) -> None:
    inbox: Inbox[int] = Inbox(window)
    due = [message for number in numbers for message in inbox.take(number, number)]
    assert due == list(range(1, inbox.received + 1))
    early = set(inbox._early)
    assert len(due) + len(early) + inbox.dropped == len(numbers)
    assert all(inbox.received + 1 < number <= inbox.received + window for number in early)


@given(st.lists(st.integers(0, 30), max_size=60), st.integers(1, 20))
def test_an_inbox_keeps_what_is_in_its_window_and_knows_what_is_missing(numbers: list[int], window: int) -> None:
    inbox: Inbox[int] = Inbox(window)
    has: set[int] = set()
    dropped = 0
    for number in numbers:
        received = next(candidate for candidate in range(40) if candidate + 1 not in has)
        fits = received < number <= received + window and number not in has
        has |= {number} if fits else set()
        dropped += not fits
        inbox.take(number, number)
        inbox.announce(number)
        assert inbox.received == next(candidate for candidate in range(40) if candidate + 1 not in has)
    assert inbox.dropped == dropped
    assert inbox.announced == max(numbers, default=0)
    assert inbox.incomplete is (inbox.announced > inbox.received)


@given(st.integers(0, 30), st.integers(1, 20), st.lists(st.integers(0, 30), max_size=5), st.integers(0, 30))
def test_an_outbox_has_all_that_is_not_confirmed_unless_it_is_too_much(
    sent: int, keep: int, confirmed: list[int], asked: int
) -> None:
    outbox = Outbox(keep)
    for number in range(1, sent + 1):
        outbox.add(b"%d" % number)
    for number in confirmed:
        outbox.confirm(min(number, sent))
    first = max([min(asked, sent), *(min(number, sent) for number in confirmed)]) + 1
    expected = [b"%d" % number for number in range(first, sent + 1)]
    assert outbox.after(min(asked, sent)) == (expected if len(expected) <= keep else None)
