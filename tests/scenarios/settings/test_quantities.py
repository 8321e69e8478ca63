"""Numbers and texts with units."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from math import inf, nan, pi

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import PydanticCustomError

from devs_robotics.scenarios.settings.quantities import COMMON, to_si


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("60 cm", "m", 0.6),
        ("60cm", "m", 0.6),
        (" -1.5e2 mm ", "m", -0.15),
        (".5 m", "m", 0.5),
        ("2 ft", "m", 0.6096),
        ("6 deg", "rad", pi / 30),
        ("90 deg/s", "rad/s", pi / 2),
        ("20 cm / s", "m/s", 0.2),
        ("72 km/h", "m/s", 20.0),
        ("2 min", "s", 120.0),
        (3, "m", 3.0),
        (0.25, "rad", 0.25),
    ],
)
def test_what_can_be_read(text: object, unit: str, value: float) -> None:
    assert to_si(text, unit, "x") == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("12", "'12' has no unit: write a number in m, or a text such as '12 cm'"),
        ("10 kg", "'10 kg' has the wrong unit: write it in m or the like, as in '10 cm'"),
        ("1e3smoots", "'1e3smoots' has the unknown unit 'smoots': write it in m or the like, as in '1e3 cm'"),
        ("about 60 cm", "'about 60 cm' cannot be read as a quantity: write one such as '60 cm'"),
        ("9**9**9 m", "'9**9**9 m' cannot be read as a quantity: write one such as '60 cm'"),
        ("", "'' cannot be read as a quantity: write one such as '60 cm'"),
        (True, "must be a number in m, such as 0.5 or '60 cm', not True"),
        (None, "must be a number in m, such as 0.5 or '60 cm', not a NoneType"),
        ((1, 2), "must be a number in m, such as 0.5 or '60 cm', not a list"),
        (nan, "must be finite, not nan"),
        (inf, "must be finite, not inf"),
        ("1e999 m", "must be finite, not '1e999 m'"),
    ],
)
def test_what_cannot_be_read_gets_a_sentence(text: object, sentence: str) -> None:
    with pytest.raises(PydanticCustomError) as caught:
        to_si(text, "m", "60 cm")
    assert str(caught.value) == sentence


@given(st.text(max_size=20))
def test_no_text_breaks_the_reader(text: str) -> None:
    with suppress(PydanticCustomError):
        to_si(text, "m", "60 cm")


@given(
    st.sampled_from([(unit, one) for unit, known in COMMON.items() for one in known]),
    st.decimals(-1000, 1000, places=3),
)
def test_common_units_are_read_as_pint_reads_them(units: tuple[str, str], number: Decimal) -> None:
    unit, written = units
    expected = pint.Quantity(float(number), written).to(unit).magnitude
    assert to_si(f"{number} {written}", unit, f"1 {unit}") == expected
