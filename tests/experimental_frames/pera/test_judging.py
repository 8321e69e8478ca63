"""What holds of what was published: by intervals, on made-up measurements whose truth is known."""

from __future__ import annotations

from math import nan

import pytest

from devs_robotics.experimental_frames.pera.judging import Judgement, judged
from devs_robotics.experimental_frames.pera.page import files, lines
from devs_robotics.experimental_frames.pera.results import CallRoundTrip, Load, Results, SensingDelay, WalkRun


def walk(rates: tuple[float, float, float], seed: int, threshold: float = 0.1, period: float = 0.1) -> WalkRun:
    """Rates per pair and minute, with a little of chance."""
    rr, rv, vv = ((rate + 0.01 * (seed % 3)) / 60.0 for rate in rates)
    counts = (120.0 * rr * 10, 120.0 * rv * 25, 120.0 * vv * 10)
    return WalkRun(threshold, period, 0.045, seed, 120.0, *counts, rates=(rr, rv, vv), least_way=5.0)


def walks(*rates: tuple[float, float, float], **keys: float) -> tuple[WalkRun, ...]:
    return tuple(walk(each, seed, **keys) for each in rates for seed in range(1, 10))


def of(results: Results) -> dict[str, Judgement]:
    return {row.what: row for row in judged(results)}


def test_an_order_holds_where_intervals_do_not_meet() -> None:
    found = of(Results((1,), False, walks=(*walks((3.0, 2.0, 1.0)), *walks((0.3, 0.2, 0.1), threshold=0.4))))
    assert found["rates per pair at 10 cm"].verdict == "holds"
    assert found["threshold"].verdict == "holds"
    assert found["counts at 10 cm"].verdict == "does not hold", "there are more mixed pairs"


def test_the_contrary_does_not_hold_and_what_is_alike_is_not_decided() -> None:
    found = of(Results((1,), False, walks=(*walks((1.0, 2.0, 3.0)), *walks((2.0, 2.0, 2.0), threshold=0.4))))
    assert found["rates per pair at 10 cm"].verdict == "does not hold"
    assert found["threshold"].verdict == "not decided"


def test_pairs_that_are_not_there_decide_nothing() -> None:
    runs = tuple(walk((1.0, nan, nan), seed) for seed in range(1, 10))
    assert of(Results((1,), False, walks=runs))["rates per pair at 10 cm"].verdict == "not decided"


def test_a_camera_that_sees_less_often_is_held_against_the_usual_one() -> None:
    slow = walks((1.0, 3.0, 1.0), period=0.6)
    found = of(Results((1,), False, walks=(*walks((1.0, 2.0, 1.0)), *slow)))
    assert found["R-V and the camera's period"].verdict == "holds"
    assert "R-V and the camera's delay" not in found


def test_clocks_are_never_mixed() -> None:
    delays = tuple(
        SensingDelay(clock, reality, 0, seconds)  # type: ignore[arg-type]
        for clock, seconds in (("world", 1e-4), ("client", 1e-3), ("program", 0.254))
        for reality in "RV"
        for _ in range(5)
    )
    (reading, difference) = judged(Results((2,), False, delays=delays))
    assert "world 0.10 (0.10 to 0.10) ms" in reading.ours
    assert "bare client 1.00 (1.00 to 1.00) ms" in reading.ours
    assert "programs 254.00 (254.00 to 254.00) ms" in reading.ours
    assert (reading.verdict, difference.verdict) == ("does not hold", "does not hold")


def test_round_trips_are_by_ordered_pair() -> None:
    times = {"RR": 0.1, "RV": 0.3, "VR": 0.2, "VV": 0.9}
    trips = tuple(
        CallRoundTrip(clock, 1, 2, pair, number, seconds + 0.001 * number)
        for clock in ("client", "program")
        for pair, seconds in times.items()
        for number in range(5)
    )
    assert {row.verdict for row in judged(Results((3,), False, round_trips=trips))} == {"holds"}


@pytest.mark.parametrize(("p50", "answered", "verdict"), [(0.025, 1000, "holds"), (0.027, 1000, "does not hold")])
def test_delays_are_about_the_same_or_not(p50: float, answered: int, verdict: str) -> None:
    loads = (Load(10, 10.0, 100, 100, 0.001, 0.002, 0.003, 0.1), Load(500, 10.0, 1000, answered, p50, 0.1, 0.2, nan))
    (row,) = judged(Results((4,), False, loads=loads))
    assert row.verdict == verdict


def test_lost_answers_are_no_delays_that_are_the_same() -> None:
    loads = (Load(10, 10.0, 100, 100, 0.001, 0.002, 0.003, 0.1), Load(500, 10.0, 1000, 999, 0.001, 0.1, 0.2, nan))
    (row,) = judged(Results((4,), False, loads=loads))
    assert row.verdict == "does not hold"
    assert "1 of 1100 lost" in row.ours


def test_no_value_of_a_published_picture_stands_on_the_page() -> None:
    results = Results((1,), True, machine="here", walks=walks((1.0, 1.0, 1.0)))
    page = files(results, {"devs-robotics": "0"})["index.html"]
    assert "figures 9, 11 and 12 are in pictures alone" in page
    assert "nothing is to be concluded" in page
    assert len(lines(results)) == len(judged(results))
