"""Named random streams."""

from __future__ import annotations

from devs_robotics import Stream


def draw(stream: Stream, count: int = 600) -> list[float]:
    return [stream.uniform() for _ in range(count)]


def test_the_same_name_and_seed_give_the_same_numbers() -> None:
    assert draw(Stream(7, 3, "motion")) == draw(Stream(7, 3, "motion"))


def test_every_part_of_the_name_makes_another_stream() -> None:
    streams = [draw(Stream(*key)) for key in [(7, 3, "motion"), (8, 3, "motion"), (7, 4, "motion"), (7, 3, "range")]]
    assert len({tuple(numbers) for numbers in streams}) == 4


def test_numbers_are_uniform_between_minus_one_and_one() -> None:
    numbers = draw(Stream(1, 1, "motion"), 20_000)
    assert min(numbers) >= -1.0
    assert max(numbers) < 1.0
    mean = sum(numbers) / len(numbers)
    square = sum(number**2 for number in numbers) / len(numbers)
    assert abs(mean) < 0.02  # five standard errors
    assert abs(square - 1 / 3) < 0.011


def test_the_numbers_stay_what_they_are() -> None:
    """Published results must come out again with the next version of numpy."""
    assert draw(Stream(1, 1, "motion"), 3) == FIRST_NUMBERS


FIRST_NUMBERS = [-0.19972565239275353, 0.14933201248581351, 0.18198812164579725]
