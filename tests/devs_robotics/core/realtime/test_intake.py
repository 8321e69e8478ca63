"""What waits of one link: in its order, in bounds, together where it came together, and never for ever."""

from __future__ import annotations

from itertools import count
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Link, Packet
from devs_robotics.core.realtime.intake import (
    LARGEST_BATCH,
    LONGEST_BATCH,
    MOST_BATCHES_AHEAD,
    MOST_BATCHES_IN_A_ROW,
    MOST_BYTES_WAITING,
    MOST_PACKETS_PER_BATCH,
    Intake,
)

UP, DOWN = Link(up=True), Link(up=False, reason="oh")


def intake(*packets: tuple[float, bytes], capacity: int = 1000, is_stream: bool = False) -> Intake:
    made = Intake(capacity, is_stream=is_stream)
    for at, data in packets:
        made.put(at, Packet(data))
    return made


def taken(of: Intake, handled: float = 0.0, now: float = inf) -> list[tuple[float, list[Packet | Link]]]:
    return [(batch.at, batch.contents) for batch in of.take(handled, now)]


def bounds(of: Intake) -> tuple[bool, int, bool]:
    """Whether it was full, how many packets had to go, and whether it is full."""
    return of.is_full, of.make_room(), of.is_full


def test_pieces_of_a_stream_that_come_together_are_one() -> None:
    together = intake((0.0, b"a"), (0.005, b"b"), (LONGEST_BATCH, b"c"), (0.011, b"d"), is_stream=True)
    assert taken(together) == [(LONGEST_BATCH, [Packet(b"abc")]), (0.011, [Packet(b"d")])]


def test_packets_that_come_together_are_one_input_and_keep_their_boundaries() -> None:
    together = intake((0.0, b"a"), (LONGEST_BATCH, b"b"), (0.011, b"c"))
    assert taken(together) == [(LONGEST_BATCH, [Packet(b"a"), Packet(b"b")]), (0.011, [Packet(b"c")])]


def test_so_much_comes_together_and_no_more() -> None:
    assert [len(contents) for _, contents in taken(intake(*[(1.0, b"")] * (2 * MOST_PACKETS_PER_BATCH + 1)))] == [
        MOST_PACKETS_PER_BATCH,
        MOST_PACKETS_PER_BATCH,
        1,
    ]
    pieces = intake((1.0, bytes(LARGEST_BATCH - 1)), (1.0, b"."), (1.0, b"."), is_stream=True)
    assert [len(contents[0].data) for _, contents in taken(pieces) if isinstance(contents[0], Packet)] == [
        LARGEST_BATCH,
        1,
    ]


def test_word_of_the_link_stays_in_its_place_and_alone() -> None:
    both = Intake(10, is_stream=True)
    for content in (UP, Packet(b"a"), DOWN, UP, Packet(b"b")):
        both.put(1.0, content)
    assert [contents for _, contents in taken(both)] == [[UP], [Packet(b"a")], [DOWN], [UP], [Packet(b"b")]]


@given(st.lists(st.tuples(st.floats(0.0, 1.0), st.binary(max_size=2000)), max_size=60), st.booleans())
def test_nothing_is_lost_or_out_of_order(packets: list[tuple[float, bytes]], is_stream: bool) -> None:
    waiting = intake(*sorted(packets, key=lambda each: each[0]), is_stream=is_stream)
    came, handled = b"", 0.0
    while waiting:
        for at, contents in taken(waiting, handled, 2.0):
            assert at >= handled
            came += b"".join(content.data for content in contents if isinstance(content, Packet))
        handled = 2.0
    assert came == b"".join(data for _, data in sorted(packets, key=lambda each: each[0]))


def test_what_the_simulator_has_not_handled_keeps_the_rest_waiting() -> None:
    waiting = intake(*((float(at), b".") for at in range(1, MOST_BATCHES_AHEAD + 4)))
    assert [at for at, _ in taken(waiting)] == list(range(1, MOST_BATCHES_AHEAD + 1))
    assert taken(waiting, handled=0.5) == []
    assert [at for at, _ in taken(waiting, handled=2.0)] == [MOST_BATCHES_AHEAD + 1, MOST_BATCHES_AHEAD + 2]
    assert [at for at, _ in taken(waiting, handled=20.0)] == [20.0]
    assert not waiting


def test_one_that_begins_anew_waits_for_nothing_that_was_given_before() -> None:
    waiting = intake(*((float(at), b".") for at in range(1, MOST_BATCHES_AHEAD + 4)))
    assert len(taken(waiting)) == MOST_BATCHES_AHEAD
    waiting.drop()
    waiting.put(50.0, Packet(b"after a drop"))
    assert taken(waiting) == []
    waiting.clear()
    waiting.put(60.0, Packet(b"anew"))
    assert taken(waiting) == [(60.0, [Packet(b"anew")])]


def test_what_came_after_now_comes_now() -> None:
    assert taken(intake((3.0, b"a"), (5.0, b"b")), now=4.0) == [(3.0, [Packet(b"a")]), (4.0, [Packet(b"b")])]


def test_a_full_intake_drops_the_oldest_packets_but_no_word_of_the_link() -> None:
    full = Intake(4, is_stream=False)
    full.put(1.0, DOWN)
    for at, data in ((1.0, b"a"), (2.0, b"b"), (2.0, b"c")):
        assert not full.is_full
        full.put(at, Packet(data))
    assert bounds(full) == (True, 1, False)
    full.put(3.0, UP)
    assert full.make_room() == 1
    assert taken(full) == [(1.0, [DOWN]), (2.0, [Packet(b"c")]), (3.0, [UP])]


def test_bytes_have_a_bound_too_and_all_that_was_taken_makes_room() -> None:
    full = intake((1.0, bytes(MOST_BYTES_WAITING - 1)), capacity=10)
    assert bounds(full) == (False, 0, False)
    full.put(2.0, Packet(b"."))
    assert bounds(full) == (True, 1, False)
    full.put(3.0, Packet(bytes(MOST_BYTES_WAITING)))
    taken(full)
    assert bounds(full) == (False, 0, False)
    for _ in range(9):
        full.put(4.0, Packet(b""))
    assert not full.is_full


def test_word_of_the_link_takes_no_room_of_packets() -> None:
    waiting = Intake(10, is_stream=False)
    for content in (UP, DOWN, UP):
        waiting.put(1.0, content)
    waiting.put(1.0, Packet(bytes(MOST_BYTES_WAITING - 1)))
    assert bounds(waiting) == (False, 0, False)


def test_a_link_that_is_never_caught_up_with_is_over_its_budget() -> None:
    flood = Intake(10 * MOST_BATCHES_IN_A_ROW, is_stream=True)
    for number in range(MOST_BATCHES_IN_A_ROW + 2 * MOST_BATCHES_AHEAD):
        flood.put(float(number), Packet(b"1234"))
    steps = 0
    while not flood.is_over_budget:
        assert flood.take(steps * float(MOST_BATCHES_AHEAD) - 1.0, inf)
        steps += 1
    assert steps == MOST_BATCHES_IN_A_ROW // MOST_BATCHES_AHEAD + 1
    assert flood.stretch == 4 * MOST_BATCHES_AHEAD * steps


def test_a_link_has_its_whole_budget_at_first_when_it_was_caught_up_with_and_when_it_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("devs_robotics.core.realtime.intake.MOST_BATCHES_AHEAD", 1)
    link, at = Intake(10 * MOST_BATCHES_IN_A_ROW, is_stream=True), count(1.0)
    for begin_anew in (lambda: None, link.clear, lambda: link.take(inf, inf)):
        begin_anew()
        assert (link.stretch, link.is_over_budget) == (0, False)
        link.put(next(at), Packet(b"1234"))
        for taken_before in range(MOST_BATCHES_IN_A_ROW + 1):
            assert (link.stretch, link.is_over_budget) == (4 * taken_before, False)
            link.put(next(at), Packet(b"1234"))
            assert len(link.take(inf, inf)) == 1
        assert (link.stretch, link.is_over_budget) == (4 * (MOST_BATCHES_IN_A_ROW + 1), True)


@pytest.mark.parametrize("caught_up", [True, False])
def test_only_catching_up_gives_a_link_its_budget_back(caught_up: bool) -> None:
    link = Intake(10 * MOST_BATCHES_IN_A_ROW, is_stream=True)
    for number in range(MOST_BATCHES_IN_A_ROW):
        link.put(float(number), Packet(b"1234"))
    for step in range(MOST_BATCHES_IN_A_ROW // MOST_BATCHES_AHEAD - 1):
        link.take(step * float(MOST_BATCHES_AHEAD) - 1.0, inf)
    assert link.stretch
    if caught_up:
        assert len(link.take(2.0 * MOST_BATCHES_IN_A_ROW, inf)) == MOST_BATCHES_AHEAD
        assert link.stretch == 0
    else:
        link.drop()
        assert not link
        assert not link.is_full
    for number in range(3 * MOST_BATCHES_AHEAD):
        link.put(2.0 * MOST_BATCHES_IN_A_ROW + number, Packet(b"."))
    for step in range(2):
        link.take(2.0 * MOST_BATCHES_IN_A_ROW + step * MOST_BATCHES_AHEAD, inf)
    assert link.is_over_budget != caught_up
    link.clear()
    assert not link.is_over_budget
