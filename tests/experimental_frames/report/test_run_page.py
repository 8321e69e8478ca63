"""The report of a run of a case that has nothing of its own to show."""

from __future__ import annotations

import re
from html import unescape
from math import nan
from typing import Any

from msgspec.structs import replace

from devs_robotics.experimental_frames.frame.metric import Metric, measured_by, metric, metrics_of
from devs_robotics.experimental_frames.report.rendering import rendered
from devs_robotics.experimental_frames.report.run_page import RunReport, run_page
from devs_robotics.experimental_frames.report.settings import Provenance

SUMMARY: dict[str, Any] = {
    "scenario": {"title": "", "wander": {"step": 0.3, "robots": 5}, "frame": {"parts": {}}},
    "scenario_sha256": "ab" * 32,
    "seed": 7,
    "stage": "fast",
    "versions": {"devs-robotics": "1", "numpy": "2"},
    "outcome": "accepted",
    "reason": "the duration of 120 s is over",
    "events": {"transitions": 12345},
    "cpu_s": 0.5,
}


class Coverage:
    """What a wanderer is measured by."""

    @metric("share of the field covered", unit="%", better="more")
    def share(self) -> float:
        return 0.4567

    @metric("bumps into <walls>", digits=0, better="less")
    def bumps(self) -> int:
        return 1234

    @metric("first bump", unit="s", digits=2)
    def first_bump_s(self) -> float:
        return nan

    @metric("temper", words=("calm", "wild"))
    def temper(self) -> str:
        return "calm"


def page(**more: Any) -> str:
    told = RunReport(
        summary=SUMMARY, title="Wandering", metrics=metrics_of(Coverage), results=measured_by(Coverage()), **more
    )
    return rendered(run_page(told))


def words(html: str) -> str:
    return " ".join(re.sub(r"<style.*?</style>|<[^>]*>", " ", html, flags=re.S).split())


def test_its_first_table_has_every_metric_that_was_measured_as_it_is_declared() -> None:
    html = page()
    assert re.findall(r"<h2>(.*?)</h2>", html) == ["Metrics"]
    table = words(html[html.index("<table>") : html.index("</table>")])
    assert table == "metric value unit share of the field covered 45.7 % bumps into &lt;walls&gt; 1,234 temper calm"


def test_its_top_has_the_verdict_and_main_results() -> None:
    top = words(page().partition("<h2>")[0])
    assert "Wandering · seed 7 Wandering accepted the duration of 120 s is over. Stage fast : as fast as its" in top
    assert "accepted the duration of 120 s is over." in top
    assert re.findall(r'<div class="tile"><b>(.*?)</b>', page()) == ["45.7 <small>%</small>", "1,234", "calm"]
    assert re.findall(r'<div class="tile"><b>(.*?)</b>', page(main=["first_bump_s", "share"])) == [
        "– <small>s</small>",
        "45.7 <small>%</small>",
    ]


def test_settings_stand_with_their_units_and_what_they_are_by_default() -> None:
    usual = {"title": "", "wander": {"step": 0.2, "robots": 5}}
    command = "devs-robotics run wander --set 'wander.step=0.3'"
    text = words(page(known=Provenance(command, lambda key: "m" if key == "wander.step" else "", usual)))
    assert "The same again: devs-robotics run wander --set &#39;wander.step=0.3&#39;" in text
    assert "key value default, where it differs title" in text
    assert "wander.step 0.3 m 0.2 m wander.robots 5 Metres" in text
    assert "wander.step 0.3 wander.robots 5" in words(page())
    assert "by default" not in words(page())


def test_a_long_command_stands_once_in_a_box_from_which_it_is_copied() -> None:
    known = "devs-robotics run wander --set 'field.obstacles=[" + '{shape = "box"}, ' * 60 + "]'"
    html = page(known=Provenance(known), replay="<p>It moves.</p>")
    (box,) = re.findall(r'<code class="command" tabindex="0">(.*?)</code>', html)
    assert unescape(box) == known
    assert "The command under “Settings and provenance”, with --record run.mcap added, records it" in words(html)
    assert 'class="command"' not in page(known=Provenance("devs-robotics run wander"))


def test_results_of_the_frames_parts_stand_once_as_metrics_or_by_their_names() -> None:
    frames = {"coverage": {"share": 0.5, "cells": 144.0, "mood": "calm"}, "quiet": {"share": 0.25}}
    metrics = [Metric("frames.coverage.share", "share", "%", 100.0), Metric("frames.quiet.share", "share", "%", 100.0)]
    results = {"frames.coverage.share": 0.5, "frames.quiet.share": 0.25}
    scenario = {**SUMMARY["scenario"], "frame": {"parts": {"coverage": {"model": "wander:Coverage"}}}}
    summary = {**SUMMARY, "scenario": scenario, "frames": frames}
    told = RunReport(summary=summary, title="Wandering", metrics=metrics, results=results)
    text = words(rendered(run_page(told)))
    assert "metric value unit share 50.0 % share 25.0 % Further frames part result value" in text
    assert "coverage ( wander:Coverage ) cells 144 mood calm As the parts of the frame say" in text
    assert "Further frames" not in words(rendered(run_page(replace(told, metrics=[], summary=SUMMARY))))


def test_it_says_what_made_it_and_where_its_data_are() -> None:
    text = words(page(data=["visits.csv"], after="Metrics of our own."))
    assert f"Scenario {'ab' * 32} . devs-robotics 1, numpy 2. 12,345 transitions in 0.50 s of processor time." in text
    assert "Metrics of our own. Data: summary.json , visits.csv ." in text
