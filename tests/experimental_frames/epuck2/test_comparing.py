"""Every published value beside ours: which differ, and that a wrong one would be told."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from devs_robotics.experimental_frames.epuck2.comparing import Row, compared
from devs_robotics.experimental_frames.epuck2.made import EpuckFigureData
from devs_robotics.experimental_frames.epuck2.traces import ReadingsTable
from tests.epuck2_pictures import now

KNOWN = {
    "largest speed of a wheel (cm/s)",
    "proximity at 50 mm",
    "light at 10 cm, in proportion to that at 50 cm",
    "camera's angle at x = 150, y = 86 (degrees)",
    "how long the linear battery lasts at 3.3 cm/s, by the illustrative curves (h)",
}
"""What differs from the paper, and is meant to."""


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return compared(now())


def test_what_differs_is_what_is_known_to_and_says_why(rows: list[Row]) -> None:
    assert {row.what for row in rows if row.verdict == "differs"} == KNOWN
    assert all(row.why for row in rows if row.verdict == "differs")
    assert [row.where for row in rows if row.verdict == "other data"] == ["Table 5", "Table 5"]


def test_every_part_of_the_paper_with_numbers_has_rows(rows: list[Row]) -> None:
    places = {row.where for row in rows}
    assert places >= {f"Table {number}" for number in (1, 2, 3, 4, 5)}
    assert places >= {"eq. (1)", "eq. (2)", "Figure 4", "Figure 5", "Figure 6c", "Figure 6d", "Figure 7", "Figure 8"}
    assert places >= {"Figure 9c", "Figure 10b", "Algorithms 2 to 4", "section 4.1.7"}
    assert len({(row.where, row.what) for row in rows}) == len(rows)


def spoilt(trace: ReadingsTable, head: str, place: int, more: float) -> ReadingsTable:
    column = list(trace[head])
    column[place] += more
    return ReadingsTable(trace.name, {**trace.columns, head: tuple(column)})


@pytest.mark.parametrize(
    ("name", "head", "place", "more", "what"),
    [
        ("response", "paper", 20, 1.0, "proximity at 0, 5, 10"),
        ("turn", "PROX3", 60, 9.0, "largest reading of each proximity sensor"),
        ("light", "i=1", 19, 1.0, "light at 10, 20"),
        ("light", "i=3", 21, 5.0, "light saturated"),
        ("stripes", "left", 30, 256.0, "three ground sensors, straight"),
        ("distances", "6 cm/s", 12, 1.0, "distance to an obstacle"),
        ("steps", "10 cm/s", 12, 2.0, "step counters on the same way"),
    ],
)
def test_a_reading_that_were_wrong_would_be_told(name: str, head: str, place: int, more: float, what: str) -> None:
    made: EpuckFigureData = now()
    change: Any = {name: spoilt(getattr(made, name), head, place, more)}
    (told,) = (row for row in compared(replace(made, **change)) if row.what.startswith(what))
    assert told.verdict == "differs"


def test_batteries_in_a_field_lose_what_was_fitted() -> None:
    """Charges of robots that rotate are those of the fitted models, at every measurement."""
    batteries = now().batteries
    for name, by_speed in batteries.simulated.items():
        assert batteries.errors[name] == pytest.approx(batteries.fitted.averages[name], abs=1e-12)
        assert all(charges[0] == 1.0 and charges[-1] == 0.0 for charges in by_speed.values())
        assert len(by_speed) == 16
