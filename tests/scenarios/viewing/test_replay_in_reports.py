"""Replays in the reports of runs: first after the verdict and the main results, for any case, offline."""

from __future__ import annotations

import re
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from devs_robotics.core.observe import JsonLines
from devs_robotics.scenarios.case import case_of, resolve
from devs_robotics.scenarios.case_study.outcome import CaseOutcome
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.running.summary import summary
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.viewing.showing import poses_at_the_end
from tests.devs_robotics.view.page.chromium import READY, Chromium, axe, open_html

SHORT = {
    "wander": ("run.duration=6 s",),
    "diffusion": ("run.duration=3 s",),
    "convoy": ("convoy.robots=3", "run.rounds=4"),
    "convoy_in_the_loop": ("run.rounds=3",),
}


def outcome_of(name: str, *, replay: bool = True) -> AnyOutcome:
    scenario = resolve(load(name, SHORT[name]))
    means = Means(stage="loop", lab="inside") if name == "convoy_in_the_loop" else Means()
    return run(scenario, means, Hooks(replay=replay))


def report_of(outcome: AnyOutcome) -> str:
    return case_of(outcome.scenario).report(summary(outcome), outcome)


@pytest.mark.parametrize("name", SHORT)
def test_the_report_of_any_case_begins_with_a_replay(name: str) -> None:
    page = report_of(outcome_of(name))
    first, *others = re.findall(r"<h2>(.*?)</h2>", page)
    assert first == "Replay"
    assert others
    assert page.index('class="tiles"') < page.index("<h2>Replay</h2>")


def test_a_run_that_keeps_nothing_has_none() -> None:
    assert "Replay" not in report_of(outcome_of("wander", replay=False))


def test_the_same_run_gives_the_same_replay() -> None:
    one, other = (report_of(outcome_of("wander")) for _ in range(2))
    (first,), (second,) = (re.findall(r"<h2>Replay</h2>.*?<h2>", page, flags=re.S) for page in (one, other))
    assert first == second


@pytest.mark.browser
@pytest.mark.parametrize("name", ["wander", "convoy_in_the_loop"])
def test_the_replay_works_in_the_report_as_a_file(browser: Chromium, tmp_path: Path, name: str) -> None:
    outcome = outcome_of(name)
    tracks: Any = outcome.replay

    def look(page: Page) -> None:
        open_html(page, report_of(outcome), tmp_path)
        end = page.evaluate("{ view.seek(Infinity); view.time }")
        assert end == pytest.approx(outcome.end_s)
        bodies = tracks.scene.bodies
        assert page.evaluate("view.poses.length") == len(bodies)
        before = page.evaluate("scrollY")
        page.keyboard.press("End")  # the page's own, as long as the replay has not the focus
        page.wait_for_function("before => scrollY > before", arg=before)
        page.locator(".view-stage").focus()
        page.keyboard.press("Home")
        assert page.evaluate("view.time") == 0.0
        page.evaluate(READY)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert axe(page) == []
        hidden = "each.scrollWidth > each.clientWidth + 1"  # what there is more of has a shadow at its edge
        wide = page.evaluate(
            f"""[...document.querySelectorAll("figure, .scroll")].filter((each) => {hidden})
            .map((each) => getComputedStyle(each).backgroundAttachment)"""
        )
        assert wide
        assert {"local, local, scroll, scroll"} == set(wide)

    browser.use(look, width=390, theme="dark", bypass_csp=True)


def test_robots_on_their_way_are_in_the_top_view_where_they_are_when_the_run_is_over() -> None:
    """Of who drives by wheels, the last change of a motion was elsewhere."""
    outcome = run(resolve(load("phototaxis", ())), Means(), Hooks(replay=True))
    assert isinstance(outcome, CaseOutcome)
    last = {row.robot: (row.x_m, row.y_m) for row in outcome.tracks.rows}
    ends = poses_at_the_end(outcome, 4)
    gone = [hypot(x - last[robot][0], y - last[robot][1]) for robot, (x, y, _) in enumerate(ends, 1)]
    assert max(gone) > 0.1
    assert outcome.reason == "all robots are at the lamp"
    middle = sum(x for x, _, _ in ends) / 4, sum(y for _, y, _ in ends) / 4
    assert all(hypot(x - middle[0], y - middle[1]) < 0.4 for x, y, _ in ends)  # they are all round one lamp


def test_the_report_says_where_the_recording_is_or_how_to_make_one(tmp_path: Path) -> None:
    record = JsonLines(tmp_path / "my run.jsonl")
    outcome = run(resolve(load("wander", ["run.duration=5"])), Means(), Hooks(replay=True, record=record))
    said = "devs-robotics view &#39;my run.jsonl&#39; --export run.gif"
    assert f"<code>{said}</code>" in report_of(outcome)
    page = report_of(run(resolve(load("wander", ["run.duration=5"])), Means(), Hooks(replay=True)))
    (command,) = re.findall("<code>([^<]*--record run.mcap)</code>", page)
    assert command == "devs-robotics run wander --stage fast --set run.duration=5.0 --record run.mcap"
    assert "<code>devs-robotics view run.mcap --export run.gif</code>" in page
    bare = report_of(run(resolve(load("wander", ["run.duration=5"])), Means(), Hooks()))
    assert "--export" not in bare
