"""What is said of our runs beside the published ones."""

from __future__ import annotations

import pytest

from devs_robotics.experimental_frames.logistics.comparing import FEW, SLOWER, TOTALS, compared
from devs_robotics.experimental_frames.logistics.published import TABLE_V


def runs(times: list[float], carriers: int = 5) -> list[dict[str, float]]:
    return [{"seconds": time, "carriers_retrieved": float(carriers)} for time in times]


def test_runs_like_the_published_ones_agree() -> None:
    assert [each.verdict for each in compared(runs([*TABLE_V, 90.0, 340.0]), whole=True)][:3] == ["agrees"] * 3


def test_runs_that_are_all_alike_and_lose_carriers_differ_with_the_reason() -> None:
    mean, extremes, carriers, *_ = compared(runs([110.0, 111.0, 112.0, 113.0, 114.0], 4), whole=True)
    assert (mean.verdict, mean.ours, extremes.verdict, extremes.why) == ("agrees", "112", "differs", SLOWER)
    assert (carriers.verdict, carriers.ours) == ("differs", "0 of 5")
    assert mean.interval == "110 to 114"  # 112 plus and minus 2.776 sqrt(2.5 / 5)


@pytest.mark.parametrize(("count", "whole"), [(2, True), (9, False)])
def test_nothing_follows_from_few_runs_or_short_ones(count: int, whole: bool) -> None:
    found = compared(runs([100.0 + n for n in range(count)]), whole=whole)[:3]
    assert {(each.verdict, each.why) for each in found} == {("undecided", FEW)}


def test_powers_add_up_but_for_the_printed_total_that_does_not() -> None:
    idle, usual, most = compared(runs([100.0, 101.0]), whole=True)[3:]
    assert (idle.verdict, idle.why, idle.ours) == ("differs", TOTALS, "5, 17.0")
    assert (usual.verdict, most.verdict) == ("agrees", "agrees")
