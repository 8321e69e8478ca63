"""Commands to be typed again: a shell reads the same words, and any file can hold them."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.scenarios.command_line import command_line


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_a_shell_reads_the_same_words(words: list[str]) -> None:
    assert shlex.split(command_line(words)) == words


@pytest.mark.parametrize("word", ["out\udcff", "\ud800"])
def test_a_byte_that_is_no_text_does_not_keep_it_from_a_file(word: str) -> None:
    assert command_line(["run", word]) == f"run '{word[:-1]}\\u{ord(word[-1]):x}'"
