"""What the report says of a wall clock, of real robots, and of nodes; where there is nothing to say, nothing."""

from __future__ import annotations

import re
import subprocess
from math import nan
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from devs_robotics import Fix, Lateness
from devs_robotics.experimental_frames.instruments.localisation import Localisation, measure_localisation
from devs_robotics.experimental_frames.report import real_figures
from devs_robotics.experimental_frames.report.real_sections import real_sections
from devs_robotics.models.environment import Motion, PoseChange
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.convoy.outcome import ConvoyOutcome
from devs_robotics.scenarios.convoy.runs import load, run
from devs_robotics.scenarios.distributed.nodes import NodeReport
from devs_robotics.scenarios.running.outcome import RobotReport
from devs_robotics.scenarios.running.summary import summary
from tests.models.play import tell

ALWAYS = ["Position error over time", "Top view", "Adjustments", "Metrics"]


@pytest.fixture(scope="module")
def fast() -> ConvoyOutcome:
    return run(load("convoy_in_the_loop", ["run.rounds=4"]))


def timing(*late: float) -> Lateness:
    measured = Lateness("warn", 0.05)
    for number, value in enumerate(late):
        measured.record(0.1 * number, value)
    return measured


def localisation(*robots: int, fixes: int = 5) -> Localisation:
    """Robot k goes straight on and reports k % too much."""
    measured = Localisation("localisation", dict.fromkeys(robots, (1.0, 2.0, 0.0)))
    for number in range(fixes):
        for robot in robots:
            tell(measured, (measured.reported, Motion(robot, 0.0, 0.1 * (1.0 + robot / 100.0))))
            tell(measured, (measured.pose_change, PoseChange(robot, *measured.odom[robot])))
            tell(measured, (measured.fixed, Fix(robot, 1.0 + 0.1 * (number + 1), 2.0, 0.0)))
    return measured


def test_robots_that_were_lost_are_named() -> None:
    measured = localisation(2, 3)
    errors = {str(number): msgspec.to_builtins(each) for number, each in measure_localisation(measured).items()}
    told: dict[str, Any] = {"localisation": errors, "scenario": {"tracking": {"corrects": False}}}
    (section,) = real_sections(told, None, measured)
    assert "not sure" not in section.drawings[0].caption
    (section,) = real_sections(told | {"lost": {"2": 1, "3": 4}}, None, measured)
    assert section.drawings[0].caption.endswith(
        "It was not sure where robots were that had not been seen for 1 s: robot 2 1 time, robot 3 4 times."
    )


def clock(measured: Lateness, rate: float = 4.0) -> dict[str, Any]:
    lateness = msgspec.to_builtins(measured.distribution())
    return {"clock": {"rate": rate, "late": "warn", "max_lateness_s": 0.05, "held_up_s": 0.0, "lateness": lateness}}


def robot(played_by: str = "mqtt://192.0.2.7/robot/2", **dropped: int) -> dict[str, Any]:
    report = RobotReport(played_by, "json", "loop", "virtual", "real", dropped, 17)
    return {"robots": {"2": msgspec.to_builtins(report)}}


def nodes(**more: Any) -> dict[str, Any]:
    report = {"robots": (2, 3), "clock_offset": 0.00321, "round_trip": 0.0009, "messages": 135, "delay_p50": 0.004}
    rest = {"delay_p99": 0.011, "delay_max": 0.0567, "steps": 851, "lateness_p99": 0.0137, "lateness_max": 0.0916}
    return {"nodes": {"left": msgspec.to_builtins(NodeReport(**{**report, **rest, "dropped": {"late": 5}, **more}))}}


def page(
    outcome: ConvoyOutcome, *parts: dict[str, Any], timed: Lateness | None = None, localised: Localisation | None = None
) -> str:
    told = summary(outcome)
    for part in parts:
        told.update(part)
    if localised is not None:
        errors = measure_localisation(localised)
        told["localisation"] = {str(number): msgspec.to_builtins(some) for number, some in errors.items()}
    return case_of(outcome.scenario).report(told, replace(outcome, timing=timed, localisation=localised))


def headings(html: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", html)


def words(html: str) -> str:
    """The text of the body, without figures and tags, single-spaced."""
    body = re.sub(r"<svg.*?</svg>", "", html[html.index("<body>") :], flags=re.S)
    return " ".join(re.sub(r"<[^>]*>", " ", body).split())


def test_a_fast_run_has_no_section_on_what_it_does_not_have(fast: ConvoyOutcome) -> None:
    html = page(fast)
    assert headings(html) == ALWAYS
    assert "lateness.csv" not in html
    assert "localisation.csv" not in html


def test_each_section_is_there_when_there_is_something_to_show(fast: ConvoyOutcome) -> None:
    late = timing(0.001, 0.002)
    assert headings(page(fast, clock(late), timed=late)) == [*ALWAYS, "Real time"]
    assert headings(page(fast, robot())) == [*ALWAYS, "Real robots"]
    assert headings(page(fast, localised=localisation(2))) == [*ALWAYS, "Where the real robots are"]
    assert headings(page(fast, nodes())) == [*ALWAYS, "Nodes"]
    empty: dict[str, Any] = {"robots": {}, "nodes": {}, "dropped": {}}
    assert headings(page(fast, clock(late), empty, timed=late, localised=localisation(2, fixes=0))) == [
        *ALWAYS,
        "Real time",
    ]


def test_a_browser_shows_all_sections_with_their_figures(fast: ConvoyOutcome, chromium: str, tmp_path: Path) -> None:
    late, path = timing(*[0.001 * number for number in range(1, 100)]), tmp_path / "report.html"
    path.write_text(page(fast, clock(late), robot(), nodes(), timed=late, localised=localisation(2, 3)))
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    command = [chromium, *flags.split(), f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", path.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
    assert headings(dom) == [*ALWAYS, "Real robots", "Where the real robots are", "Real time", "Nodes"]
    assert dom.count("<svg") == dom.count('<svg role="img" aria-label="') == 5
    assert dom.count("<th ") == dom.count("<th scope=")
    assert dom.rstrip().endswith("</html>")


def test_lateness_is_told_with_its_policy_and_its_rate(fast: ConvoyOutcome) -> None:
    late = timing(*[0.001] * 50, *[0.002] * 45, *[0.0304] * 4, 0.0617)
    text = words(page(fast, clock(late), timed=late))
    assert "rate 4 2.0 30.4 61.7 61.7 100 1" in text
    assert "more than 50.0 ms after its time ( clock.max_lateness ); the scenario’s policy for it is to warn" in text
    assert "A simulated millisecond was 0.250 ms of real time" in text
    assert "of real time" not in words(page(fast, clock(late, rate=1.0), timed=late))


@given(st.integers(1, 5000), st.floats(0.1, 3.0))
def test_the_share_of_late_events_is_exact_and_shows_each_of_the_latest(events: int, spread: float) -> None:
    ordered = np.exp(spread * np.linspace(-3.0, 3.0, events))
    late, shares = real_figures.shares_later(ordered)
    for some, share in zip(late.tolist(), shares.tolist(), strict=True):
        assert share == pytest.approx(100.0 * (ordered >= some).sum() / events)
    assert late[-20:].tolist() == ordered[-20:].tolist()
    assert (late[0], shares[0]) == (ordered[0], 100.0)
    assert len(late) <= 750


def test_it_is_told_how_long_the_run_was_held_up_if_it_was(fast: ConvoyOutcome) -> None:
    late = timing(0.001)
    of = clock(late)
    assert "held up" not in words(page(fast, of, timed=late))
    of["clock"]["held_up_s"] = 8.04
    assert "The run was held up for 8.0 s at the longest: real robots were told" in words(page(fast, of, timed=late))


def test_a_clock_without_events_has_dashes_and_no_figure(fast: ConvoyOutcome) -> None:
    late = timing()
    html = page(fast, clock(late), timed=late)
    assert html.count("<svg") == 3
    assert "rate 4 – – – – 0 0" in words(html)
    assert re.search(r"\bnan\b", words(html), flags=re.I) is None


def test_real_robots_are_told_with_what_was_wrong_on_their_wires(fast: ConvoyOutcome) -> None:
    text = words(page(fast, robot(garbage=1234, late=2)))
    assert "2 mqtt://192.0.2.7/robot/2 json loop virtual real 1,234 garbage, 2 late 17" in text
    assert "2 a stand-in json loop virtual real none 17" in words(page(fast, robot("a stand-in")))


def test_texts_from_wires_and_addresses_are_texts_in_the_page(fast: ConvoyOutcome) -> None:
    html = page(fast, robot("<b>mine</b>", **{"<i>kind</i>": 1}), nodes(dropped={"<u>kind</u>": 1}))
    assert not re.search(r"<b>mine|<i>kind|<u>kind", html)
    assert html.count("&lt;") >= 6


def test_errors_of_localisation_stand_in_centimetres_and_degrees(fast: ConvoyOutcome) -> None:
    text = words(page(fast, localised=localisation(2, 30)))
    assert "2 5 odom 0.6 1.0 1.0 0.00 0.00 0.00" in text
    assert "30 5 odom 9.0 15.0 15.0 0.00 0.00 0.00" in text
    assert "both drift alike" in text  # this scenario does not correct its map


def test_a_figure_of_many_robots_shows_those_that_are_furthest_off(fast: ConvoyOutcome) -> None:
    many = localisation(*range(1, 13))
    assert real_figures.most_lost(many) == list(range(5, 13))
    text = words(page(fast, localised=many))
    assert "those robots that were furthest off" in text
    assert all(f"{number} 5 odom" in text for number in range(1, 13))


def test_nodes_are_told_with_their_clocks_and_delays(fast: ConvoyOutcome) -> None:
    text = words(page(fast, nodes()))
    assert "left robots 2, 3 3.21 ± 0.45 135 4.0 11.0 56.7 851 13.7 91.6 5 late" in text
    silent = words(
        page(fast, nodes(messages=0, steps=0, **dict.fromkeys(("delay_p50", "delay_p99", "delay_max"), nan)))
    )
    assert "± 0.45 0 – – – – 13.7" in silent


def test_the_same_measurements_have_the_same_figures() -> None:
    assert len({real_figures.lateness(timing(0.001, 0.03, 0.002)) for _ in range(2)}) == 1
    assert len({real_figures.localisation(localisation(2, 3)) for _ in range(2)}) == 1
