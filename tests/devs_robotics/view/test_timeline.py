"""Timelines: what was written is read again, in however many chunks, to 0.05 mm and 0.05 mrad, and 0.5 ms."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import pairwise
from math import isnan, nan
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devs_robotics.view import timeline as written_by
from devs_robotics.view.timeline import (
    HEADING,
    SLOT,
    SPEED,
    STEP,
    TICK,
    TIME,
    TURN_RATE,
    WIDTH,
    Columns,
    Timeline,
    TimelineWriter,
    X,
    heads,
)

Row = tuple[float, float, float, float, float, float, float]

coordinates = st.floats(-1000.0, 1000.0)
headings = st.floats(-100.0, 100.0)
paces = st.one_of(st.just(0.0), st.floats(-2.0, 2.0, width=32))
places = st.one_of(st.tuples(coordinates, coordinates, headings), st.just((nan, nan, nan)))
"""Where somebody stands, or that he is not there."""


@st.composite
def histories(draw: st.DrawFn, most: int = 12) -> tuple[list[tuple[float, float, float]], list[Row]]:
    """Poses at first, and changes in the order of their times; some of slots that come only then."""
    begin = draw(st.lists(places, max_size=4))
    times = sorted(draw(st.lists(st.floats(0.0, 500.0), max_size=most)))
    slots = st.integers(0, len(begin) + 2)
    return begin, [(time, draw(slots), *draw(places), draw(paces), draw(paces)) for time in times]


def columns(rows: Sequence[Row]) -> Columns:
    return np.array(rows, dtype=np.float64).reshape(-1, WIDTH)


def write(begin: Sequence[tuple[float, float, float]], rows: Sequence[Row], parts: Sequence[int] = ()) -> Timeline:
    """In blocks that end before these numbers of rows."""
    writer = TimelineWriter(begin)
    edges = [0, *sorted(parts), len(rows)]
    for first, last in pairwise(edges):
        end = 500.0 if last == len(rows) else rows[last - 1][0] if last else 0.0
        writer.write(columns(rows[first:last]), end)
    return writer.timeline()


def assert_same(found: Columns, expected: Columns) -> None:
    """To what a timeline keeps."""
    assert found.shape == expected.shape
    np.testing.assert_allclose(found[:, TIME], expected[:, TIME], rtol=0, atol=0.51 * TICK)
    np.testing.assert_array_equal(found[:, SLOT], expected[:, SLOT])
    np.testing.assert_allclose(found[:, X : HEADING + 1], expected[:, X : HEADING + 1], rtol=0, atol=0.5001 * STEP)
    np.testing.assert_array_equal(found[:, SPEED : TURN_RATE + 1], expected[:, SPEED : TURN_RATE + 1])


@settings(max_examples=40)
@given(histories())
def test_every_change_is_read_again(history: tuple[list[tuple[float, float, float]], list[Row]]) -> None:
    begin, rows = history
    timeline = write(begin, rows)
    found = timeline.history()
    count = heads(found)
    assert timeline.slots == count == max([len(begin), *(int(row[1]) + 1 for row in rows)])
    assert timeline.changes == len(rows)
    assert (timeline.begin, timeline.end) == (0.0, 500.0)
    first = [(0.0, slot, *pose, 0.0, 0.0) for slot, pose in enumerate(begin)]
    first += [(0.0, slot, nan, nan, nan, 0.0, 0.0) for slot in range(len(begin), count)]  # who comes later
    assert_same(found[:count], columns(first))
    assert_same(found[count:], columns(rows))


@settings(max_examples=40)
@given(histories(), st.data())
def test_chunks_tell_together_what_one_tells(
    history: tuple[list[tuple[float, float, float]], list[Row]], data: st.DataObject
) -> None:
    begin, rows = history
    parts = data.draw(st.lists(st.integers(0, len(rows)), max_size=4))
    timeline = write(begin, rows, parts)
    assert len(timeline.chunks) == len(parts) + 1
    assert timeline.changes == len(rows)
    found = np.concatenate([block[heads(block) :] for block in timeline.rows()])
    assert_same(found, columns(rows))
    for block, number in zip(timeline.rows(), [0, *sorted(parts)], strict=True):
        for slot, head in enumerate(block[: heads(block)]):  # a chunk begins with what has been so far
            past = [row[2:5] for row in rows[:number] if row[1] == slot]
            last = past[-1] if past else begin[slot] if slot < len(begin) else (nan, nan, nan)
            np.testing.assert_allclose(head[X : HEADING + 1], last, rtol=0, atol=0.5001 * STEP)


@settings(max_examples=40)
@given(histories(), st.integers(1, 7))
def test_a_long_block_becomes_several_chunks(
    history: tuple[list[tuple[float, float, float]], list[Row]], most: int
) -> None:
    begin, rows = history
    with patch.object(written_by, "CHUNK", most):
        timeline = write(begin, rows)
    assert len(timeline.chunks) == max(1, -(-len(rows) // most))
    assert_same(np.concatenate([block[heads(block) :] for block in timeline.rows()]), columns(rows))


@settings(max_examples=40)
@given(histories())
def test_the_same_changes_are_the_same_bytes(history: tuple[list[tuple[float, float, float]], list[Row]]) -> None:
    assert write(*history).chunks == write(*history).chunks


@given(st.lists(st.tuples(coordinates, coordinates, headings), min_size=1, max_size=40))
def test_roundings_do_not_add_up(path: list[tuple[float, float, float]]) -> None:
    rows = [(float(number), 0, *pose, 0.0, 0.0) for number, pose in enumerate(path)]
    found = write([(0.0, 0.0, 0.0)], rows).history()[1:]
    np.testing.assert_allclose(found[:, X : HEADING + 1], path, rtol=0, atol=0.5001 * STEP)


def test_who_leaves_and_joins_again_is_nowhere_meanwhile() -> None:
    rows = [(1.0, 0, nan, nan, nan, 0.0, 0.0), (2.0, 0, 5.0, 6.0, 1.0, 0.0, 0.0), (3.0, 1, 1.0, 1.0, 0.0, 0.1, 0.0)]
    found = write([(1.0, 2.0, 0.5)], rows).history()
    assert [isnan(row[X]) for row in found] == [False, True, True, False, False]


def test_more_slots_than_sixteen_bits_have() -> None:
    rows = [(1.0, 70_000, 1.0, 2.0, 0.0, 0.0, 0.0), (2.0, 3, 1.5, 2.0, 0.0, 0.0, 0.0)]
    found = write([(0.0, 0.0, 0.0)], rows).history()
    assert heads(found) == 70_001
    assert_same(found[70_001:], columns(rows))


@pytest.mark.parametrize("data", [b"", b"not deflated", zlib.compress(b"\2\0\1\0" + 28 * b"\0")])
def test_what_is_no_chunk_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no chunk of a timeline"):
        written_by.decoded(data)


def test_a_chunk_of_a_later_version_is_refused() -> None:
    (chunk,) = write([(0.0, 0.0, 0.0)], []).chunks
    later = bytearray(zlib.decompress(chunk, wbits=-15))
    later[2] = 9
    deflating = zlib.compressobj(wbits=-15)
    with pytest.raises(ValueError, match="kind 2, version 9"):
        written_by.decoded(deflating.compress(bytes(later)) + deflating.flush())
