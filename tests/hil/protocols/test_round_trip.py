"""The delay of a link: how long it is remembered, and when it is believed to be too long."""

from __future__ import annotations

import pytest

from devs_robotics.hil.protocols.round_trip import RoundTrip


def test_the_longest_of_the_last_eight_measurements_counts() -> None:
    trip = RoundTrip(2)
    assert trip.longest == 0.0
    trip.saw(0.75)
    for _ in range(7):
        trip.saw(0.25)
    assert trip.longest == 0.75
    trip.saw(0.125)
    assert trip.longest == 0.25


def test_what_shows_before_it_was_told_took_no_time() -> None:
    trip = RoundTrip(2)
    trip.saw(-0.5)
    assert trip.longest == 0.0
    trip.saw(0.125)
    assert trip.longest == 0.125


def test_a_guess_counts_until_more_is_known() -> None:
    trip = RoundTrip(2)
    trip.saw(0.25)
    trip.guess(1.5)
    assert trip.longest == 1.5
    trip.saw(0.5)
    assert trip.longest == 0.5


@pytest.mark.parametrize(
    ("sure_after", "seen", "too_long"),
    [
        (2, [], False),
        (2, [2.75], False),
        (2, [2.75, 2.75], True),
        (2, [0.25, 0.25, 2.75, 2.75], True),
        (2, [2.75, 2.75, 2.5], False),
        (2, [2.75, 2.5, 2.75], False),
        (3, [2.75, 2.75], False),
        (3, [2.5, 2.75, 2.75], False),
        (3, [0.25, 2.51, 2.51, 2.51], True),
        (8, [2.75] * 7, False),
        (8, [2.75] * 8, True),
    ],
)
def test_a_delay_is_too_long_when_it_was_so_often_enough_in_a_row(
    sure_after: int, seen: list[float], too_long: bool
) -> None:
    trip = RoundTrip(sure_after)
    for took in seen:
        trip.saw(took)
    assert trip.is_too_long == too_long


def test_a_guess_is_not_held_against_a_robot() -> None:
    trip = RoundTrip(1)
    trip.guess(9.0)
    assert not trip.is_too_long
