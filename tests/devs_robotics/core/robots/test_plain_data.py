"""Messages as plain data: what can be carried, and what is no message of a type."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, defstruct

from devs_robotics.core.robots.plain_data import (
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_FIELDS,
    MOST_NUMBERS,
    UnfitError,
    plain,
    typed,
    why_not_plain,
)


class Everything(Struct, frozen=True):
    truth: bool
    whole: int
    real: float
    text: str
    numbers: tuple[float, ...] = ()
    word: Literal["on", "off"] = "on"
    either: int | str = 0


class Listed(Struct, frozen=True, array_like=True):
    x: float


class Tagged(Struct, frozen=True, tag="a"):
    x: float


class Deep(Struct, frozen=True):
    inner: Everything


class Maybe(Struct, frozen=True):
    x: float | None = None


@given(
    st.builds(
        Everything,
        truth=st.booleans(),
        whole=st.integers(),
        real=st.floats(allow_nan=False),
        text=st.text(),
        numbers=st.lists(st.floats(allow_nan=False)).map(tuple),
        word=st.sampled_from(["on", "off"]),
        either=st.one_of(st.integers(), st.text()),
    )
)
def test_a_message_is_what_its_plain_data_says(message: Everything) -> None:
    assert typed(plain(message), Everything) == message


def test_fields_with_defaults_may_be_absent_and_whole_numbers_are_real_ones() -> None:
    found = typed({"truth": True, "whole": 1, "real": 2, "text": "x"}, Everything)
    assert found == Everything(True, 1, 2.0, "x")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"truth": 1}, "Expected `bool`, got `int` - at `$.truth`"),
        ({"whole": 1.5}, "Expected `int`, got `float` - at `$.whole`"),
        ({"whole": True}, "Expected `int`, got `bool` - at `$.whole`"),
        ({"text": None}, "Expected `str`, got `null` - at `$.text`"),
        ({"word": "a secret"}, "a value that it cannot have"),
        ({"more": 1}, "it has fields that are not known"),
    ],
)
def test_what_does_not_fit_is_told_in_as_many_ways_as_a_type_has_fields(change: dict[str, Any], why: str) -> None:
    data = {"truth": True, "whole": 1, "real": 2.0, "text": "x"} | change
    with pytest.raises(UnfitError) as error:
        typed(data, Everything)
    assert str(error.value) == why


def test_anything_but_fields_is_no_message() -> None:
    others: list[Any] = [None, [], 3, "x", b"x"]
    for data in others:
        with pytest.raises(UnfitError):
            typed(data, Everything)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (Everything, ""),
        (int | str, "int | str is no msgspec.Struct: write one class for all that is said"),
        (float, "float is no msgspec.Struct"),
        (None, "None is no msgspec.Struct"),
        (Listed, "Listed has options that wires do not carry: leave out array_like and tag"),
        (Tagged, "Tagged has options that wires do not carry"),
        (Deep, "Deep.inner is neither a truth value, a number, a text nor a tuple of numbers: let it be one"),
        (Maybe, "Maybe.x is neither a truth value, a number, a text nor a tuple of numbers: let it be one"),
        (defstruct("Many", [(f"x{n}", int) for n in range(17)]), "Many has more than 16 fields: leave some out"),
        (defstruct("Long", [("x" * 33, int)]), f"Long.{'x' * 33} has more than 32 characters: give it a shorter name"),
    ],
)
def test_types_that_no_wire_carries_are_told_with_the_remedy(kind: Any, why: str) -> None:
    assert why_not_plain("gripper", kind, Everything).startswith(why)
    assert bool(why_not_plain("gripper", Everything, kind)) == bool(why)


def test_a_name_that_is_too_long_is_told() -> None:
    assert "its name has more than 32 characters" in why_not_plain("g" * 33, Everything)
    assert why_not_plain("g" * 32, Everything) == ""


def test_the_bounds_are_those_of_the_robot_protocol() -> None:
    assert (LONGEST_NAME, MOST_FIELDS, LONGEST_TEXT, MOST_NUMBERS) == (32, 16, 64, 32)
    just = defstruct("Just", [("x" * 32, int), *((f"x{n}", int) for n in range(15))])
    assert why_not_plain("gripper", just) == ""


def test_plain_data_is_what_json_holds() -> None:
    data = plain(Everything(True, 1, 2.0, "x", (1.0, 2.0)))
    assert data["numbers"] == [1.0, 2.0]
    assert msgspec.json.decode(msgspec.json.encode(data)) == data


class LeftOut(Struct, frozen=True, omit_defaults=True):
    x: float
    since: float | None = None


def test_a_field_that_is_none_by_default_is_left_out_and_never_null() -> None:
    assert why_not_plain("finder", LeftOut) == ""
    for message in (LeftOut(1.0), LeftOut(1.0, 2.0)):
        assert None not in plain(message).values()
        assert typed(plain(message), LeftOut) == message
    with pytest.raises(UnfitError, match="a value is null: leave the field out"):
        typed({"x": 1.0, "since": None}, LeftOut)
