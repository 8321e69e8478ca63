"""What is read of a part's series while it measures: each value once, and no more than is new."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan
from typing import Any

import pytest

from devs_robotics.experimental_frames.frame.frame import Transducer, table_of
from devs_robotics.experimental_frames.frame.series_reading import FrameError, GrowingSeries


class Given(Transducer):
    """Has measured what a test says."""

    def __init__(self, given: Any) -> None:
        super().__init__("given")
        self.given = given

    def series(self) -> Any:
        return self.given


class ReadCounter(list[Any]):
    """Counts how many of its values were read."""

    read = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.read += len(found) if isinstance(at, slice) else 1
        return found

    def __iter__(self) -> Iterator[Any]:
        self.read += len(self)
        return super().__iter__()


def test_each_value_comes_once_and_what_was_read_is_read_no_more() -> None:
    share = ReadCounter()
    growing, found = GrowingSeries(Given({"share": share})), []
    for time in range(100):
        share.append((time, 2 * time))
        found += growing.take(1000)["share"]
    assert found == [(float(time), 2.0 * time) for time in range(100)]
    assert share.read == 100
    assert growing.take(1000) == {"share": []}


def test_of_pairs_of_one_time_the_last_one_counts_as_in_the_table() -> None:
    part = Given({"share": [(0.0, 0), (2.0, 1), (2.0, 3)], "left": [(1.0, 9)]})
    found, table = GrowingSeries(part).take(1000), table_of(part)
    assert found == {"share": [(0.0, 0.0), (2.0, 3.0)], "left": [(1.0, 9.0)]}
    for name, pairs in found.items():
        there = [(time, value) for time, value in zip(table["time_s"], table[name], strict=True) if not isnan(value)]
        assert pairs == there


def test_columns_are_read_together_so_many_rows_at_once() -> None:
    growing = GrowingSeries(Given({"robot": (1, 2, 3), "time_s": [0.5, 0.5, 1.5], "lost": [nan, 1, 2]}))
    first, rest = growing.take(2), growing.take(2)
    assert first["robot"] == [(0.5, 1.0), (0.5, 2.0)]
    assert first["lost"][1:] == [(0.5, 1.0)]
    assert rest == {"robot": [(1.5, 3.0)], "lost": [(1.5, 2.0)]}


@pytest.mark.parametrize(
    "given",
    [None, {"share": 0.5}, {"share": [0.1]}, {"share": [(0.0, "much")]}, {"time_s": [0.0, 1.0], "share": [0.5]}],
)
def test_series_of_another_form_are_told(given: Any) -> None:
    with pytest.raises(FrameError, match=r"^Given\.series must return lists of \(time, number\) by name"):
        GrowingSeries(Given(given)).take(10)
