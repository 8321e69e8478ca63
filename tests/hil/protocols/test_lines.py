"""Lines come out of any pieces of a stream, and nothing grows without bound."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.hil.protocols import Lines

bits = st.binary(max_size=30) | st.sampled_from([b"\r", b"\n", b"\r\n"])


@given(st.lists(bits, max_size=40), st.integers(1, 20))
def test_lines_do_not_depend_on_the_pieces_in_which_they_come(pieces: list[bytes], longest: int) -> None:
    lines = Lines(longest)
    found = [line for piece in pieces for line in lines.take(piece)]
    *ended, _ = re.split(rb"[\r\n]", b"".join(pieces))
    assert found == [line[: longest + 1] for line in ended if line]


def test_a_line_that_never_ends_is_not_kept() -> None:
    lines = Lines(10)
    for _ in range(1000):
        assert not list(lines.take(b"x" * 1000))
    assert len(lines._line) == 11


def test_of_a_long_line_257_bytes_are_kept_unless_another_number_is_wanted() -> None:
    (line,) = Lines().take(b"x" * 300 + b"\n")
    assert len(line) == 257


def test_the_beginning_of_a_line_can_be_forgotten() -> None:
    lines = Lines()
    assert list(lines.take(b"one\ntw")) == [b"one"]
    lines.clear()
    assert list(lines.take(b"three\n")) == [b"three"]
