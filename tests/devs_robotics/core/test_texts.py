"""What UTF-8 can hold, and how the rest is written out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.core.texts import encodable, is_encodable


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_text_that_utf_8_can_hold_is_as_it_was(text: str) -> None:
    assert is_encodable(text)
    assert encodable(text) == text


@pytest.mark.parametrize("half", list(map(chr, (0xD800, 0xDBFF, 0xDC00, 0xDFFF))))
def test_a_lone_half_of_a_pair_is_written_out(half: str) -> None:
    assert not is_encodable(f"é{half}")
    assert encodable(f"é{half}o") == f"é\\u{ord(half):x}o"
