"""docs/statistics.md: the rates of verdicts that it states are about those that come out, in a tenth of the series."""

from __future__ import annotations

import re

import pytest

from tests.benchmarks.coherence import CASES, VERDICTS, shares
from tests.paths import ROOT

TEXT = (ROOT / "docs" / "statistics.md").read_text()
TABLE = TEXT[TEXT.index("**How often it is right.**") : TEXT.index("## Trend")]
ROWS = re.findall(r"^\| ([^|]+) \| ([\d.]+) / ([\d.]+) \| ([\d.]+) / ([\d.]+) \| ([\d.]+) / ([\d.]+) \|$", TABLE, re.M)


def test_the_table_has_a_row_for_each_kind_of_series() -> None:
    assert [row[0] for row in ROWS] == list(CASES)


@pytest.mark.parametrize(("place", "name"), list(enumerate(CASES)))
def test_a_row_says_what_comes_out(place: int, name: str) -> None:
    row = ROWS[place]
    for column, cut in enumerate((None, 20)):
        found = shares(CASES[name], 100, cut)
        for number, verdict in enumerate(VERDICTS):
            said = float(row[1 + 2 * number + column]) / 100.0
            assert found.get(verdict, 0.0) == pytest.approx(said, abs=0.02 + 3.0 * (said * (1.0 - said) / 100) ** 0.5)
