"""Colours as texts, beside those of another program."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import CSS4_COLORS, to_rgb

from devs_robotics.core.robots.colours import NAMED, hexadecimal, rgb

component = st.integers(0, 255)


@pytest.mark.parametrize("name", NAMED)
def test_names_are_those_of_css_however_they_are_written(name: str) -> None:
    expected = tuple(round(255.0 * each) for each in to_rgb(CSS4_COLORS[name]))
    assert rgb(name) == rgb(name.upper()) == expected


@given(component, component, component)
def test_a_colour_is_what_it_is_written_as(red: int, green: int, blue: int) -> None:
    text = hexadecimal((red, green, blue))
    assert text == f"#{red:02x}{green:02x}{blue:02x}".upper()
    assert rgb(text) == rgb(text.lower()) == (red, green, blue)


@pytest.mark.parametrize("text", ["", "reddish", "#12345", "#1234567", "#12345g", "123456", " red", "#+1+2+3"])
def test_what_is_no_colour_is_none(text: str) -> None:
    assert rgb(text) is None
