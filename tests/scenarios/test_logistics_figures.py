"""The command that makes the tables of logistics."""

from __future__ import annotations

from pathlib import Path

import pytest

from devs_robotics.experimental_frames.logistics.page import gap_table, times_table
from devs_robotics.scenarios.logistics_figures import PAGE, bound, main


def test_it_makes_a_page_with_every_table(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), "--seeds", "1", "--quick"]) == 0
    page = (tmp_path / PAGE).read_text()
    for heading in ("Times (Table V)", "Errors of ranges", "Power (Table IV)", "Directions", "Wheels", "Least time"):
        assert f"## {heading}" in page
    assert (tmp_path / "images" / "logistics-times.svg").read_text().startswith("<svg")
    assert "| all carriers retrieved | 5 of 5 | 0 of 1 |" in page
    assert "each run was ended at 10 s" in page
    assert "The gap needs three seeds or more." in page


def test_sentences_follow_the_runs() -> None:
    runs = [{"seconds": time, "carriers_retrieved": 5.0} for time in (90.0, 120.0, 350.0)]
    text = "".join(times_table(runs, [25.0, 25.0, 400.0], 5))
    assert "Our mean is within" in text
    assert "5 of the five published times are within" in text
    assert "1 run retrieved all carriers in less than" in text
    text = "".join(gap_table([100.0, 120.0, 140.0], [90.0, 110.0, 130.0]))
    assert "+10 (+10 to +10)" in text


@pytest.mark.parametrize("seed", range(1, 9))
def test_every_layout_has_a_bound_near_the_published_one(seed: int) -> None:
    assert 18.0 < bound(seed) < 30.0
